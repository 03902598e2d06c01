package io.isle.core.display;

import io.isle.api.base.Errno;
import io.isle.api.device.DisplayConnector;
import io.isle.api.device.DisplayMode;
import io.isle.api.device.DpmsState;
import io.isle.api.device.PixelFormat;
import io.isle.api.device.ScanoutStatus;
import io.isle.api.driver.Display;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.Scanout;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongConsumer;

/** One screen, connector 1, of 4 x 3 pixels; a test says when frames begin. Control lane. */
final class FakeScreen implements Display, Scanout {
  static final DisplayMode MODE = new DisplayMode(4, 3, 60_000, 1, 1, 1, 1, 1, 1, 1, true);
  static final DisplayMode OTHER = new DisplayMode(2, 2, 60_000, 1, 1, 1, 1, 1, 1, 1, false);

  /** What was done to it, in order. */
  final List<String> asked = new ArrayList<>();

  final Map<Long, Long> framebuffers = new HashMap<>();
  volatile boolean refusesModes;

  /** Whether it has gone, and nobody has heard of it yet. */
  volatile boolean gone;

  /** Framebuffers of which nobody knows, under the next ids. */
  int left;

  /** Is called with the memory of each framebuffer before it is made. */
  LongConsumer beforeFramebuffer = memory -> {};

  /** Is done before a power state is set. */
  Runnable beforeDpms = () -> {};

  /** Lines that a read gives at a time. */
  volatile int linesAtOnce = 2;

  /** Each read finds the next flip on the screen. */
  volatile boolean restless;

  /** While it is not null, a status is not given before it opens. */
  volatile CountDownLatch held;

  /** Who asked for the status last. */
  volatile Thread asking;

  private long flips = 100;
  private long shown;
  private DisplayMode mode;
  private DpmsState dpms = DpmsState.ON;
  private boolean vrr;
  private boolean cursor;
  private boolean connected = true;
  private int hotplugs;

  /** The frame of what waits begins. */
  synchronized void frame() {
    shown = flips;
  }

  /** The cable is pulled out, or plugged in. */
  synchronized FakeScreen plug() {
    connected = !connected;
    hotplugs++;
    shown = flips;
    mode = null;
    dpms = DpmsState.ON;
    vrr = false;
    cursor = false;
    return this;
  }

  /** Nothing is plugged in, and nothing was since it was opened. */
  static FakeScreen unplugged() {
    FakeScreen screen = new FakeScreen();
    screen.connected = false;
    return screen;
  }

  @Override
  public List<DisplayConnector> connectors() {
    return List.of(
        new DisplayConnector(1, DisplayConnector.Type.HDMI, 4, 3, connected, mode != null));
  }

  @Override
  public List<DisplayMode> modes(int connector) {
    check(connector);
    return List.of(MODE, OTHER);
  }

  @Override
  public void setMode(int connector, DisplayMode wanted) {
    check(connector);
    if (refusesModes || !connected) {
      throw new DriverException(Errno.ENXIO, "no screen is plugged into the connector");
    }
    asked.add("mode " + wanted.text());
    mode = wanted;
  }

  @Override
  public void createFramebuffer(
      long framebuffer, long memory, int width, int height, PixelFormat format) {
    if (framebuffers.containsKey(framebuffer) || left-- > 0) {
      throw new DriverException(Errno.EEXIST, "there is such a framebuffer");
    }
    if (gone) {
      throw new DriverException(Errno.ENODEV, "the device is gone");
    }
    beforeFramebuffer.accept(memory);
    asked.add("framebuffer");
    framebuffers.put(framebuffer, memory);
  }

  @Override
  public synchronized long flip(int connector, long framebuffer) {
    check(connector);
    if (shown < flips && flips > 100) {
      throw new DriverException(Errno.EBUSY, "a flip waits");
    }
    if (!framebuffers.containsKey(framebuffer)) {
      throw new DriverException(Errno.ESTALE, "no such framebuffer");
    }
    asked.add("flip");
    return ++flips;
  }

  @Override
  public void setDpms(int connector, DpmsState state) {
    beforeDpms.run();
    asked.add("dpms " + state.text());
    dpms = state;
  }

  @Override
  public boolean connected(int connector) {
    return connected;
  }

  @Override
  public byte[] edid(int connector) {
    return new byte[128];
  }

  @Override
  public void setCursor(int connector, int width, int height, int x, int y, int[] argb) {
    asked.add("cursor " + width + "x" + height + " at " + x + "," + y + " " + argb[0]);
    cursor = true;
  }

  @Override
  public void setVariableRefresh(int connector, boolean enabled) {
    asked.add("vrr " + enabled);
    vrr = enabled;
  }

  @Override
  public ScanoutStatus status(int connector) {
    check(connector);
    asking = Thread.currentThread();
    CountDownLatch latch = held;
    if (latch != null) {
      awaitOpen(latch);
    }
    return status();
  }

  /** As a driver that is not interrupted either. */
  private static void awaitOpen(CountDownLatch latch) {
    boolean interrupted = false;
    while (latch.getCount() > 0) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized ScanoutStatus status() {
    return new ScanoutStatus(
        shown,
        1,
        2,
        3,
        0,
        Optional.ofNullable(mode),
        dpms,
        0,
        0,
        hotplugs,
        connected,
        vrr,
        cursor,
        shown < flips);
  }

  @Override
  public synchronized Lines read(int connector, int firstLine, int lineCount) {
    int count = Math.min(Math.min(lineCount, linesAtOnce), 3 - firstLine);
    int[] pixels = new int[4 * count];
    for (int i = 0; i < pixels.length; i++) {
      pixels[i] = 0xff000000 | (firstLine * 4 + i);
    }
    if (restless) {
      shown++;
    }
    byte[] bytes = new byte[4 * pixels.length];
    java.nio.ByteBuffer.wrap(bytes)
        .order(java.nio.ByteOrder.LITTLE_ENDIAN)
        .asIntBuffer()
        .put(pixels);
    return new Lines(shown, 4, 3, firstLine, count, MemorySegment.ofArray(bytes));
  }

  private static void check(int connector) {
    if (connector != 1) {
      throw new DriverException(Errno.ENOENT, "no connector " + connector);
    }
  }
}
