package io.isle.core.display;

import static io.isle.core.display.Fixture.code;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.base.Ids;
import io.isle.api.device.DpmsState;
import io.isle.api.display.Display;
import io.isle.api.display.Framebuffer;
import io.isle.core.display.state.Lineage;
import io.isle.core.testing.Until;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What tenants have of screens, over owners of displays that go and come. */
@Timeout(60)
class DisplayRestartTest {
  private final Fixture fixture = new Fixture();
  private final Display display = fixture.display();
  private Framebuffer frame;

  /** A picture, a cursor and a flip that waits. */
  private void show() {
    display.setMode(1, FakeScreen.MODE);
    display.setVariableRefresh(1, true);
    display.setCursor(1, 1, 1, 2, 2, new int[] {7});
    frame = fixture.framebuffer(display);
    assertEquals(1, display.flip(1, frame));
    fixture.screen().asked.clear();
  }

  @Test
  void theDeviceIsLeftAloneAndTenantsGoOn() {
    show();
    fixture.restart();
    assertEquals(List.of(), fixture.screen().asked);
    code(Errno.ECLOSED, () -> display.status(1));
    assertEquals(-Errno.ECLOSED, display.await(1, 1, -1));
    assertEquals(-Errno.ECLOSED, display.awaitHotplug(1, 0, -1));
    Display again = fixture.display();
    assertEquals(-Errno.ETIME, again.await(1, 1, 0));
    fixture.screen().frame();
    assertEquals(0, again.await(1, 1, -1));
    assertEquals(2, again.flip(1, frame));
    Framebuffer other = fixture.framebuffer(again);
    assertNotEquals(frame.id(), other.id());
  }

  @Test
  void whatIsShownOutlivesTheNextCrash() {
    show();
    fixture.restart();
    fixture.crash();
    fixture.recover(new FakeScreen());
    assertEquals(
        List.of("framebuffer", "mode 4x3@60.000", "vrr true", "cursor 1x1 at 2,2 7", "flip"),
        fixture.screen().asked);
    assertEquals(Set.of(frame.id()), fixture.screen().framebuffers.keySet());
    assertEquals(-Errno.EINTR, fixture.display().await(1, 1, 0));
  }

  @Test
  void aDeviceThatWasOpenedMeanwhileIsSetUp() {
    show();
    fixture.restart(Fixture.RUN);
    code(Errno.EINTR, () -> fixture.core.of("sim0", fixture.all));
    fixture.recover(new FakeScreen());
    assertEquals(5, fixture.screen().asked.size(), fixture.screen().asked::toString);
    Display again = fixture.display();
    assertEquals(-Errno.EINTR, again.await(1, 1, 0));
    fixture.screen().frame();
    assertEquals(2, again.flip(1, frame));
  }

  @Test
  void anEpochOfAnotherCountMeansAnotherOpening() {
    for (Lineage now : List.of(new Lineage("run", 11, 22, 13), new Lineage("run", 11, 12, 23))) {
      Fixture other = new Fixture();
      other.display().setDpms(1, DpmsState.OFF);
      FakeScreen next = new FakeScreen();
      other.restart(now);
      FakeSession session = new FakeSession("sim0", other.session.epoch(), next);
      other.core.opening("sim0", setup -> setup.rebuild(session));
      assertEquals(List.of("dpms off"), next.asked);
    }
  }

  @Test
  void memoryOfAnotherOwnerIsNotShown() {
    show();
    fixture.restart(new Lineage("run", 99, 12, 13));
    fixture.pins.bind(fixture.memory, 99);
    fixture.recover(new FakeScreen());
    assertEquals(
        List.of("mode 4x3@60.000", "vrr true", "cursor 1x1 at 2,2 7"), fixture.screen().asked);
    Display again = fixture.display();
    code(Errno.ESTALE, () -> again.flip(1, frame));
    assertNotEquals(frame.id(), fixture.framebuffer(again).id());
  }

  @Test
  void memoryThatWentMeanwhileIsNotShown() {
    show();
    fixture.restart(Fixture.RUN);
    fixture.memory.lose();
    fixture.recover(new FakeScreen());
    assertEquals(
        List.of("mode 4x3@60.000", "vrr true", "cursor 1x1 at 2,2 7"), fixture.screen().asked);
    code(Errno.ESTALE, () -> fixture.display().flip(1, frame));
  }

  @Test
  void anotherRunOfThePlatformBeginsWithNothing() {
    show();
    fixture.restart(new Lineage("other", 11, 12, 13));
    fixture.recover(new FakeScreen());
    assertEquals(List.of(), fixture.screen().asked);
    Framebuffer first = fixture.framebuffer(fixture.display());
    assertEquals(1001, Ids.generation(first.id()));
  }

  @Test
  void pointsAndIdsGoOnOverSeveralRestarts() {
    show();
    for (long point = 2; point < 6; point++) {
      fixture.restart();
      fixture.screen().frame();
      assertEquals(point, fixture.display().flip(1, frame));
      fixture.crash();
      fixture.recover(new FakeScreen());
    }
    assertEquals(0, fixture.display().await(1, 1, 0));
    assertEquals(-Errno.EINTR, fixture.display().await(1, 5, 0));
    Set<Long> ids = new HashSet<>(Set.of(frame.id()));
    for (int i = 0; i < 20; i++) {
      fixture.restart();
      assertTrue(ids.add(fixture.framebuffer(fixture.display()).id()), "an id is given out twice");
    }
  }

  @Test
  void aStopWaitsForWhatIsBeingDone() throws Exception {
    show();
    FakeScreen screen = fixture.screen();
    screen.held = new CountDownLatch(1);
    CompletableFuture<Boolean> connected =
        CompletableFuture.supplyAsync(() -> display.status(1).connected());
    assertTrue(Until.holds(() -> screen.asking != null));
    Thread stopping = new Thread(() -> fixture.restart(Fixture.RUN));
    stopping.start();
    assertTrue(Until.holds(() -> stopping.getState() == Thread.State.WAITING));
    screen.held.countDown();
    assertTrue(connected.get(20, TimeUnit.SECONDS));
    stopping.join();
    code(Errno.ECLOSED, () -> display.status(1));
  }
}
