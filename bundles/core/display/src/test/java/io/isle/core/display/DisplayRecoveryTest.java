package io.isle.core.display;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;
import io.isle.api.device.DeviceNode;
import io.isle.api.device.DisplayMode;
import io.isle.api.device.DpmsState;
import io.isle.api.device.PixelFormat;
import io.isle.api.device.ScanoutStatus;
import io.isle.api.display.Display;
import io.isle.api.display.Framebuffer;
import io.isle.api.driver.DriverException;
import io.isle.core.testing.Until;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What tenants have of screens, over devices that go and come. */
@Timeout(60)
class DisplayRecoveryTest {
  private final Fixture fixture = new Fixture();
  private FakeScreen screen = fixture.screen();
  private final Display display = fixture.display();

  private void recover(FakeScreen next) {
    screen = next;
    fixture.recover(next);
  }

  private Framebuffer framebuffer() {
    return fixture.framebuffer(display);
  }

  private static void code(int code, Runnable call) {
    Fixture.code(code, call);
  }

  @Test
  void screensComeBackAsTheyWere() {
    display.setMode(1, FakeScreen.MODE);
    display.setVariableRefresh(1, true);
    display.setCursor(1, 1, 1, 2, 2, new int[] {7});
    Framebuffer frame = framebuffer();
    FakeMemory.Piece gone = fixture.memory.allocate("test", 48);
    Framebuffer lost = display.framebuffer(gone, 4, 3, PixelFormat.XRGB8888);
    gone.close();
    assertEquals(1, display.flip(1, frame));
    fixture.crash();
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
    fixture.crash();
    FakeScreen narrow = new FakeScreen();
    narrow.refusesModes = true;
    recover(narrow);
    assertEquals(List.of(), screen.asked);
    assertFalse(display.connectors().getFirst().active());
    fixture.crash();
    recover(new FakeScreen());
    assertEquals(List.of(), screen.asked, "what was given up stays so");
    fixture.crash();
    fixture.recover(null);
    code(Errno.ENOTSUP, () -> display.connectors());
  }

  @Test
  void aScreenThatWasPulledOutIsNotSetAgain() {
    display.setMode(1, FakeScreen.MODE);
    display.setVariableRefresh(1, true);
    display.setCursor(1, 1, 1, 2, 2, new int[] {7});
    assertEquals(1, display.flip(1, framebuffer()));
    screen.plug().plug();
    assertEquals(1, display.status(1).point());
    fixture.crash();
    recover(new FakeScreen());
    assertEquals(List.of("framebuffer"), screen.asked);
    assertFalse(display.connectors().getFirst().active());
  }

  @Test
  void aPowerStateOutlivesTheDriverWithoutAModeToo() {
    display.setDpms(1, DpmsState.STANDBY);
    fixture.crash();
    recover(new FakeScreen());
    assertEquals(List.of("dpms standby"), screen.asked);
    assertEquals(DpmsState.STANDBY, display.status(1).dpms());
  }

  @Test
  void whatDoesNotFitOnANewModeIsNotShownAgain() {
    display.setMode(1, FakeScreen.MODE);
    display.setCursor(1, 1, 1, 3, 2, new int[] {7});
    assertEquals(1, display.flip(1, framebuffer()));
    screen.frame();
    display.setMode(1, FakeScreen.OTHER);
    fixture.crash();
    recover(new FakeScreen());
    assertEquals(List.of("framebuffer", "mode 2x2@60.000"), screen.asked);
  }

