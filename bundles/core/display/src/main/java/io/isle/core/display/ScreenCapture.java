package io.isle.core.display;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;
import io.isle.api.display.Picture;
import io.isle.api.driver.Scanout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Puts a picture together from the lines that a device gives at a time. */
final class ScreenCapture {
  private static final ValueLayout.OfInt PIXEL =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final int ATTEMPTS = 8;

  /** Enough for 7680 x 4320; the driver says how large a picture is. */
  private static final int MAX_PIXELS = 1 << 25;

  /** A driver may give a line at a time, and each in the time of a control call. */
  private static final long BOUND_NS = 10_000_000_000L;

  private ScreenCapture() {}

  /** Reads at most {@code count} lines from {@code first} on, at least one. */
  interface Reader {
    Scanout.Lines read(int first, int count);
  }

  /**
   * All lines between two flips.
   *
   * @param clock in nanoseconds
   * @throws AccelException EAGAIN when flips come faster than lines are read; EMSGSIZE beyond
   *     {@link #MAX_PIXELS}; ETIMEDOUT after 10 s
   */
  static Picture read(String deviceId, Reader asked, LongSupplier clock) {
    long begun = clock.getAsLong();
    Reader reader =
        (first, count) -> {
          if (clock.getAsLong() - begun > BOUND_NS) {
            throw new AccelException(
                Errno.ETIMEDOUT, deviceId + ": capture: the picture could not be read within 10 s");
          }
          return asked.read(first, count);
        };
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      Scanout.Lines lines = reader.read(0, Integer.MAX_VALUE);
      long point = lines.point();
      int width = lines.width();
      int height = lines.height();
      if ((long) width * height > MAX_PIXELS) {
        throw new AccelException(
            Errno.EMSGSIZE,
            deviceId + ": capture: " + width + " x " + height + " is more than " + MAX_PIXELS);
      }
      int[] rgb = new int[width * height];
      int next = take(lines, rgb);
      boolean same = true;
      while (same && next < height) {
        Optional<Scanout.Lines> more = further(reader, next, height - next);
        same = more.filter(l -> isOf(l, point, width, height)).isPresent();
        next = same ? take(more.get(), rgb) : next;
      }
      if (same) {
        return new Picture(point, width, height, rgb);
      }
    }
    throw new AccelException(
        Errno.EAGAIN, deviceId + ": capture: the screen changes while it is read; try again");
  }

  /** Empty when there is no such line any more: the screen has another mode, or none. */
  private static Optional<Scanout.Lines> further(Reader reader, int first, int count) {
    try {
      return Optional.of(reader.read(first, count));
    } catch (AccelException e) {
      if (e.code() != Errno.EINVAL) {
        throw e;
      }
      return Optional.empty();
    }
  }

  private static boolean isOf(Scanout.Lines lines, long point, int width, int height) {
    return lines.point() == point && lines.width() == width && lines.height() == height;
  }

  /** The line that follows. */
  private static int take(Scanout.Lines lines, int[] rgb) {
    int count = lines.count() * lines.width();
    MemorySegment.copy(
        lines.pixels(),
        PIXEL,
        0,
        MemorySegment.ofArray(rgb),
        ValueLayout.JAVA_INT,
        4L * lines.first() * lines.width(),
        count);
    for (int i = lines.first() * lines.width(); count > 0; i++, count--) {
      rgb[i] &= 0xffffff;
    }
    return lines.first() + lines.count();
  }
}
