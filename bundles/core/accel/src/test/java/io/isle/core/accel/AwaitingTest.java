package io.isle.core.accel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.base.Errno;
import io.isle.api.driver.CompletionSink;
import io.isle.core.testing.Until;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that wait for a completion sleep until it comes, however many they are. */
@Timeout(120)
class AwaitingTest {
  private static final int MANY = 40;

  private static final int BEFORE = 20;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final Fixture fixture = new Fixture();
  private final Context context =
      fixture.context(ContextSpec.named("awaited").withMaxExecutionUs(0));
  private final BlockingQueue<Integer> answers = new LinkedBlockingQueue<>();

  @AfterEach
  void close() {
    fixture.close();
  }

  private List<Thread> waiting(Thread.Builder builder, long point, int count) {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      threads.add(builder.start(() -> answers.add(context.await(point, -1))));
    }
    assertTrue(
        Until.holds(() -> threads.stream().allMatch(t -> t.getState() == Thread.State.WAITING)),
        "they sleep without a time at which they look again");
    return threads;
  }

  private void assertAllWoken(int count, int answer) throws InterruptedException {
    for (int i = 0; i < count; i++) {
      assertEquals(answer, answers.poll(60, TimeUnit.SECONDS));
    }
  }

  @Test
  void platformThreadsThatWaitSleepUntilTheirPointEnds() throws Exception {
    for (int i = 1; i < BEFORE; i++) {
      assertEquals(i, context.submit(context.writer()));
    }
    long point = context.submit(context.writer());
    var running = fixture.device.awaitRunning(BEFORE);
    List<Thread> threads = waiting(Thread.ofPlatform().daemon(), point, MANY);
    long[] before = threads.stream().mapToLong(AwaitingTest::sleeps).toArray();
    for (int i = 1; i < BEFORE; i++) {
      assertEquals(0, fixture.device.complete(running.get(i - 1), CompletionSink.SUCCESS));
      assertEquals(0, context.await(i, -1));
    }
    for (int i = 0; i < MANY; i++) {
      assertEquals(Thread.State.WAITING, threads.get(i).getState());
      assertEquals(before[i], sleeps(threads.get(i)), "it was woken by what does not concern it");
    }
    assertEquals(0, fixture.device.complete(running.get(BEFORE - 1), CompletionSink.SUCCESS));
    assertAllWoken(MANY, 0);
  }

  /** How often a thread went to sleep. */
  private static long sleeps(Thread thread) {
    return THREADS.getThreadInfo(thread.threadId()).getWaitedCount();
  }

  @Test
  void virtualThreadsOfEachPointAreWoken() throws Exception {
    List<Long> points = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      points.add(context.submit(context.writer()));
    }
    var running = fixture.device.awaitRunning(4);
    for (long point : points) {
      waiting(Thread.ofVirtual(), point, 10 * MANY);
    }
    for (int i = 0; i < 4; i++) {
      assertEquals(0, fixture.device.complete(running.get(i), CompletionSink.ERROR));
      assertAllWoken(10 * MANY, -Errno.EIO);
      assertTrue(answers.isEmpty(), "those of later points sleep on");
    }
  }

  @Test
  void allAreWokenWhenTheContextIsClosedOrItsDeviceLost() throws Exception {
    long point = context.submit(context.writer());
    fixture.device.awaitRunning(1);
    waiting(Thread.ofPlatform().daemon(), point, MANY);
    fixture.lose();
    assertAllWoken(MANY, -Errno.EINTR);
  }

  @Test
  void whoIsInterruptedOrOutOfTimeLeaves() throws Exception {
    long point = context.submit(context.writer());
    var running = fixture.device.awaitRunning(1);
    List<Thread> threads = waiting(Thread.ofPlatform().daemon(), point, MANY);
    for (int i = 0; i < MANY / 2; i++) {
      threads.get(i).interrupt();
    }
    assertAllWoken(MANY / 2, -Errno.ECANCELED);
    assertEquals(-Errno.ETIME, context.await(point, 1_000_000));
    assertEquals(0, fixture.device.complete(running.get(0), CompletionSink.SUCCESS));
    assertAllWoken(MANY / 2, 0);
  }

  @Test
  void aPlaceAmongSixteenAllocatesNothingAndAFurtherOneLittle() throws Exception {
    long point = context.submit(context.writer());
    var running = fixture.device.awaitRunning(1);
    try {
      waiting(Thread.ofPlatform().daemon(), point, 15);
      assertTrue(allocatedByAnAwait(point) < 1, "the sixteenth allocates nothing");
      waiting(Thread.ofPlatform().daemon(), point, 1);
      double further = allocatedByAnAwait(point);
      assertTrue(further >= 1 && further <= 64, further + " bytes for a further thread");
    } finally {
      assertEquals(0, fixture.device.complete(running.get(0), CompletionSink.SUCCESS));
    }
    assertAllWoken(16, 0);
  }

  /** Bytes that a wait allocates which runs out at once; the least of some rounds. */
  private double allocatedByAnAwait(long point) {
    int count = 500;
    double least = Double.MAX_VALUE;
    for (int round = 0; round < 10; round++) {
      long before = THREADS.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < count; i++) {
        int ignored = context.await(point, 1);
      }
      least = Math.min(least, (double) (THREADS.getCurrentThreadAllocatedBytes() - before) / count);
    }
    return least;
  }
}
