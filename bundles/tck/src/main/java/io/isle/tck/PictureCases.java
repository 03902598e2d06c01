package io.isle.tck;

import io.isle.api.base.Errno;
import io.isle.api.device.DisplayMode;
import io.isle.api.device.DpmsState;
import io.isle.api.device.PixelFormat;
import io.isle.api.driver.Display;
import io.isle.api.driver.DriverException;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** Framebuffers, flips, cursors, and what the screen then shows. */
final class PictureCases {
  private PictureCases() {}

  static List<Case> all() {
    return List.of(
        Case.of("display/framebuffer-size", PictureCases::framebufferSize),
        Case.of("display/framebuffer-rgb565", PictureCases::rgb565),
        Case.of("display/flip", PictureCases::flip),
        Case.of("display/flip-pending", PictureCases::pending),
        Case.of("display/flip-refused", PictureCases::refused),
        Case.of("display/freed-memory", PictureCases::freed),
        Case.of("display/cursor", PictureCases::cursor),
        Case.of("display/cursor-refused", PictureCases::cursorRefused));
  }

  private static void framebufferSize(Rig rig) {
    Display display = Screen.display(rig);
    Rig.Memory memory = rig.memory(rig.context(), 8192);
    int fits = (int) (memory.size() / 4);
    display.createFramebuffer(Screen.frameId(1), memory.id(), fits, 1, PixelFormat.XRGB8888);
    Check.refused(
        "a framebuffer larger than its memory",
        () ->
            display.createFramebuffer(
                Screen.frameId(2), memory.id(), fits + 1, 1, PixelFormat.XRGB8888),
        Errno.EINVAL);
    Check.refused(
        "a framebuffer of unknown memory",
        () ->
            display.createFramebuffer(
                Screen.frameId(3), rig.newMemoryId(), 1, 1, PixelFormat.XRGB8888),
        Errno.ENOENT,
        Errno.ESTALE);
  }

  private static void rgb565(Rig rig) {
    Screen screen = Screen.of(rig);
    DisplayMode mode = screen.smallest();
    int pixels = mode.width() * mode.height();
    Rig.Memory memory = rig.memory(rig.context(), 2L * pixels);
    memory.cpu().set(ValueLayout.JAVA_SHORT_UNALIGNED, 0, (short) 0xf81f);
    try {
      screen
          .display()
          .createFramebuffer(
              Screen.frameId(1), memory.id(), mode.width(), mode.height(), PixelFormat.RGB565);
    } catch (DriverException e) {
      Check.equal(Errno.ENOTSUP, e.code(), "the code of a framebuffer of 16 bits");
      throw new Check.Skipped("no framebuffers of 16 bits");
    }
    screen.setSmallest();
    long ignored = screen.show(new Screen.Frame(Screen.frameId(1), memory, 0));
    Check.equal(0xff00ff, screen.pixel(), "the pixel that is shown of 16 bits");
  }

  private static void flip(Rig rig) {
    Screen screen = Screen.of(rig);
    screen.setSmallest();
    Screen.Frame red = screen.frame(1, 0xff0000);
    Screen.Frame blue = screen.frame(2, 0x0000ff);
    long last = screen.show(red);
    Check.equal(0xff0000, screen.pixel(), "the pixel that is shown");
    for (Screen.Frame next : List.of(blue, red, blue)) {
      long point = screen.show(next);
      Check.that(point > last, "point " + point + " follows point " + last);
      last = point;
      Check.equal(next.rgb(), screen.pixel(), "the pixel that is shown");
    }
  }

  private static void pending(Rig rig) {
    Screen screen = Screen.of(rig);
    screen.setSmallest();
    Screen.Frame frame = screen.frame(1, 0x00ff00);
    // between the two flips a frame may have begun; not each time
    for (int attempt = 0; attempt < 50; attempt++) {
      rig.until(() -> !screen.status().pending(), "a flip is not shown");
      long ignored = screen.flip(frame);
      try {
        ignored = screen.flip(frame);
      } catch (DriverException e) {
        Check.equal(Errno.EBUSY, e.code(), "the code of a second flip while a flip waits");
        return;
      }
    }
    throw new Check.Broken("a second flip while a flip waits is not refused");
  }

  private static void refused(Rig rig) {
    Screen screen = Screen.of(rig);
    DisplayMode smallest = screen.smallest();
    Screen.Frame frame = screen.frame(1, 0xffffff);
    Check.refused("a flip without a mode", () -> screen.flip(frame), Errno.EINVAL);
    screen.display().setMode(screen.id(), smallest);
    Check.refused(
        "an unknown framebuffer",
        () -> screen.display().flip(screen.id(), Screen.frameId(77)),
        Errno.ESTALE,
        Errno.ENOENT);
    screen
        .display()
        .createFramebuffer(
            Screen.frameId(2),
            frame.memory().id(),
            smallest.width(),
            smallest.height() - 1,
            PixelFormat.XRGB8888);
    Check.refused(
        "a flip of another size",
        () -> screen.display().flip(screen.id(), Screen.frameId(2)),
        Errno.EINVAL);
    screen.display().setDpms(screen.id(), DpmsState.OFF);
    Check.refused("a flip while the screen is off", () -> screen.flip(frame), Errno.EPERM);
  }

  private static void freed(Rig rig) {
    Screen screen = Screen.of(rig);
    screen.setSmallest();
    Screen.Frame frame = screen.frame(1, 0x00ff00);
    long ignored = screen.show(frame);
    rig.device().free(frame.memory().id());
    Check.equal(0, screen.pixel(), "the pixel that is shown when its memory is gone");
  }

  private static void cursor(Rig rig) {
    Screen screen = Screen.of(rig);
    screen.setSmallest();
    long ignored = screen.show(screen.frame(1, 0x101010));
    try {
      screen.display().setCursor(screen.id(), 1, 1, 0, 0, new int[] {0xff00ff00});
    } catch (DriverException e) {
      Check.equal(Errno.ENOTSUP, e.code(), "the code of setCursor");
      throw new Check.Skipped("no cursor");
    }
    Check.equal(0x00ff00, screen.pixel(), "the pixel under the cursor");
    screen.display().hideCursor(screen.id());
    Check.equal(0x101010, screen.pixel(), "the pixel where the cursor was");
  }

  private static void cursorRefused(Rig rig) {
    Screen screen = Screen.of(rig);
    int[] one = {0xffffffff};
    try {
      screen.display().setCursor(screen.id(), 1, 1, 0, 0, one);
    } catch (DriverException e) {
      Check.needs(e.code() != Errno.ENOTSUP, "no cursor");
      Check.equal(Errno.EINVAL, e.code(), "the code of a cursor without a mode");
      screen.setSmallest();
      DisplayMode mode = screen.smallest();
      Check.refused(
          "a cursor right of the screen",
          () -> screen.display().setCursor(screen.id(), 1, 1, mode.width(), 0, one),
          Errno.EINVAL);
      Check.refused(
          "a cursor below the screen",
          () -> screen.display().setCursor(screen.id(), 1, 1, 0, mode.height(), one),
          Errno.EINVAL);
      return;
    }
    throw new Check.Broken("a cursor without a mode is not refused");
  }
}
