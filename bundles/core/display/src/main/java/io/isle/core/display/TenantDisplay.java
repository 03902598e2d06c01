package io.isle.core.display;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Buffer;
import io.isle.api.base.Errno;
import io.isle.api.base.Ids;
import io.isle.api.device.DisplayConnector;
import io.isle.api.device.DisplayMode;
import io.isle.api.device.DpmsState;
import io.isle.api.device.PixelFormat;
import io.isle.api.device.ScanoutStatus;
import io.isle.api.display.Display;
import io.isle.api.display.Framebuffer;
import io.isle.api.display.Picture;
import io.isle.api.observe.AuditTrail;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.TenancyException;
import io.isle.core.display.state.ScreenState;
import java.util.List;
import java.util.function.Consumer;

/**
 * The screens of one device under one capability. What changes or reads a screen is written down;
 * flips and moves of the cursor are not, as submissions are not, unless they are forbidden.
 */
final class TenantDisplay implements Display {
  private final String id;
  private final Capability capability;
  private final DisplayCore core;

  TenantDisplay(String id, Capability capability, DisplayCore core) {
    this.id = id;
    this.capability = capability;
    this.core = core;
  }

  /** Whether there are screens that the tenant may use. */
  void check() {
    List<DisplayConnector> ignored = connectors();
  }

  @Override
  public String device() {
    return id;
  }

  @Override
  public List<DisplayConnector> connectors() {
    return display().connectors();
  }

  @Override
  public List<DisplayMode> modes(int connector) {
    return display().modes(connector);
  }

  @Override
  public byte[] edid(int connector) {
    return display().edid(connector);
  }

  @Override
  public ScanoutStatus status(int connector) {
    return display().status(connector);
  }

  @Override
  public void setMode(int connector, DisplayMode mode) {
    recorded(
        "display.set-mode", connector, mode.text(), display -> display.setMode(connector, mode));
  }

  @Override
  public void setDpms(int connector, DpmsState state) {
    recorded(
        "display.set-dpms", connector, state.text(), display -> display.setDpms(connector, state));
  }

  @Override
  public void setVariableRefresh(int connector, boolean enabled) {
    recorded(
        "display.set-vrr",
        connector,
        enabled ? "on" : "off",
        display -> display.setVariableRefresh(connector, enabled));
  }

  @Override
  public Framebuffer framebuffer(Buffer buffer, int width, int height, PixelFormat format) {
    AuditTrail audit = core.audit();
    return audit.recorded(
        AuditTrail.tenant("display.framebuffer", capability.tenant(), capability.id(), id)
            .detail(width + "x" + height + " " + format),
        () -> {
          DeviceDisplay display = display();
          try (PinnedMemory.Held held = core.memory().pin(capability, buffer)) {
            check(held, width, height, format);
            core.prune();
            return display.framebuffers().create(capability, held, width, height, format);
          }
        },
        frame -> Ids.text(frame.id()));
  }

  private void check(PinnedMemory.Held held, int width, int height, PixelFormat format) {
    if (!held.device().equals(id)) {
      throw new AccelException(Errno.EINVAL, "buffer: the buffer is not memory of device " + id);
    }
    if (held.group().isPresent()) {
      throw new AccelException(
          Errno.ENOTSUP,
          "buffer: the memory lies in the process of group "
              + held.group().get()
              + ", which screens cannot show");
    }
    if (width < 1 || width > DisplayMode.MAX_SIDE || height < 1 || height > DisplayMode.MAX_SIDE) {
      throw new AccelException(
          Errno.EINVAL,
          "width, height: " + width + " x " + height + " is not in 1.." + DisplayMode.MAX_SIDE);
    }
    long bytes = (long) width * height * format.bytes();
    if (bytes > held.size()) {
      throw new AccelException(
          Errno.EINVAL,
          "buffer: the buffer has " + held.size() + " bytes, but the picture needs " + bytes);
    }
  }

  @Override
  public long flip(int connector, Framebuffer framebuffer) {
    DeviceDisplay display = allowed("display.flip", connector);
    if (framebuffer == null || Ids.kind(framebuffer.id()) != Ids.FRAMEBUFFER) {
      throw new AccelException(Errno.EINVAL, "framebuffer: not a framebuffer of device " + id);
    }
    return display.framebuffers().flip(capability, connector, framebuffer.id());
  }

  @Override
  public int await(int connector, long point, long timeoutNs) {
    try {
      return new ScreenAwaiting(display(), connector, timeoutNs).flip(point);
    } catch (AccelException e) {
      return -e.code();
    }
  }

  @Override
  public int awaitHotplug(int connector, int seen, long timeoutNs) {
    try {
      return new ScreenAwaiting(display(), connector, timeoutNs).hotplug(seen);
    } catch (AccelException e) {
      return -e.code();
    }
  }

  @Override
  public void setCursor(int connector, int width, int height, int x, int y, int[] argb) {
    DeviceDisplay display = allowed("display.cursor", connector);
    if (width < 1
        || width > MAX_CURSOR
        || height < 1
        || height > MAX_CURSOR
        || argb.length != width * height) {
      throw new AccelException(
          Errno.EINVAL,
          "cursor: "
              + argb.length
              + " pixels for "
              + width
              + " x "
              + height
              + "; each side needs 1 to "
              + MAX_CURSOR);
    }
    if (x < 0 || y < 0) {
      throw new AccelException(Errno.EINVAL, "x, y: " + x + ", " + y + " is off the screen");
    }
    display.setCursor(
        connector, new ScreenState.Cursor(width, height, x, y, new ScreenState.Pixels(argb)));
  }

  @Override
  public void hideCursor(int connector) {
    allowed("display.cursor", connector).hideCursor(connector);
  }

  @Override
  public Picture capture(int connector) {
    AuditTrail audit = core.audit();
    return audit.recorded(
        AuditTrail.tenant("display.capture", capability.tenant(), capability.id(), id)
            .detail("connector " + connector),
        () -> display().capture(connector),
        picture -> picture.width() + "x" + picture.height());
  }

  private void recorded(
      String action, int connector, String detail, Consumer<DeviceDisplay> change) {
    AuditTrail audit = core.audit();
    audit.run(
        AuditTrail.tenant(action, capability.tenant(), capability.id(), id)
            .detail("connector " + connector + ": " + detail),
        () -> change.accept(display()));
  }

  /** Only a refusal is written down. */
  private DeviceDisplay allowed(String action, int connector) {
    try {
      return display();
    } catch (TenancyException e) {
      AuditTrail audit = core.audit();
      audit.record(
          AuditTrail.tenant(action, capability.tenant(), capability.id(), id)
              .detail("connector " + connector)
              .failed(e.code(), e.getMessage()));
      throw e;
    }
  }

  private DeviceDisplay display() {
    return core.display(id, capability);
  }
}
