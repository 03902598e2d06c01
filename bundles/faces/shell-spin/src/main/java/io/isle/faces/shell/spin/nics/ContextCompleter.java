package io.isle.faces.shell.spin.nics;

import io.isle.api.spin.ContextInfo;
import io.isle.api.spin.NicAdmin;
import io.isle.faces.shell.IdCompleter;
import io.isle.faces.shell.Services;
import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** Completes names of contexts. */
@Service
public final class ContextCompleter extends IdCompleter {
  @Override
  protected List<String> ids(Services services) {
    return services.ifThere(NicAdmin.class, NicAdmin::contexts).orElse(List.of()).stream()
        .map(ContextInfo::name)
        .toList();
  }
}
