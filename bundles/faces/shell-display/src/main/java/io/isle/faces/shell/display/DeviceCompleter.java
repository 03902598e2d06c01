package io.isle.faces.shell.display;

import io.isle.api.accel.AccelAdmin;
import io.isle.faces.shell.IdCompleter;
import io.isle.faces.shell.Services;
import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** Completes ids of devices with a display. */
@Service
public final class DeviceCompleter extends IdCompleter {
  @Override
  protected List<String> ids(Services services) {
    return services.ifThere(AccelAdmin.class, AccelAdmin::displays).orElse(List.of()).stream()
        .map(AccelAdmin.DisplayInfo::device)
        .distinct()
        .toList();
  }
}
