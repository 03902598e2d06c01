package io.isle.faces.shell.display;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Accelerator;
import io.isle.api.accel.Accelerators;
import io.isle.api.accel.Buffer;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.DeviceQuery;
import io.isle.api.accel.Display;
import io.isle.api.accel.Framebuffer;
import io.isle.api.accel.Mapping;
import io.isle.api.base.Errno;
import io.isle.api.device.DisplayMode;
import io.isle.api.device.PixelFormat;
import io.isle.api.device.ScanoutStatus;
import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.CapabilitySpec;
import io.isle.api.tenancy.Permission;
import io.isle.faces.shell.ShellException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;

/**
 * What the shell shows on screens: a tenant like any other, whose pictures stay after the command
 * that drew them. Thread-safe.
 */
@Component(service = Screens.class, immediate = true)
public final class Screens {
  private static final String TENANT = "display";
  private static final Set<Permission> NEEDED =
      Set.of(Permission.ACCEL_COMPUTE, Permission.ACCEL_MEMORY, Permission.ACCEL_DISPLAY);
  private static final ValueLayout.OfInt PIXEL =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);

  private final Accelerators accelerators;
  private final Capabilities capabilities;
  private final Map<String, Context> contexts = new HashMap<>();
  private final Map<Place, Buffer> pictures = new HashMap<>();
  private Capability capability;

  private record Place(String device, int connector) {}

  /**
   * A picture that is shown.
   *
   * @param point of its flip
   * @param flipNs when its frame began, CLOCK_MONOTONIC nanoseconds
   */
  public record Shown(long point, int width, int height, long flipNs) {}

  @Activate
  public Screens(@Reference Accelerators accelerators, @Reference Capabilities capabilities) {
    this.accelerators = accelerators;
    this.capabilities = capabilities;
  }

  /** Its contexts are closed with the bundle's accelerators. */
  @Deactivate
  synchronized void deactivate() {
    if (capability != null) {
      capabilities.revoke(capability);
    }
  }

  /**
   * The screens of a device.
   *
   * @throws AccelException ENODEV; ENOTSUP for a device without a display
   */
  public synchronized Display of(String device) {
    return accelerator(device).display(capability());
  }

  /**
   * Draws a picture of the mode's size and returns when it is shown.
   *
   * @throws AccelException as {@link Display} says
   */
  synchronized Shown show(String device, int connector, Painting painting) {
    Display display = of(device);
    DisplayMode mode =
        display
            .status(connector)
            .mode()
            .orElseThrow(
                () ->
                    ShellException.failed(
                        device + " connector " + connector + " has no mode; see display:set"));
    painting.check(mode.width(), mode.height());
    Buffer buffer = context(device).allocate(4L * mode.width() * mode.height(), Buffer.RETAINED);
    boolean shown = false;
    try {
      draw(painting, mode, buffer);
      long point = flip(display, connector, buffer, mode);
      Buffer before = pictures.put(new Place(device, connector), buffer);
      shown = true;
      if (before != null) {
        before.close();
      }
      ScanoutStatus status = display.status(connector);
      return new Shown(point, mode.width(), mode.height(), status.flipNs());
    } finally {
      if (!shown) {
        buffer.close();
      }
    }
  }

  private static void draw(Painting painting, DisplayMode mode, Buffer buffer) {
    int[] line = new int[mode.width()];
    try (Mapping mapping = buffer.map()) {
      MemorySegment bytes = mapping.segment();
      for (int y = 0; y < mode.height(); y++) {
        for (int x = 0; x < line.length; x++) {
          line[x] = painting.rgb(x, y, mode.width(), mode.height());
        }
        MemorySegment.copy(
            MemorySegment.ofArray(line),
            ValueLayout.JAVA_INT,
            0,
            bytes,
            PIXEL,
            4L * y * line.length,
            line.length);
      }
      mapping.flush(0, buffer.size());
    }
  }

  private static long flip(Display display, int connector, Buffer buffer, DisplayMode mode) {
    Framebuffer framebuffer =
        display.framebuffer(buffer, mode.width(), mode.height(), PixelFormat.XRGB8888);
    long point = display.flip(connector, framebuffer);
    int code = display.await(connector, point, PATIENCE_NS);
    // after a recovery the core shows it again
    if (code < 0 && code != -Errno.EINTR) {
      throw new AccelException(
          -code, display.device() + ": flip " + point + " is not shown: " + Errno.name(code));
    }
    return point;
  }

  private Accelerator accelerator(String device) {
    return accelerators.find(DeviceQuery.id(device));
  }

  /** One that takes work; one that is over is opened anew. */
  private Context context(String device) {
    Context known = contexts.get(device);
    if (known != null && known.awaitUsable(PATIENCE_NS) == 0) {
      return known;
    }
    pictures.keySet().removeIf(place -> place.device().equals(device));
    if (known != null) {
      known.close();
    }
    Context opened = accelerator(device).open(capability(), ContextSpec.named(TENANT));
    contexts.put(device, opened);
    return opened;
  }

  private Capability capability() {
    if (capability == null || !capability.valid()) {
      capability = capabilities.issue(new CapabilitySpec(TENANT, NEEDED, Optional.empty(), 0));
    }
    return capability;
  }
}
