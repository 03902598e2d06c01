package io.isle.core.accel;

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

/** One screen, connector 1, of 4 x 3 pixels; a test says when frames begin. Control lane. */
final class FakeScreen implements Display, Scanout {
  static final DisplayMode MODE = new DisplayMode(4, 3, 60_000, 1, 1, 1, 1, 1, 1, 1, true);
  static final DisplayMode OTHER = new DisplayMode(2, 2, 60_000, 1, 1, 1, 1, 1, 1, 1, false);

  /** What was done to it, in order. */
  final List<String> asked = new ArrayList<>();

  final Map<Long, Long> framebuffers = new HashMap<>();
  volatile boolean refusesModes;

  /** Lines that a read gives at a time. */
  volatile int linesAtOnce = 2;

  /** Each read finds the next flip on the screen. */
  volatile boolean restless;

  private long flips = 100;
  private long shown;
  private DisplayMode mode;

  /** The frame of what waits begins. */
  synchronized void frame() {
    shown = flips;
  }

  @Override
  public List<DisplayConnector> connectors() {
    return List.of(new DisplayConnector(1, DisplayConnector.Type.HDMI, 4, 3, true, mode != null));
  }

  @Override
  public List<DisplayMode> modes(int connector) {
    check(connector);
    return List.of(MODE, OTHER);
  }

  @Override
  public void setMode(int connector, DisplayMode wanted) {
    check(connector);
    if (refusesModes) {
      throw new DriverException(Errno.ENXIO, "nothing is plugged in");
    }
    asked.add("mode " + wanted.text());
    mode = wanted;
  }

  @Override
  public void createFramebuffer(
      long framebuffer, long memory, int width, int height, PixelFormat format) {
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
    asked.add("dpms " + state.text());
  }

  @Override
  public boolean connected(int connector) {
    return true;
  }

  @Override
  public byte[] edid(int connector) {
    return new byte[128];
  }

  @Override
  public void setCursor(int connector, int width, int height, int x, int y, int[] argb) {
    asked.add("cursor " + width + "x" + height + " at " + x + "," + y + " " + argb[0]);
  }

  @Override
  public void setVariableRefresh(int connector, boolean enabled) {
    asked.add("vrr " + enabled);
  }

  @Override
  public synchronized ScanoutStatus status(int connector) {
    check(connector);
    return new ScanoutStatus(
        shown,
        1,
        2,
        3,
        0,
        Optional.ofNullable(mode),
        DpmsState.ON,
        0,
        0,
        0,
        true,
        false,
        false,
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
