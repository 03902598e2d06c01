package io.isle.faces.shell.display;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Accelerator;
import io.isle.api.accel.Accelerators;
import io.isle.api.accel.Buffer;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.DeviceQuery;
import io.isle.api.accel.Mapping;
import io.isle.api.base.Errno;
import io.isle.api.device.DisplayMode;
import io.isle.api.device.PixelFormat;
import io.isle.api.device.ScanoutStatus;
import io.isle.api.display.Display;
import io.isle.api.display.Displays;
import io.isle.api.display.Framebuffer;
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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntBinaryOperator;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/**
 * What the shell shows on screens: a tenant like any other, whose pictures stay after the command
 * that drew them. Thread-safe; pictures of one device are shown one after the other.
 */
@Component(service = Screens.class, immediate = true)
public final class Screens {
  private static final String TENANT = "display";
  private static final Set<Permission> NEEDED =
      Set.of(Permission.ACCEL_COMPUTE, Permission.ACCEL_MEMORY, Permission.ACCEL_DISPLAY);
  private static final ValueLayout.OfInt PIXEL =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);
  private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(2);

  private final Accelerators accelerators;
  private final Capabilities capabilities;
  private final Map<String, Shelf> shelves = new ConcurrentHashMap<>();

  /** Null while its owner restarts: pictures stay meanwhile. */
  private volatile Displays displays;

  private Capability capability;
  private boolean over;

  /** The pictures of one device. Guarded by itself. */
  private static final class Shelf {
    private Context context;
    private final Map<Integer, Buffer> pictures = new HashMap<>();
  }

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

  @Reference(
      cardinality = ReferenceCardinality.OPTIONAL,
      policy = ReferencePolicy.DYNAMIC,
      unbind = "unbind")
  synchronized void bind(Displays service) {
    displays = service;
  }

  synchronized void unbind(Displays service) {
    if (displays == service) {
      displays = null;
    }
  }

  /** Its contexts are closed with the bundle's accelerators. */
  @Deactivate
  synchronized void deactivate() {
    over = true;
    if (capability != null) {
      capabilities.revoke(capability);
    }
  }

  /**
   * The screens of a device.
   *
   * @throws AccelException ENODEV; ENOTSUP for a device without a display
   */
  public Display of(String device) {
    Displays now = displays;
    if (now == null) {
      throw ShellException.failed(
          "the service Displays is not available: its bundle restarts or is stopped; try again,"
              + " or see bundle:list");
    }
    return now.of(device, capability());
  }

  /**
   * Draws a picture of the mode's size and returns when it is shown.
   *
   * @throws AccelException as {@link Display} says
   */
  Shown show(String device, int connector, Painting painting) {
    Shelf shelf = shelves.computeIfAbsent(device, id -> new Shelf());
    synchronized (shelf) {
      Display display = of(device);
      DisplayMode mode =
          display
              .status(connector)
              .mode()
              .orElseThrow(
                  () ->
                      ShellException.failed(
                          device + " connector " + connector + " has no mode; see display:set"));
      IntBinaryOperator pixels = painting.on(mode.width(), mode.height());
      long bytes = 4L * mode.width() * mode.height();
      Buffer buffer = context(device, shelf).allocate(bytes, Buffer.RETAINED);
      boolean shown = false;
      try {
        draw(pixels, mode, buffer);
        long point = flip(display, connector, buffer, mode);
        Buffer before = shelf.pictures.put(connector, buffer);
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
  }

  private static void draw(IntBinaryOperator pixels, DisplayMode mode, Buffer buffer) {
    int[] line = new int[mode.width()];
    try (Mapping mapping = buffer.map()) {
      MemorySegment bytes = mapping.segment();
      for (int y = 0; y < mode.height(); y++) {
        for (int x = 0; x < line.length; x++) {
          line[x] = pixels.applyAsInt(x, y);
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
    long point = flip(display, connector, framebuffer);
    int code = display.await(connector, point, PATIENCE_NS);
    // after a recovery the core shows it again; a restart of the owner of displays leaves it there
    if (code < 0 && code != -Errno.EINTR && code != -Errno.ECLOSED) {
      throw new AccelException(
          -code, display.device() + ": flip " + point + " is not shown: " + Errno.name(code));
    }
    return point;
  }

  /** Another flip may wait for its frame, such as the one that a recovery makes. */
  private static long flip(Display display, int connector, Framebuffer framebuffer) {
    long end = System.nanoTime() + PATIENCE_NS;
    while (true) {
      try {
        return display.flip(connector, framebuffer);
      } catch (AccelException e) {
        if (e.code() != Errno.EBUSY
            || System.nanoTime() - end > 0
            || Thread.currentThread().isInterrupted()) {
          throw e;
        }
      }
      LockSupport.parkNanos(LOOK_NS);
    }
  }

  private Accelerator accelerator(String device) {
    return accelerators.find(DeviceQuery.id(device));
  }

  /** One that takes work; one that is over is opened anew, and its pictures are gone. */
  private Context context(String device, Shelf shelf) {
    if (shelf.context != null && shelf.context.awaitUsable(PATIENCE_NS) == 0) {
      return shelf.context;
    }
    shelf.pictures.clear();
    if (shelf.context != null) {
      shelf.context.close();
    }
    shelf.context = accelerator(device).open(capability(), ContextSpec.named(TENANT));
    return shelf.context;
  }

  private synchronized Capability capability() {
    if (over) {
      throw new AccelException(Errno.ECLOSED, "the display commands are being stopped");
    }
    if (capability == null || !capability.valid()) {
      capability = capabilities.issue(new CapabilitySpec(TENANT, NEEDED, Optional.empty(), 0));
    }
    return capability;
  }
}
