package io.isle.faces.shell.display;

import io.isle.api.device.DeviceTree;
import io.isle.api.device.DisplayMode;
import io.isle.api.device.ScanoutStatus;
import io.isle.api.display.DisplayAdmin;
import io.isle.api.display.DisplayInfo;
import io.isle.faces.shell.Services;
import io.isle.faces.shell.ShellException;
import io.isle.faces.shell.Table;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** Connectors and modes as rows. */
final class Rows {
  private Rows() {}

  static List<DisplayInfo> displays(Services services) {
    return services.with(DisplayAdmin.class, DisplayAdmin::displays);
  }

  /**
   * The connectors of one device.
   *
   * @throws ShellException when there is none of that name
   */
  static List<DisplayInfo> of(Services services, String device) {
    if (!services.with(DeviceTree.class, tree -> tree.find(device).isPresent())) {
      throw ShellException.failed("no device " + device + "; see device:list");
    }
    return displays(services).stream().filter(row -> row.device().equals(device)).toList();
  }

  /** One connector, or a failure that says which there are. */
  static DisplayInfo find(Services services, String device, int connector) {
    List<DisplayInfo> all = displays(services);
    return all.stream()
        .filter(row -> row.device().equals(device) && row.connector().id() == connector)
        .findFirst()
        .orElseThrow(
            () ->
                ShellException.failed(
                    "no connector "
                        + connector
                        + " of "
                        + device
                        + (all.isEmpty()
                            ? "; no open device has a display"
                            : "; the connectors of open devices are "
                                + String.join(", ", all.stream().map(Rows::name).toList()))));
  }

  private static String name(DisplayInfo row) {
    return row.device() + " " + row.connector().id();
  }

  static Table<DisplayInfo> connectors() {
    return new Table<DisplayInfo>("No connectors: no open device has a display.")
        .column("device", DisplayInfo::device)
        .column("connector", row -> row.connector().id())
        .column("type", row -> row.connector().type().text())
        .column("connected", row -> row.connector().connected())
        .column("active", row -> row.connector().active())
        .column("mode", of(status -> status.mode().map(DisplayMode::text).orElse(null)))
        .column("dpms", of(status -> status.dpms().text()))
        .column("vrr", of(ScanoutStatus::vrr))
        .column("vrr_min_millihz", "from", of(ScanoutStatus::vrrMinMillihertz), Rows::hertz)
        .column("vrr_max_millihz", "to", of(ScanoutStatus::vrrMaxMillihertz), Rows::hertz)
        .column("point", of(ScanoutStatus::point))
        .column("frames", of(ScanoutStatus::frames))
        .jsonOnly("flip_ns", of(ScanoutStatus::flipNs))
        .jsonOnly("frame_ns", of(ScanoutStatus::frameNs))
        .jsonOnly("pending", of(ScanoutStatus::pending))
        .jsonOnly("cursor", of(ScanoutStatus::cursor))
        .column("hotplugs", of(ScanoutStatus::hotplugs))
        .jsonOnly("max_width", row -> row.connector().maxWidth())
        .jsonOnly("max_height", row -> row.connector().maxHeight());
  }

  /** Null where the driver does not tell. */
  private static Function<DisplayInfo, Object> of(Function<ScanoutStatus, Object> field) {
    return row -> row.status().map(field).orElse(null);
  }

  private static String hertz(Object value) {
    long milli = value instanceof Number number ? number.longValue() : 0;
    return milli == 0 ? "-" : String.format(Locale.ROOT, "%d Hz", milli / 1000);
  }

  /**
   * Modes of a connector.
   *
   * @param now the mode that is set, or null
   */
  static Table<DisplayMode> modes(DisplayMode now) {
    return new Table<DisplayMode>("No modes: no screen is plugged into the connector.")
        .column("mode", DisplayMode::text)
        .column("width", DisplayMode::width)
        .column("height", DisplayMode::height)
        .column("refresh_millihz", "mHz", DisplayMode::refreshMillihertz, Table::plain)
        .column("clock_khz", "kHz", DisplayMode::clockKilohertz, Table::plain)
        .column("hfp", DisplayMode::hfp)
        .column("hsw", DisplayMode::hsw)
        .column("hbp", DisplayMode::hbp)
        .column("vfp", DisplayMode::vfp)
        .column("vsw", DisplayMode::vsw)
        .column("vbp", DisplayMode::vbp)
        .column("preferred", DisplayMode::preferred)
        .column("current", mode -> mode.equals(now));
  }
}
