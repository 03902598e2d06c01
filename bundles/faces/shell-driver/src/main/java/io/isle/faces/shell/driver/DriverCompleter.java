package io.isle.faces.shell.driver;

import io.isle.api.driver.Drivers;
import io.isle.faces.shell.IdCompleter;
import io.isle.faces.shell.Services;
import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** Completes names of drivers. */
@Service
public final class DriverCompleter extends IdCompleter {
  @Override
  protected List<String> ids(Services services) {
    return names(services);
  }

  static List<String> names(Services services) {
    return services
        .ifThere(
            Drivers.class,
            drivers -> drivers.list().stream().map(driver -> driver.info().name()).toList())
        .orElse(List.of());
  }
}
