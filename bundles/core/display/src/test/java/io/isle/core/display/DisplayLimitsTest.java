package io.isle.core.display;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;
import io.isle.api.base.Ids;
import io.isle.api.device.PixelFormat;
import io.isle.api.display.Picture;
import io.isle.api.driver.Scanout;
import io.isle.core.display.state.Frame;
import io.isle.lib.ids.IdPool;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a display can make the core keep or make room for. */
class DisplayLimitsTest {
  private static void code(int code, Runnable call) {
    AccelException thrown = assertThrows(AccelException.class, call::run);
    assertEquals(Errno.name(code), Errno.name(thrown.code()), thrown.getMessage());
  }

  @Test
  void aPictureThatADriverClaimsToBeHugeIsNotMadeRoomFor() {
    Scanout.Lines lines = new Scanout.Lines(1, 16384, 16384, 0, 1, MemorySegment.NULL);
    code(Errno.EMSGSIZE, () -> ScreenCapture.read("sim0", (first, count) -> lines, () -> 0));
  }

  @Test
  void aPictureThatADriverGivesSlowlyIsNotWaitedFor() {
    AtomicInteger second = new AtomicInteger();
    MemorySegment pixels = MemorySegment.ofArray(new int[1]);
    code(
        Errno.ETIMEDOUT,
        () ->
            ScreenCapture.read(
                "sim0",
                (first, count) -> {
                  int ignored = second.incrementAndGet();
                  return new Scanout.Lines(1, 1, 16384, first, 1, pixels);
                },
                () -> second.get() * 1_000_000_000L));
    assertEquals(11, second.get());
  }

  @Test
  void aScreenThatGetsSmallerWhileItIsReadIsReadAnew() {
    MemorySegment pixels = MemorySegment.ofArray(new int[] {7, 7});
    AtomicInteger reads = new AtomicInteger();
    Picture picture =
        ScreenCapture.read(
            "sim0",
            (first, count) -> {
              if (first > 0) {
                throw new AccelException(Errno.EINVAL, "first_line: the screen has 1");
              }
              int side = reads.incrementAndGet() == 1 ? 2 : 1;
              return new Scanout.Lines(1, side, side, 0, 1, pixels);
            },
            () -> 0);
    assertEquals(1, picture.height());
    assertEquals(7, picture.rgb(0, 0));
  }

  private static Frame frame(DeviceFrames frames, int side) {
    long id = frames.take("t");
    return new Frame(id, "t", "t", 1, 1, side, side, PixelFormat.XRGB8888);
  }

  @Test
  void idsOfFramebuffersAreFreeAgainOnceTheirMemoryIsGone() {
    IdPool ids = new IdPool(Ids.FRAMEBUFFER, 4, "framebuffers", AccelException::new);
    DeviceFrames frames = new DeviceFrames(ids);
    Frame kept = frame(frames, 4);
    frames.add(kept);
    frames.cancel(frames.take("t"));
    frames.add(frame(frames, 1));
    code(Errno.ENOSPC, () -> frame(frames, 1));
    assertTrue(frames.find(kept.id()).isPresent());
    frames.drop(kept);
    frames.drop(kept);
    assertFalse(frames.find(kept.id()).isPresent());
    frames.add(frame(frames, 1));
    code(Errno.ENOSPC, () -> frame(frames, 1));
    frames.prune(frame -> true);
    assertEquals(List.of(), frames.list());
    assertEquals(2, Stream.of(ids.take("t"), ids.take("t")).distinct().count());
  }

  @Test
  void aDriverDoesNotFillTheCoreWithConnectors() {
    DeviceScreens screens = new DeviceScreens();
    for (int connector = 0; connector < 64; connector++) {
      assertEquals(0, screens.saw(connector, 1));
    }
    code(Errno.EPROTO, () -> screens.saw(64, 1));
    assertEquals(0, screens.saw(63, 1));
  }
}
