package io.isle.tck;

import io.isle.api.base.Errno;
import io.isle.api.device.DisplayMode;
import io.isle.api.device.DpmsState;
import io.isle.api.device.ScanoutStatus;
import io.isle.api.driver.DriverException;
import java.util.List;
import java.util.Optional;

/** Mutants of {@link DisplayCases}; they break the display in software. */
final class DisplayMutants {
  private static final String FLIP = "Display.flip";
  private static final String STATUS = "Scanout.status";

  private DisplayMutants() {}

  static void add(Mutants to) {
    to.<Boolean>result("display/connectors", "Display.connected", connected -> true);
    to.<List<DisplayMode>>result(
        "display/modes",
        "Display.modes",
        modes -> modes.stream().map(DisplayMutants::preferred).toList());
    to.<byte[]>result("display/edid", "Display.edid", DisplayMutants::spoilt);
    to.<ScanoutStatus>result(
        "display/set-mode",
        STATUS,
        real -> status(real, Optional.empty(), real.nextNs(), real.vrr(), real.hotplugs()));
    to.swallow("display/foreign-mode", "Display.setMode", Errno.EINVAL);
    to.swallow("display/framebuffer-size", "Display.createFramebuffer", Errno.EINVAL);
    to.<Long>result("display/flip", FLIP, point -> 1L);
    forgive(to, "display/flip-pending", Errno.EBUSY);
    forgive(to, "display/flip-refused", Errno.EPERM);
    to.on("display/freed-memory", "AccelDevice.free", (what, args, real, world) -> null);
    to.<ScanoutStatus>result(
        "display/power-states",
        STATUS,
        real ->
            status(
                real,
                real.mode(),
                real.dpms() == DpmsState.ON ? real.nextNs() : 1,
                real.vrr(),
                real.hotplugs()));
    to.<ScanoutStatus>result(
        "display/variable-refresh",
        STATUS,
        real -> status(real, real.mode(), real.nextNs(), false, real.hotplugs()));
    to.on("display/cursor", "Display.hideCursor", (what, args, real, world) -> null);
    to.<ScanoutStatus>result(
        "display/hotplug", STATUS, real -> status(real, real.mode(), real.nextNs(), real.vrr(), 0));
  }

  /** A flip that is refused with {@code code} is taken. */
  private static void forgive(Mutants to, String name, int code) {
    to.on(
        name,
        FLIP,
        (what, args, real, world) -> {
          try {
            return real.call(args);
          } catch (DriverException e) {
            if (e.code() == code) {
              return 1L;
            }
            throw e;
          }
        });
  }

  private static DisplayMode preferred(DisplayMode mode) {
    return new DisplayMode(
        mode.width(),
        mode.height(),
        mode.refreshMillihertz(),
        mode.clockKilohertz(),
        mode.hfp(),
        mode.hsw(),
        mode.hbp(),
        mode.vfp(),
        mode.vsw(),
        mode.vbp(),
        true);
  }

  private static byte[] spoilt(byte[] edid) {
    byte[] other = edid.clone();
    other[127] ^= 1;
    return other;
  }

  private static ScanoutStatus status(
      ScanoutStatus real, Optional<DisplayMode> mode, long nextNs, boolean vrr, int hotplugs) {
    return new ScanoutStatus(
        real.point(),
        real.flipNs(),
        real.frames(),
        real.frameNs(),
        nextNs,
        mode,
        real.dpms(),
        real.vrrMinMillihertz(),
        real.vrrMaxMillihertz(),
        hotplugs,
        real.connected(),
        vrr,
        real.cursor(),
        real.pending());
  }
}
