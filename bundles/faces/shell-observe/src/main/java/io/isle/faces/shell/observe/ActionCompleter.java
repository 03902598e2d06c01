package io.isle.faces.shell.observe;

import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditFilter;
import io.isle.faces.shell.IdCompleter;
import io.isle.faces.shell.Services;
import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** Completes actions that were recorded lately. */
@Service
public final class ActionCompleter extends IdCompleter {
  private static final int LOOKED_AT = 1000;

  @Override
  protected List<String> ids(Services services) {
    return services
        .ifThere(
            Audit.class,
            audit ->
                audit.tail(LOOKED_AT, AuditFilter.ALL).stream()
                    .map(entry -> entry.event().action())
                    .distinct()
                    .sorted()
                    .toList())
        .orElse(List.of());
  }
}