  @Test
  void flipsThatWereInterruptedStaySoWhenOthersFollow() {
    display.setMode(1, FakeScreen.MODE);
    Framebuffer frame = framebuffer();
    for (long point = 1; point <= 70; point++) {
      screen.frame();
      assertEquals(point, display.flip(1, frame));
      fixture.crash();
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
    Framebuffer frame = framebuffer();
    assertEquals(1, display.flip(1, frame));
    FakeScreen lost = screen;
    lost.held = new CountDownLatch(1);
    CompletableFuture<ScanoutStatus> late = CompletableFuture.supplyAsync(() -> display.status(1));
    assertTrue(Until.holds(() -> lost.asking != null));
    fixture.crash();
    recover(new FakeScreen());
    screen.frame();
    assertEquals(2, display.flip(1, frame));
    FakeScreen ignored = lost.plug().plug();
    lost.frame();
    lost.held.countDown();
    ExecutionException thrown =
        assertThrows(ExecutionException.class, () -> late.get(20, TimeUnit.SECONDS));
    code(Errno.EINTR, () -> raise(thrown));
    assertEquals(-Errno.ETIME, display.await(1, 2, 0));
    assertEquals(0, display.status(1).hotplugs());
  }

  private static void raise(ExecutionException thrown) {
    throw (RuntimeException) thrown.getCause();
  }

  @Test
  void hotplugsGoOnAndOneBetweenTwoDevicesCounts() throws Exception {
    FakeScreen ignored = screen.plug().plug();
    assertEquals(2, display.status(1).hotplugs());
    fixture.crash();
    recover(new FakeScreen());
    assertEquals(2, display.status(1).hotplugs());
    CompletableFuture<Integer> waiting =
        CompletableFuture.supplyAsync(() -> display.awaitHotplug(1, 2, -1));
    fixture.crash();
    assertEquals(-Errno.ETIME, display.awaitHotplug(1, 2, 0), "while it recovers, too");
    recover(FakeScreen.unplugged());
    assertEquals(0, waiting.get(20, TimeUnit.SECONDS));
    assertEquals(3, display.status(1).hotplugs());
    assertFalse(display.status(1).connected());
  }

  @Test
  void aFlipWaitsForTheOneThatARecoveryMakes() {
    display.setMode(1, FakeScreen.MODE);
    Framebuffer frame = framebuffer();
    assertEquals(1, display.flip(1, frame));
    fixture.crash();
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
    Framebuffer frame = framebuffer();
    assertEquals(1, display.flip(1, frame));
    fixture.lose();
    assertEquals(-Errno.EINTR, display.await(1, 1, 0));
    code(Errno.ENODEV, () -> display.status(1));
    recover(new FakeScreen());
    assertEquals(List.of("mode 4x3@60.000"), screen.asked);
    code(Errno.ESTALE, () -> display.flip(1, frame));
  }

  @Test
  void anOpeningThatCameBesideTheRecoveryIsSetUpToo() {
    display.setMode(1, FakeScreen.MODE);
    fixture.crash();
    FakeSession next = new FakeSession("sim0", 2, new FakeScreen());
    fixture.core.opening("sim0", setup -> setup.use(next));
    assertEquals(List.of("mode 4x3@60.000"), next.screen.asked);
    assertEquals(FakeScreen.MODE, display.status(1).mode().orElseThrow());
    fixture.core.opening("sim0", setup -> setup.rebuild(next));
    fixture.core.opening("sim0", setup -> setup.use(next));
    assertEquals(List.of("mode 4x3@60.000"), next.screen.asked, "once");
    FakeSession over = new FakeSession("sim0", 1, new FakeScreen());
    over.end(Errno.ESTALE);
    fixture.core.opening("sim0", setup -> setup.use(over));
    assertEquals(FakeScreen.MODE, display.status(1).mode().orElseThrow());
    next.end(Errno.ESTALE);
    code(Errno.EINTR, () -> display.status(1));
  }

  @Test
  void anAttemptThatFailedHasNothing() {
    display.setMode(1, FakeScreen.MODE);
    fixture.crash();
    FakeSession failed = new FakeSession("sim0", 2, new FakeScreen());
    fixture.core.opening("sim0", setup -> setup.rebuild(failed));
    code(Errno.EINTR, () -> display.status(1));
    failed.end(Errno.ENODEV);
    fixture.core.end("sim0");
    fixture.core.opening("sim0", setup -> setup.use(failed));
    code(Errno.EINTR, () -> display.status(1));
    FakeSession broken = new FakeSession("sim0", 3, new FakeScreen());
    broken.end(Errno.ENODEV);
    assertThrows(DriverException.class, () -> fixture.core.opening("sim0", s -> s.rebuild(broken)));
    recover(new FakeScreen());
    assertEquals(List.of("mode 4x3@60.000"), screen.asked);
  }

  @Test
  void aDeviceThatIsGoneIsForgotten() {
    display.setMode(1, FakeScreen.MODE);
    Framebuffer frame = framebuffer();
    DeviceNode gone = fixture.tree.put("sim0", Optional.empty());
    fixture.core.forgetGone(gone.id());
    assertEquals(FakeScreen.MODE, display.status(1).mode().orElseThrow(), "not while it is open");
    fixture.crash();
    fixture.core.forgetGone("sim0");
    code(Errno.EINTR, () -> display.status(1));
    DeviceNode ignored = fixture.tree.put("sim0", Optional.empty());
    fixture.core.forgetGone("sim0");
    code(Errno.ENODEV, () -> display.status(1));
    recover(new FakeScreen());
    assertEquals(List.of(), screen.asked);
    code(Errno.ESTALE, () -> display.flip(1, frame));
  }

  @Test
  void whatADeviceThatFailsLacksIsForTheNextOne() {
    display.setMode(1, FakeScreen.MODE);
    Framebuffer frame = framebuffer();
    assertEquals(1, display.flip(1, frame));
    fixture.crash();
    FakeSession failing = new FakeSession("sim0", 2, new FakeScreen());
    failing.screen.gone = true;
    assertThrows(
        DriverException.class, () -> fixture.core.opening("sim0", s -> s.rebuild(failing)));
    failing.end(Errno.EINTR);
    recover(new FakeScreen());
    assertEquals(List.of("framebuffer", "mode 4x3@60.000", "flip"), screen.asked);
  }

  @Test
  void aRefusalSaysWhatTheDriverSaid() {
    AccelException thrown = assertThrows(AccelException.class, () -> display.modes(9));
    assertEquals("sim0: modes: no connector 9", thrown.getMessage());
  }

  @Test
  void framebuffersGoWithTheOwnerOfMemory() {
    display.setMode(1, FakeScreen.MODE);
    Framebuffer frame = framebuffer();
    assertEquals(1, display.flip(1, frame));
    fixture.crash();
    fixture.pins.unbind(fixture.memory);
    recover(new FakeScreen());
    assertEquals(List.of("mode 4x3@60.000"), screen.asked);
    fixture.pins.bind(fixture.memory, 99);
    code(Errno.ESTALE, () -> display.flip(1, frame));
  }

  @Test
  void framebuffersWhoseMemoryCannotBePinnedAreGivenUp() {
    display.setMode(1, FakeScreen.MODE);
    Framebuffer frame = framebuffer();
    assertEquals(1, display.flip(1, frame));
    fixture.crash();
    fixture.memory.refusal = Errno.ECLOSED;
    recover(new FakeScreen());
    assertEquals(List.of("mode 4x3@60.000"), screen.asked);
    assertEquals(0, fixture.memory.pinned);
    fixture.memory.refusal = 0;
    code(Errno.ESTALE, () -> display.flip(1, frame));
  }

  @Test
  void aStatusFromBeforeAChangeDoesNotUndoIt() {
    display.setMode(1, FakeScreen.MODE);
    fixture.session.afterCall.set(() -> display.setMode(1, FakeScreen.OTHER));
    assertEquals(FakeScreen.MODE, display.status(1).mode().orElseThrow());
    fixture.session.afterCall.set(() -> display.setMode(1, FakeScreen.MODE));
    assertEquals(1, fixture.core.displays().size());
    isSetTo(FakeScreen.MODE);
  }

  @Test
  void ofTwoChangesTheOneThatTheDeviceTookLastIsKept() {
    fixture.session.afterCall.set(() -> display.setMode(1, FakeScreen.OTHER));
    display.setMode(1, FakeScreen.MODE);
    isSetTo(FakeScreen.OTHER);
  }

  private void isSetTo(DisplayMode mode) {
    fixture.crash();
    recover(new FakeScreen());
    assertEquals(List.of("mode " + mode.text()), screen.asked);
  }

  @Test
  void aChangeThatTheNextOpeningWouldNotHaveIsRefused() {
    screen.beforeDpms = fixture::crash;
    AccelException refused =
        assertThrows(AccelException.class, () -> display.setDpms(1, DpmsState.OFF));
    assertEquals("sim0: dpms: the device recovers; try again in a moment", refused.getMessage());
    assertEquals(Errno.EINTR, refused.code());
    recover(new FakeScreen());
    assertEquals(List.of(), screen.asked);
  }

  @Test
  void anOpeningThatIsToldOfTooLateTakesNothingFromTheNext() {
    display.setMode(1, FakeScreen.MODE);
    FakeSession before = fixture.session;
    fixture.crash();
    recover(new FakeScreen());
    assertThrows(
        DriverException.class, () -> fixture.core.opening("sim0", setup -> setup.rebuild(before)));
    fixture.core.opening("sim0", setup -> setup.use(before));
    assertEquals(FakeScreen.MODE, display.status(1).mode().orElseThrow());
    assertEquals(List.of("mode 4x3@60.000"), screen.asked);
  }
}
