package io.isle.faces.shell.spin.nics;

import io.isle.api.spin.Nics;
import io.isle.faces.shell.IdCompleter;
import io.isle.faces.shell.Services;
import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** Completes names of network interfaces. */
@Service
public final class NicCompleter extends IdCompleter {
  @Override
  protected List<String> ids(Services services) {
    return services.ifThere(Nics.class, Nics::list).orElse(List.of()).stream()
        .map(nic -> nic.info().name())
        .toList();
  }
}
