package io.isle.core.drivers.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.driver.DeviceSession;
import io.isle.api.driver.DeviceSessionListener;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which devices are open, and what listeners hear. */
@Timeout(60)
class SessionBoardTest {
  private final ServiceThreads serviceThreads = new ServiceThreads();
  private Duration bound = Duration.ofSeconds(60);
  private final SessionBoard board = new SessionBoard(serviceThreads, () -> bound);

  @AfterEach
  void close() {
    serviceThreads.close();
  }

  private static DeviceSession session(String id, int epoch) {
    return (DeviceSession)
        Proxy.newProxyInstance(
            DeviceSession.class.getClassLoader(),
            new Class<?>[] {DeviceSession.class},
            (self, method, args) ->
                switch (method.getName()) {
                  case "id" -> id;
                  case "toString" -> id + " " + epoch;
                  default -> throw new AssertionError(method);
                });
  }

  /** Says what it hears, then does something. */
  private static final class Listener implements DeviceSessionListener {
    final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    final Consumer<String> then;

    Listener(Consumer<String> then) {
      this.then = then;
    }

    private void hear(String what) {
      heard.add(what);
      then.accept(what);
    }

    @Override
    public void opened(DeviceSession session) {
      hear("opened " + session);
    }

    @Override
    public void replaced(DeviceSession before, DeviceSession now) {
      hear("replaced " + before + ", " + now);
    }

    @Override
    public void closed(DeviceSession session) {
      hear("closed " + session);
    }

    List<String> take(int count) throws InterruptedException {
      List<String> all = new java.util.ArrayList<>();
      for (int i = 0; i < count; i++) {
        all.add(heard.take());
      }
      return all;
    }
  }

  @Test
  void theListIsByNameAndNumberAndLeavesOutWhatRecovers() {
    for (String id : List.of("soft10", "soft2", "cl0")) {
      board.open(session(id, 1));
    }
    assertEquals("[cl0 1, soft2 1, soft10 1]", board.list().toString());
    board.recovers("soft2");
    assertEquals("[cl0 1, soft10 1]", board.list().toString());
    assertEquals(Optional.empty(), board.find("soft2"));
    board.closed("cl0");
    assertEquals("soft10 1", board.find("soft10").orElseThrow().toString());
    assertEquals("[soft10 1]", board.list().toString());
  }

  @Test
  void aListedDeviceIsFoundAndListenersHearOfItOnceWhenItIsOpen() throws Exception {
    Listener early = new Listener(what -> {});
    Listener late = new Listener(what -> {});
    DeviceSession session = session("x0", 1);
    board.add(early);
    board.list(session);
    assertSame(session, board.find("x0").orElseThrow());
    board.add(late);
    board.open(session);
    board.closed("x0");
    assertEquals(List.of("opened x0 1", "closed x0 1"), early.take(2));
    assertEquals(List.of("opened x0 1", "closed x0 1"), late.take(2));
  }

  /** As code does that is not written in Java. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> RuntimeException undeclared(Throwable thrown) throws E {
    throw (E) thrown;
  }

  @Test
  void aListenerGoesOnAfterACheckedExceptionThatNothingDeclares() throws Exception {
    Listener listener =
        new Listener(
            what -> {
              if (what.startsWith("opened")) {
                throw SessionBoardTest.<RuntimeException>undeclared(
                    new java.io.IOException("planned"));
              }
            });
    board.add(listener);
    board.open(session("x0", 1));
    assertEquals(List.of("opened x0 1"), listener.take(1));
    board.closed("x0");
    assertEquals("closed x0 1", listener.heard.poll(20, TimeUnit.SECONDS));
    board.remove(listener);
  }

  @Test
  void aListenerHearsInOrderAndGoesOnAfterWhatItThrows() throws Exception {
    Listener listener =
        new Listener(
            what -> {
              if (what.startsWith("opened")) {
                throw new IllegalStateException("planned");
              } else if (what.startsWith("replaced")) {
                throw new AssertionError("planned");
              }
            });
    board.add(listener);
    board.open(session("x0", 1));
    board.recovers("x0");
    board.open(session("x0", 2));
    board.closed("x0");
    board.closed("x0");
    board.open(session("x0", 3));
    assertEquals(
        List.of("opened x0 1", "replaced x0 1, x0 2", "closed x0 2", "opened x0 3"),
        listener.take(4));
  }

  @Test
  void oneThatComesLateHearsOfWhatIsOpenAndOfWhatComesBack() throws Exception {
    board.open(session("x0", 1));
    board.open(session("x1", 1));
    board.recovers("x1");
    Listener late = new Listener(what -> {});
    board.add(late);
    assertEquals(List.of("opened x0 1"), late.take(1));
    board.open(session("x1", 2));
    assertEquals(List.of("opened x1 2"), late.take(1), "it never heard of the one before");
  }

  @Test
  void aSlowListenerHoldsNobodyUp() throws Exception {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    Listener slow =
        new Listener(
            what -> {
              inside.countDown();
              await(release);
            });
    Listener other = new Listener(what -> {});
    board.add(slow);
    board.add(other);
    board.open(session("x0", 1));
    inside.await();
    board.recovers("x0");
    board.open(session("x0", 2));
    assertEquals(List.of("opened x0 1", "replaced x0 1, x0 2"), other.take(2));
    assertEquals(1, slow.heard.size());
    release.countDown();
    assertEquals(List.of("opened x0 1", "replaced x0 1, x0 2"), slow.take(2));
  }

  @Test
  void oneThatGoesHearsNothingMoreOnceItIsGone() throws Exception {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    Listener listener =
        new Listener(
            what -> {
              inside.countDown();
              await(release);
            });
    board.add(listener);
    board.open(session("x0", 1));
    inside.await();
    board.closed("x0");
    Thread leaving = Thread.ofPlatform().start(() -> board.remove(listener));
    while (leaving.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    release.countDown();
    leaving.join();
    board.open(session("x0", 2));
    assertEquals(List.of("opened x0 1"), listener.take(1));
    assertNull(listener.heard.poll());
  }

  @Test
  void oneThatNeverReturnsIsLeftBehindWhenItGoes() throws Exception {
    CountDownLatch inside = new CountDownLatch(1);
    Listener stuck =
        new Listener(
            what -> {
              inside.countDown();
              await(new CountDownLatch(1));
            });
    board.add(stuck);
    board.open(session("x0", 1));
    inside.await();
    bound = Duration.ofMillis(20);
    board.remove(stuck);
    assertTrue(stuck.heard.contains("opened x0 1"));
  }

  @Test
  void oneThatGoesFromWithinItsOwnCallDoesNotWaitForItself() throws Exception {
    CountDownLatch gone = new CountDownLatch(1);
    Listener[] self = new Listener[1];
    self[0] =
        new Listener(
            what -> {
              board.remove(self[0]);
              gone.countDown();
            });
    board.add(self[0]);
    board.open(session("x0", 1));
    assertTrue(gone.await(30, TimeUnit.SECONDS));
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
