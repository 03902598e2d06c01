package io.isle.core.accel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Buffer;
import io.isle.api.accel.Context;
import io.isle.api.accel.Display;
import io.isle.api.accel.Framebuffer;
import io.isle.api.base.Errno;
import io.isle.api.device.DpmsState;
import io.isle.api.device.PixelFormat;
import io.isle.api.device.ScanoutStatus;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What tenants have of screens, over devices that go and come. */
@Timeout(60)
class DisplayRecoveryTest {
  private final Bench bench = new Bench();
  private FakeScreen screen = new FakeScreen();
  private Display display;

  @BeforeEach
  void plugIn() {
    bench.crash();
    bench.recover(screen);
    display = bench.accelerator().display(bench.all);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private void recover(FakeScreen next) {
    screen = next;
    bench.recover(next);
  }

  private Framebuffer framebuffer(Context context) {
    return display.framebuffer(context.allocate(48, 0), 4, 3, PixelFormat.XRGB8888);
  }

  private static void code(int code, Runnable call) {
    AccelException thrown = assertThrows(AccelException.class, call::run);
    assertEquals(Errno.name(code), Errno.name(thrown.code()), thrown.getMessage());
  }

  @Test
  void screensComeBackAsTheyWere() {
    display.setMode(1, FakeScreen.MODE);
    display.setVariableRefresh(1, true);
    display.setCursor(1, 1, 1, 2, 2, new int[] {7});
    Context context = bench.context();
    Framebuffer frame = framebuffer(context);
    Buffer gone = context.allocate(48, 0);
    Framebuffer lost = display.framebuffer(gone, 4, 3, PixelFormat.XRGB8888);
    gone.close();
    assertEquals(1, display.flip(1, frame));
    bench.crash();
    assertEquals(-Errno.EINTR, display.await(1, 1, 0));
    code(Errno.EINTR, () -> display.setDpms(1, DpmsState.OFF));
    recover(new FakeScreen());
    assertEquals(
        List.of("framebuffer", "mode 4x3@60.000", "vrr true", "cursor 1x1 at 2,2 7", "flip"),
        screen.asked);
    assertEquals(Set.of(frame.id()), screen.framebuffers.keySet());
    assertEquals(-Errno.EINTR, display.await(1, 1, 0));
    screen.frame();
    assertEquals(2, display.flip(1, frame), "points go on");
    screen.frame();
    assertEquals(0, display.await(1, 2, 0));
    code(Errno.ESTALE, () -> display.flip(1, lost));
  }

  @Test
  void aScreenThatRefusesDoesNotKeepTheDeviceFromComingBack() {
    display.setMode(1, FakeScreen.MODE);
    bench.crash();
    FakeScreen narrow = new FakeScreen();
    narrow.refusesModes = true;
    recover(narrow);
    assertEquals(List.of(), screen.asked);
    assertFalse(display.connectors().getFirst().active());
    bench.crash();
    recover(new FakeScreen());
    assertEquals(List.of(), screen.asked, "what was given up stays so");
    bench.crash();
    bench.recover((FakeScreen) null);
    code(Errno.ENOTSUP, () -> display.connectors());
  }

  @Test
  void aScreenThatWasPulledOutIsNotSetAgain() {
    display.setMode(1, FakeScreen.MODE);
    display.setVariableRefresh(1, true);
    display.setCursor(1, 1, 1, 2, 2, new int[] {7});
    assertEquals(1, display.flip(1, framebuffer(bench.context())));
    screen.plug().plug();
    assertEquals(1, display.status(1).point());
    bench.crash();
    recover(new FakeScreen());
    assertEquals(List.of("framebuffer"), screen.asked);
    assertFalse(display.connectors().getFirst().active());
  }

  @Test
  void aPowerStateOutlivesTheDriverWithoutAModeToo() {
    display.setDpms(1, DpmsState.STANDBY);
    bench.crash();
    recover(new FakeScreen());
    assertEquals(List.of("dpms standby"), screen.asked);
    assertEquals(DpmsState.STANDBY, display.status(1).dpms());
  }

  @Test
  void whatDoesNotFitOnANewModeIsNotShownAgain() {
    display.setMode(1, FakeScreen.MODE);
    display.setCursor(1, 1, 1, 3, 2, new int[] {7});
    assertEquals(1, display.flip(1, framebuffer(bench.context())));
    screen.frame();
    display.setMode(1, FakeScreen.OTHER);
    bench.crash();
    recover(new FakeScreen());
    assertEquals(List.of("framebuffer", "mode 2x2@60.000"), screen.asked);
  }

  @Test
  void flipsThatWereInterruptedStaySoWhenOthersFollow() {
    display.setMode(1, FakeScreen.MODE);
    Framebuffer frame = framebuffer(bench.context());
    for (long point = 1; point <= 70; point++) {
      screen.frame();
      assertEquals(point, display.flip(1, frame));
      bench.crash();
      recover(new FakeScreen());
    }
    screen.frame();
    assertEquals(71, display.flip(1, frame));
    screen.frame();
    assertEquals(0, display.await(1, 71, -1));
    assertEquals(-Errno.EINTR, display.await(1, 70, 0));
    assertEquals(-Errno.EINTR, display.await(1, 7, 0));
    assertEquals(0, display.await(1, 6, 0), "64 are remembered");
  }

  @Test
  void whatALostDeviceSaysLateCountsForNothing() throws Exception {
    display.setMode(1, FakeScreen.MODE);
    Framebuffer frame = framebuffer(bench.context());
    assertEquals(1, display.flip(1, frame));
    FakeScreen lost = screen;
    lost.held = new CountDownLatch(1);
    CompletableFuture<ScanoutStatus> late = CompletableFuture.supplyAsync(() -> display.status(1));
    assertTrue(Until.holds(() -> lost.asking != null));
    bench.crash();
    assertThrows(ExecutionException.class, () -> late.get(20, TimeUnit.SECONDS));
    recover(new FakeScreen());
    screen.frame();
    assertEquals(2, display.flip(1, frame));
    lost.plug().plug();
    lost.frame();
    lost.held.countDown();
    lost.asking.join();
    assertEquals(-Errno.ETIME, display.await(1, 2, 0));
    assertEquals(0, display.status(1).hotplugs());
  }

  @Test
  void hotplugsGoOnAndOneBetweenTwoDevicesCounts() throws Exception {
    FakeScreen ignored = screen.plug().plug();
    assertEquals(2, display.status(1).hotplugs());
    bench.crash();
    recover(new FakeScreen());
    assertEquals(2, display.status(1).hotplugs());
    CompletableFuture<Integer> waiting =
        CompletableFuture.supplyAsync(() -> display.awaitHotplug(1, 2, -1));
    bench.crash();
    assertEquals(-Errno.ETIME, display.awaitHotplug(1, 2, 0), "while it recovers, too");
    recover(FakeScreen.unplugged());
    assertEquals(0, waiting.get(20, TimeUnit.SECONDS));
    assertEquals(3, display.status(1).hotplugs());
    assertFalse(display.status(1).connected());
  }

  @Test
  void aFlipWaitsForTheOneThatARecoveryMakes() {
    display.setMode(1, FakeScreen.MODE);
    Framebuffer frame = framebuffer(bench.context());
    assertEquals(1, display.flip(1, frame));
    bench.crash();
    recover(new FakeScreen());
    assertTrue(display.status(1).pending());
    code(Errno.EBUSY, () -> display.flip(1, frame));
    screen.frame();
    assertFalse(display.status(1).pending());
    assertEquals(2, display.flip(1, frame));
  }

  @Test
  void aDeviceThatDoesNotComeBackTakesItsPicturesAlong() {
    display.setMode(1, FakeScreen.MODE);
    Framebuffer frame = framebuffer(bench.context());
    assertEquals(1, display.flip(1, frame));
    bench.lose();
    assertEquals(-Errno.EINTR, display.await(1, 1, 0));
    code(Errno.ENODEV, () -> display.status(1));
    recover(new FakeScreen());
    assertEquals(List.of("mode 4x3@60.000"), screen.asked);
    code(Errno.ESTALE, () -> display.flip(1, frame));
  }
}
