package io.isle.core.display;

import static io.isle.core.display.Bench.code;
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
  private final Bench bench = new Bench();
  private final Display display = bench.display();
  private Framebuffer frame;

  /** A picture, a cursor and a flip that waits. */
  private void show() {
    display.setMode(1, FakeScreen.MODE);
    display.setVariableRefresh(1, true);
    display.setCursor(1, 1, 1, 2, 2, new int[] {7});
    frame = bench.framebuffer(display);
    assertEquals(1, display.flip(1, frame));
    bench.screen().asked.clear();
  }

  @Test
  void theDeviceIsLeftAloneAndTenantsGoOn() {
    show();
    bench.restart();
    assertEquals(List.of(), bench.screen().asked);
    code(Errno.ECLOSED, () -> display.status(1));
    assertEquals(-Errno.ECLOSED, display.await(1, 1, -1));
    assertEquals(-Errno.ECLOSED, display.awaitHotplug(1, 0, -1));
    Display again = bench.display();
    assertEquals(-Errno.ETIME, again.await(1, 1, 0));
    bench.screen().frame();
    assertEquals(0, again.await(1, 1, -1));
    assertEquals(2, again.flip(1, frame));
    Framebuffer other = bench.framebuffer(again);
    assertNotEquals(frame.id(), other.id());
  }

  @Test
  void whatIsShownOutlivesTheNextCrash() {
    show();
    bench.restart();
    bench.crash();
    bench.recover(new FakeScreen());
    assertEquals(
        List.of("framebuffer", "mode 4x3@60.000", "vrr true", "cursor 1x1 at 2,2 7", "flip"),
        bench.screen().asked);
    assertEquals(Set.of(frame.id()), bench.screen().framebuffers.keySet());
    assertEquals(-Errno.EINTR, bench.display().await(1, 1, 0));
  }

  @Test
  void aDeviceThatWasOpenedMeanwhileIsSetUp() {
    show();
    bench.restart(Bench.RUN);
    code(Errno.EINTR, () -> bench.core.of("sim0", bench.all));
    bench.recover(new FakeScreen());
    assertEquals(5, bench.screen().asked.size(), bench.screen().asked::toString);
    Display again = bench.display();
    assertEquals(-Errno.EINTR, again.await(1, 1, 0));
    bench.screen().frame();
    assertEquals(2, again.flip(1, frame));
  }

  @Test
  void anEpochOfAnotherCountMeansAnotherOpening() {
    for (Lineage now : List.of(new Lineage("run", 11, 22, 13), new Lineage("run", 11, 12, 23))) {
      Bench other = new Bench();
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
    bench.restart(new Lineage("run", 99, 12, 13));
    bench.pins.bind(bench.memory, 99);
    bench.recover(new FakeScreen());
    assertEquals(
        List.of("mode 4x3@60.000", "vrr true", "cursor 1x1 at 2,2 7"), bench.screen().asked);
    Display again = bench.display();
    code(Errno.ESTALE, () -> again.flip(1, frame));
    assertNotEquals(frame.id(), bench.framebuffer(again).id());
  }

  @Test
  void memoryThatWentMeanwhileIsNotShown() {
    show();
    bench.restart(Bench.RUN);
    bench.memory.lose();
    bench.recover(new FakeScreen());
    assertEquals(
        List.of("mode 4x3@60.000", "vrr true", "cursor 1x1 at 2,2 7"), bench.screen().asked);
    code(Errno.ESTALE, () -> bench.display().flip(1, frame));
  }

  @Test
  void anotherRunOfThePlatformBeginsWithNothing() {
    show();
    bench.restart(new Lineage("other", 11, 12, 13));
    bench.recover(new FakeScreen());
    assertEquals(List.of(), bench.screen().asked);
    Framebuffer first = bench.framebuffer(bench.display());
    assertEquals(1001, Ids.generation(first.id()));
  }

  @Test
  void pointsAndIdsGoOnOverSeveralRestarts() {
    show();
    for (long point = 2; point < 6; point++) {
      bench.restart();
      bench.screen().frame();
      assertEquals(point, bench.display().flip(1, frame));
      bench.crash();
      bench.recover(new FakeScreen());
    }
    assertEquals(0, bench.display().await(1, 1, 0));
    assertEquals(-Errno.EINTR, bench.display().await(1, 5, 0));
    Set<Long> ids = new HashSet<>(Set.of(frame.id()));
    for (int i = 0; i < 20; i++) {
      bench.restart();
      assertTrue(ids.add(bench.framebuffer(bench.display()).id()), "an id is given out twice");
    }
  }

  @Test
  void aStopWaitsForWhatIsBeingDone() throws Exception {
    show();
    FakeScreen screen = bench.screen();
    screen.held = new CountDownLatch(1);
    CompletableFuture<Boolean> connected =
        CompletableFuture.supplyAsync(() -> display.status(1).connected());
    assertTrue(Until.holds(() -> screen.asking != null));
    Thread stopping = new Thread(() -> bench.restart(Bench.RUN));
    stopping.start();
    assertTrue(Until.holds(() -> stopping.getState() == Thread.State.WAITING));
    screen.held.countDown();
    assertTrue(connected.get(20, TimeUnit.SECONDS));
    stopping.join();
    code(Errno.ECLOSED, () -> display.status(1));
  }
}
