package io.isle.faces.shell.display;

import io.isle.api.device.DisplayMode;
import io.isle.api.display.DisplayAdmin;
import io.isle.faces.shell.IdCompleter;
import io.isle.faces.shell.Services;
import java.util.List;
import java.util.stream.Stream;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** Completes modes, of all screens that are plugged in. */
@Service
public final class ModeCompleter extends IdCompleter {
  @Override
  protected List<String> ids(Services services) {
    return Stream.concat(
            Stream.of(ModeChoice.PREFERRED),
            services.ifThere(DisplayAdmin.class, ModeCompleter::modes).orElse(List.of()).stream())
        .toList();
  }

  private static List<String> modes(DisplayAdmin admin) {
    return admin.displays().stream()
        .filter(row -> row.connector().connected())
        .flatMap(row -> admin.modes(row.device(), row.connector().id()).stream())
        .map(DisplayMode::text)
        .distinct()
        .toList();
  }
}
