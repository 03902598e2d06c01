package io.isle.core.accel.display;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Picture;
import io.isle.api.base.Errno;
import io.isle.api.base.Ids;
import io.isle.api.device.PixelFormat;
import io.isle.api.driver.Scanout;
import io.isle.core.accel.ids.IdPool;
import io.isle.core.accel.memory.DeviceMemory;
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

  @Test
  void idsOfFramebuffersAreFreeAgainOnceTheirMemoryIsGone() {
    IdPool ids = new IdPool(Ids.FRAMEBUFFER, 4, "framebuffers");
    PlaceFrames frames = new PlaceFrames(ids);
    DeviceMemory memory = new DeviceMemory(1, null, 48, 0);
    assertTrue(memory.retain());
    ShownMemory kept = frames.create("t", memory, 4, 3, PixelFormat.XRGB8888);
    frames.add(kept);
    frames.cancel(frames.create("t", memory, 1, 1, PixelFormat.XRGB8888));
    frames.add(frames.create("t", memory, 1, 1, PixelFormat.XRGB8888));
    code(Errno.ENOSPC, () -> frames.create("t", memory, 1, 1, PixelFormat.XRGB8888));
    assertTrue(frames.has(kept));
    frames.drop(kept);
    frames.drop(kept);
    assertFalse(frames.has(kept));
    frames.add(frames.create("t", memory, 1, 1, PixelFormat.XRGB8888));
    code(Errno.ENOSPC, () -> frames.create("t", memory, 1, 1, PixelFormat.XRGB8888));
    assertTrue(memory.release());
    assertEquals(List.of(), frames.list());
    assertEquals(2, Stream.of(ids.take("t"), ids.take("t")).distinct().count());
  }

  @Test
  void aDriverDoesNotFillTheCoreWithConnectors() {
    PlaceScreens screens = new PlaceScreens();
    for (int connector = 0; connector < 64; connector++) {
      assertEquals(0, screens.saw(connector, 1));
    }
    code(Errno.EPROTO, () -> screens.saw(64, 1));
    assertEquals(0, screens.saw(63, 1));
  }
}
