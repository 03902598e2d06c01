package io.isle.apps.chaos.work;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Buffer;
import io.isle.api.device.DisplayMode;
import io.isle.api.device.DpmsState;
import io.isle.api.device.PixelFormat;
import io.isle.api.device.ScanoutStatus;
import io.isle.api.display.Framebuffer;
import io.isle.api.display.Picture;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * The screen of {@link FakeDevice}: a flip is shown at once. Methods are found by {@code Partial}.
 */
final class FakeDisplay {
  private static final DisplayMode SMALL =
      new DisplayMode(4, 2, 60_000, 1, 1, 1, 1, 1, 1, 1, false);
  private static final DisplayMode LARGE = new DisplayMode(8, 2, 60_000, 1, 1, 1, 1, 1, 1, 1, true);

  /**
   * What becomes of a flip.
   *
   * @param refusal code with which it is refused; 0: it is taken
   * @param skipped points that are left out before it
   * @param awaited what waiting for it returns
   * @param pending how often it is said to wait afterwards
   * @param black whether the screen then shows nothing
   */
  record Fate(int refusal, int skipped, int awaited, int pending, boolean black) {
    static final Fate GOOD = new Fate(0, 0, 0, 0, false);
  }

  /** By the number of the flip, from 1, refused ones included. */
  IntFunction<Fate> plan = number -> Fate.GOOD;

  DisplayMode mode;
  private final FakeDevice device;
  private Fate fate = Fate.GOOD;
  private int flips;
  private int pending;
  private long point;
  private FakeBuffer shown;

  FakeDisplay(FakeDevice device) {
    this.device = device;
  }

  /**
   * A framebuffer.
   *
   * @param id its buffer's place in the context
   */
  private record Frame(long id, int width, int height, PixelFormat format) implements Framebuffer {}

  List<DisplayMode> modes(int connector) {
    return List.of(LARGE, SMALL);
  }

  void setMode(int connector, DisplayMode wanted) {
    mode = wanted;
  }

  Framebuffer framebuffer(Buffer buffer, int width, int height, PixelFormat format) {
    List<FakeBuffer> all = device.contexts.getLast().buffers;
    int index = all.indexOf(device.contexts.getLast().find(buffer));
    return new Frame(index, width, height, format);
  }

  long flip(int connector, Framebuffer frame) {
    fate = plan.apply(++flips);
    if (fate.refusal() != 0) {
      throw new AccelException(fate.refusal(), "refused");
    }
    shown = device.contexts.getLast().buffers.get((int) frame.id());
    pending = fate.pending();
    point += 1 + fate.skipped();
    return point;
  }

  int await(int connector, long awaited, long timeoutNs) {
    return fate.awaited();
  }

  ScanoutStatus status(int connector) {
    return new ScanoutStatus(
        point,
        flips,
        1,
        1,
        2,
        Optional.of(mode),
        DpmsState.ON,
        0,
        0,
        0,
        true,
        false,
        false,
        pending-- > 0);
  }

  Picture capture(int connector) {
    int[] rgb = new int[mode.width() * mode.height()];
    for (int i = 0; i < rgb.length && !fate.black(); i++) {
      rgb[i] =
          (shown.bytes[4 * i] & 0xff)
              | (shown.bytes[4 * i + 1] & 0xff) << 8
              | (shown.bytes[4 * i + 2] & 0xff) << 16;
    }
    return new Picture(point, mode.width(), mode.height(), rgb);
  }
}
