package io.isle.faces.shell.display;

import io.isle.api.display.DisplayAdmin;
import io.isle.faces.shell.IdCompleter;
import io.isle.faces.shell.Services;
import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** Completes numbers of connectors, of all devices. */
@Service
public final class ConnectorCompleter extends IdCompleter {
  @Override
  protected List<String> ids(Services services) {
    return services.ifThere(DisplayAdmin.class, DisplayAdmin::displays).orElse(List.of()).stream()
        .map(row -> Integer.toString(row.connector().id()))
        .distinct()
        .toList();
  }
}
