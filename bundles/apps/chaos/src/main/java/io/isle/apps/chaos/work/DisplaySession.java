package io.isle.apps.chaos.work;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Accelerator;
import io.isle.api.accel.Buffer;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.Mapping;
import io.isle.api.base.Errno;
import io.isle.api.device.DisplayMode;
import io.isle.api.device.PixelFormat;
import io.isle.api.device.ScanoutStatus;
import io.isle.api.display.Display;
import io.isle.api.display.Framebuffer;
import io.isle.api.display.Picture;
import io.isle.api.tenancy.Capability;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Pictures of one colour each on one screen, from the opening of their context to its end: each
 * flip is heard of once, with points in order, what is retained is shown again after a crash, and
 * all goes on when the owner of displays restarts. Used by the thread of its tenant.
 */
final class DisplaySession implements AutoCloseable {
  private static final int CONNECTOR = 1;
  private static final List<Integer> COLOURS = List.of(0x336699, 0xcc9900);
  private static final ValueLayout.OfInt PIXEL =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final long REST_NS = TimeUnit.MILLISECONDS.toNanos(20);

  /** A flip that waits for so long will not be shown any more. */
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);

  private final String device;
  private final Recorder recorder;
  private final Supplier<Display> displays;
  private final Context context;
  private final List<Framebuffer> frames = new ArrayList<>();

  /** Null once its owner has stopped. */
  private Display display;

  private long last;
  private int next;

  /**
   * @param displays gives the device's display, of the owner that is there now
   */
  DisplaySession(
      String device,
      Supplier<Display> displays,
      Accelerator accelerator,
      Capability capability,
      Recorder recorder) {
    this.device = device;
    this.recorder = recorder;
    this.displays = displays;
    display = displays.get();
    context = accelerator.open(capability, ContextSpec.named(device + "/screen"));
    try {
      DisplayMode mode =
          display.modes(CONNECTOR).stream()
              .min(Comparator.comparingInt(one -> one.width() * one.height()))
              .orElseThrow(
                  () -> new AccelException(Errno.ENXIO, "no screen is plugged into the connector"));
      display.setMode(CONNECTOR, mode);
      for (int colour : COLOURS) {
        frames.add(frame(mode, colour));
      }
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  private Framebuffer frame(DisplayMode mode, int colour) {
    int pixels = mode.width() * mode.height();
    Buffer buffer = context.allocate(4L * pixels, Buffer.RETAINED);
    try (Mapping mapping = buffer.map()) {
      for (int i = 0; i < pixels; i++) {
        mapping.segment().setAtIndex(PIXEL, i, colour);
      }
      mapping.flush(0, 4L * pixels);
    } catch (IllegalStateException e) {
      Slot.forgetInterrupt();
      throw new AccelException(Errno.EINTR, "the device was closed, and its memory is gone", e);
    }
    return display.framebuffer(buffer, mode.width(), mode.height(), PixelFormat.XRGB8888);
  }

  /** Shows the other picture and looks at it; with another owner's display if one follows. */
  void round() {
    if (display == null) {
      display = displays.get();
    }
    try {
      show();
    } catch (AccelException e) {
      if (e.code() != Errno.ECLOSED) {
        throw e;
      }
      // the owner of displays has stopped, unless it is the context that ended
      checkContext();
      display = null;
    }
  }

  private void show() {
    long point;
    try {
      point = display.flip(CONNECTOR, frames.get(next));
    } catch (AccelException e) {
      if (e.code() == Errno.EBUSY) {
        // a recovery shows again what was shown
        return;
      }
      if (e.code() == Errno.ESTALE) {
        checkContext();
      }
      throw e;
    }
    if (last != 0 && point != last + 1) {
      recorder.problem("wrong: " + device + ": flip " + point + " follows flip " + last);
    }
    last = point;
    int code = display.await(CONNECTOR, point, PATIENCE_NS);
    if (code == -Errno.ETIME) {
      recorder.problem("stuck: " + device + ": flip " + point + " was never shown");
    } else if (code == 0) {
      look(point);
    } else if (code == -Errno.EINTR) {
      lookAgain(point);
    } else if (code != -Errno.ECANCELED) {
      throw new AccelException(-code, "flip " + point);
    }
    next = 1 - next;
  }

  /** After a recovery: the picture comes back by itself. */
  private void lookAgain(long point) {
    long end = System.nanoTime() + PATIENCE_NS;
    while (System.nanoTime() - end < 0) {
      if (Thread.currentThread().isInterrupted()) {
        return;
      }
      try {
        if (!display.status(CONNECTOR).pending()) {
          look(point);
          return;
        }
      } catch (AccelException e) {
        if (e.code() != Errno.EINTR) {
          throw e;
        }
      }
      rest();
    }
    recorder.problem(
        "stuck: " + device + ": flip " + point + " was not shown again after a recovery");
  }

  /** Nobody else flips, so this is on the screen unless a fault has come in between. */
  private void look(long point) {
    ScanoutStatus before = display.status(CONNECTOR);
    Picture picture = display.capture(CONNECTOR);
    ScanoutStatus after = display.status(CONNECTOR);
    if (before.pending() || after.pending() || before.flipNs() != after.flipNs()) {
      return;
    }
    int seen = picture.rgb(picture.width() - 1, picture.height() - 1);
    if (picture.point() == point && seen == COLOURS.get(next)) {
      return;
    }
    checkContext();
    recorder.problem(
        String.format(
            "wrong: %s: the screen shows %06x of flip %d, not %06x of flip %d",
            device, seen, picture.point(), COLOURS.get(next), point));
  }

  /** Pictures go with their context, which goes with the core's bundle; one that recovers stays. */
  private void checkContext() {
    int usable = context.awaitUsable(0);
    if (usable < 0 && usable != -Errno.ETIME) {
      throw new AccelException(-usable, "the context was lost in the meantime");
    }
  }

  void rest() {
    LockSupport.parkNanos(REST_NS);
  }

  /** Closing works whatever the device does. */
  @Override
  public void close() {
    try {
      context.close();
    } catch (RuntimeException e) {
      recorder.problem("leak: " + device + "/screen cannot be closed: " + e);
    }
  }
}
