package io.isle.core.accel.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.core.accel.machine.Schedulers;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Places of waiting threads: who is woken, by whom, how many at a time. */
@Timeout(120)
class WaitersTest {
  private static final int DEPTH = 4;
  private static final int AT_ONCE = 16;

  private final PointTimeline timeline = Schedulers.timeline(1, DEPTH);
  private final Waiters waiters = new Waiters(timeline, DEPTH);

  private int wake() {
    return waiters.wake(AT_ONCE);
  }

  private List<Waiters.Place> enter(long point, int count) {
    List<Waiters.Place> places = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      places.add(waiters.enter(point));
    }
    return places;
  }

  @Test
  void thoseWhosePointHasEndedAreWoken() {
    timeline.publish(4);
    enter(2, 3);
    enter(3, 2);
    enter(1, 1);
    assertEquals(0, wake(), "nothing has ended");
    assertEquals(6, waiters.size());
    timeline.advance(1);
    assertEquals(1, wake());
    assertEquals(5, waiters.size());
    timeline.advance(3);
    assertEquals(5, wake());
    assertEquals(0, waiters.size());
  }

  @Test
  void onlySomeAreWokenAtATime() {
    timeline.publish(1);
    enter(1, 40);
    timeline.advance(1);
    assertEquals(~AT_ONCE, wake(), "and there may be more");
    assertEquals(40 - AT_ONCE, waiters.size());
    assertEquals(~AT_ONCE, wake(), "and there may be more");
    assertEquals(40 - 2 * AT_ONCE, wake());
    assertEquals(0, waiters.size());
  }

  /** The next point in the same list comes before all of the last one's threads are woken. */
  @Test
  void thoseWhoAreLeftOverAreWokenThoughTheTimelineWentOn() {
    timeline.publish(DEPTH);
    enter(1, 20);
    timeline.advance(1);
    assertEquals(~AT_ONCE, wake(), "and there may be more");
    timeline.publish(1 + DEPTH);
    enter(1 + DEPTH, 2);
    timeline.advance(DEPTH);
    assertEquals(20 - AT_ONCE, wake());
    assertEquals(2, waiters.size(), "theirs has not ended");
    timeline.publish(100);
    timeline.advance(100);
    assertEquals(2, wake());
    assertEquals(0, waiters.size());
  }

  @Test
  void whoLeavesIsNotWaitedFor() {
    timeline.publish(4);
    List<Waiters.Place> places = enter(2, 20);
    waiters.leave(places.get(7));
    waiters.leave(places.get(0));
    waiters.leave(places.get(19));
    assertEquals(17, waiters.size());
    timeline.advance(4);
    assertEquals(~AT_ONCE, wake(), "and there may be more");
    assertEquals(17 - AT_ONCE, wake());
    assertEquals(0, waiters.size());
    places.forEach(waiters::leave);
    assertEquals(0, waiters.size(), "leaving a place one was woken from does no harm");
    enter(4, 1);
    assertEquals(1, waiters.size());
  }

  /** What a sealed timeline did not record has ended too. */
  @Test
  void sealingWakesAll() {
    timeline.publish(3);
    enter(1, 1);
    enter(3, 1);
    timeline.seal(-Errno.ECLOSED);
    assertEquals(2, wake());
    assertEquals(0, waiters.size());
  }

  /**
   * Threads that wait, give up and come back while points end: each hears of each of its points.
   */
  @Test
  void noWakeUpIsLost() throws Exception {
    int points = 20_000;
    AtomicLong heard = new AtomicLong();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 24; i++) {
      Random random = new Random(i);
      Thread.Builder builder = i % 2 == 0 ? Thread.ofPlatform().daemon() : Thread.ofVirtual();
      threads.add(builder.unstarted(() -> hearAll(points, random, heard)));
    }
    threads.forEach(Thread::start);
    Random random = new Random(42);
    long ended = 0;
    boolean more = false;
    while (ended < points || more) {
      if (ended < points && (!more || random.nextBoolean())) {
        timeline.publish(Math.min(points, ended + DEPTH));
        ended += random.nextInt((int) (timeline.submitted() - ended)) + 1;
        timeline.advance(ended);
        VarHandle.fullFence();
      }
      more = Waiters.mayBeMore(wake());
      if (random.nextInt(64) == 0) {
        LockSupport.parkNanos(1);
      }
    }
    for (Thread thread : threads) {
      thread.join(TimeUnit.SECONDS.toMillis(60));
      assertFalse(thread.isAlive(), "a thread sleeps although its point has ended");
    }
    assertTrue(heard.get() > 0);
    assertEquals(0, waiters.size());
  }

  private void hearAll(int points, Random random, AtomicLong heard) {
    long last = 0;
    while (last < points) {
      long submitted = timeline.submitted();
      long point = submitted - (submitted == 0 ? 0 : random.nextInt(2));
      if (point <= last) {
        Thread.yield();
        continue;
      }
      boolean patient = random.nextInt(4) > 0;
      Waiters.Place place = waiters.enter(point);
      try {
        while (timeline.ended() < point) {
          if (patient) {
            LockSupport.park(waiters);
          } else {
            LockSupport.parkNanos(waiters, random.nextInt(50_000));
            break;
          }
        }
      } finally {
        waiters.leave(place);
      }
      if (timeline.ended() >= point) {
        last = point;
        heard.incrementAndGet();
      }
    }
  }
}
