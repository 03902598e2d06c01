package io.isle.faces.shell.driver;

import io.isle.faces.shell.IdCompleter;
import io.isle.faces.shell.Services;
import java.util.List;
import java.util.stream.Stream;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** Completes device ids and names of drivers. */
@Service
public final class TargetCompleter extends IdCompleter {
  @Override
  protected List<String> ids(Services services) {
    return Stream.concat(
            DeviceCompleter.names(services).stream(), DriverCompleter.names(services).stream())
        .toList();
  }
}
