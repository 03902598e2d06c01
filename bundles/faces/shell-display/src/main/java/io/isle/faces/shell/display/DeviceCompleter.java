package io.isle.faces.shell.display;

import io.isle.api.display.DisplayAdmin;
import io.isle.api.display.DisplayInfo;
import io.isle.faces.shell.IdCompleter;
import io.isle.faces.shell.Services;
import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** Completes ids of devices with a display. */
@Service
public final class DeviceCompleter extends IdCompleter {
  @Override
  protected List<String> ids(Services services) {
    return services.ifThere(DisplayAdmin.class, DisplayAdmin::displays).orElse(List.of()).stream()
        .map(DisplayInfo::device)
        .distinct()
        .toList();
  }
}
