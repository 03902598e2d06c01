package io.isle.faces.shell.display;

import io.isle.api.device.DisplayMode;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.lib.edid.Edid;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code display:edid}. */
@Service
@Command(
    scope = "display",
    name = "edid",
    description =
        "Shows the EDID of the screen at a connector: maker, product, size, modes, range of"
            + " refresh rates")
@RequiredRole(Role.VIEWER)
public final class EdidCommand extends ConnectorCommand {
  @Override
  protected void run(Output output) {
    Map<String, Object> said =
        object(
            Edid.of(
                services().with(Screens.class, screens -> screens.of(device()).edid(connector()))));
    if (output.json()) {
      output.document(said);
    } else {
      said.forEach((key, value) -> output.line(line(key, value)));
    }
  }

  private static Map<String, Object> object(Edid edid) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("maker", edid.maker());
    object.put("product", edid.product());
    object.put("serial", edid.serial());
    object.put("year", edid.year());
    object.put("version", "1." + edid.revision());
    object.put("name", edid.name());
    object.put("digital", edid.digital());
    object.put("width_mm", edid.widthMillimeters());
    object.put("height_mm", edid.heightMillimeters());
    object.put("modes", edid.timings().stream().map(EdidCommand::mode).toList());
    object.put("min_hz", edid.range().map(Edid.Range::minHertz).orElse(null));
    object.put("max_hz", edid.range().map(Edid.Range::maxHertz).orElse(null));
    object.put("extensions", edid.extensions());
    return object;
  }

  private static String mode(Edid.Timing timing) {
    return new DisplayMode(
            timing.width(),
            timing.height(),
            timing.refreshMillihertz(),
            timing.clockKilohertz(),
            timing.hfp(),
            timing.hsw(),
            timing.hbp(),
            timing.vfp(),
            timing.vsw(),
            timing.vbp(),
            timing.preferred())
        .text();
  }

  private static String line(String key, Object value) {
    return String.format("%-12s%s", key.replace('_', ' '), value == null ? "-" : value);
  }

  /** For tests. */
  EdidCommand of(String id, int number) {
    on(id, number);
    return this;
  }
}
