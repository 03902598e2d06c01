package io.isle.tck;

import io.isle.api.base.Errno;
import io.isle.api.device.DisplayMode;
import io.isle.api.device.DpmsState;
import io.isle.api.device.PixelFormat;
import io.isle.api.device.ScanoutStatus;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.Scanout;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/** Mutants of the display's cases; they break the display in software. */
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
        real ->
            status(
                real, real.flipNs(), Optional.empty(), real.nextNs(), real.vrr(), real.hotplugs()));
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
                real.flipNs(),
                real.mode(),
                real.dpms() == DpmsState.ON ? real.nextNs() : 1,
                real.vrr(),
                real.hotplugs()));
    to.<ScanoutStatus>result(
        "display/variable-refresh",
        STATUS,
        real -> status(real, real.flipNs(), real.mode(), real.nextNs(), false, real.hotplugs()));
    to.on("display/cursor", "Display.hideCursor", (what, args, real, world) -> null);
    to.<ScanoutStatus>result(
        "display/hotplug",
        STATUS,
        real -> status(real, real.flipNs(), real.mode(), real.nextNs(), real.vrr(), 0));
    to.code(
        "display/unknown-connector", "Display.setDpms", args -> true, Errno.ENOENT, Errno.EINVAL);
    to.swallow("display/unplugged", "Display.setDpms", Errno.ENXIO);
    to.add("display/mode-of-same-size", DisplayMutants::blanking);
    to.arguments(
        "display/framebuffer-rgb565",
        "Display.createFramebuffer",
        (args, world) -> args[4] = PixelFormat.XRGB8888);
    to.<ScanoutStatus>result(
        "display/variable-refresh-flips",
        STATUS,
        real -> status(real, 1, real.mode(), real.nextNs(), real.vrr(), real.hotplugs()));
    to.swallow("display/cursor-refused", "Display.setCursor", Errno.EINVAL);
  }

  /** Setting the mode that is set makes the screen black. */
  private static Hook blanking() {
    AtomicReference<Object> last = new AtomicReference<>();
    AtomicBoolean black = new AtomicBoolean();
    return (what, args, real, world) -> {
      Object result = real.call(args);
      if (what.equals("Display.setMode")) {
        black.compareAndSet(false, args[1].equals(last.getAndSet(args[1])));
      }
      if (what.equals("Scanout.read") && black.get()) {
        Scanout.Lines lines = (Scanout.Lines) result;
        return new Scanout.Lines(
            lines.point(),
            lines.width(),
            lines.height(),
            lines.first(),
            lines.count(),
            MemorySegment.ofArray(new byte[(int) lines.pixels().byteSize()]));
      }
      return result;
    };
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
      ScanoutStatus real,
      long flipNs,
      Optional<DisplayMode> mode,
      long nextNs,
      boolean vrr,
      int hotplugs) {
    return new ScanoutStatus(
        real.point(),
        flipNs,
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
