package io.isle.apps.jobs.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.Completion;
import io.isle.api.accel.CompletionStatus;
import io.isle.api.accel.Context;
import io.isle.api.jobs.StepTimes;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class StepClockTest {
  private final StepClock clock = new StepClock("main", "step", "soft0", "normal", 100, 4);
  private final Context context = context();

  StepClockTest() {
    clock.renewed(context);
  }

  /** One that is only told from others. */
  private static Context context() {
    return (Context)
        Proxy.newProxyInstance(
            Context.class.getClassLoader(), new Class<?>[] {Context.class}, (p, m, a) -> null);
  }

  private static Completion completion(long point, long startNs, long endNs) {
    return new Completion(point, 0, CompletionStatus.SUCCESS, startNs, endNs, 0, 0);
  }

  /** A thread of completions may be one that others wait for, and before ordinary ones. */
  @Test
  @Timeout(60)
  void whoTellsWaitsForNobodyWhoLooks() throws Exception {
    clock.submitted(1, 1000);
    Runnable tells = () -> clock.completed(context, completion(1, 1500, 1700));
    synchronized (clock) {
      CompletableFuture.runAsync(tells).get();
    }
    assertEquals(200, clock.times().computeNs());
  }

  @Test
  void whatIsToldOfAContextThatIsGoneDoesNotCount() {
    clock.submitted(1, 1000);
    clock.completed(context, completion(1, 1500, 1700));
    Context next = context();
    clock.completed(context, completion(2, 1800, 1900));
    clock.renewed(next);
    clock.completed(context, completion(3, 2000, 2100));
    clock.submitted(2, 3000);
    clock.submitted(3, 3000);
    clock.completed(next, completion(2, 3100, 3110));
    clock.completed(next, completion(3, 3110, 3111));
    assertEquals(211, clock.times().computeNs());
  }

  /** However quick the device is, and whoever is told first. */
  @Test
  void workWaitsFromItsSubmissionToItsStart() {
    clock.submitted(1, 1000);
    clock.completed(context, new Completion(1, 0, CompletionStatus.SUCCESS, 1500, 1700, 0, 0));
    clock.completed(context, new Completion(2, 0, CompletionStatus.SUCCESS, 3300, 3400, 0, 0));
    clock.submitted(2, 3000);
    StepTimes times = clock.times();
    assertEquals(800, times.queueNs());
    assertEquals(300, times.computeNs());
    assertEquals(
        List.of(
            new StepTimes.Span(StepTimes.Kind.QUEUE, 900, 1400),
            new StepTimes.Span(StepTimes.Kind.QUEUE, 2900, 3200)),
        times.spans().stream().filter(span -> span.kind() == StepTimes.Kind.QUEUE).toList());
  }

  @Test
  void whatWasNotSubmittedAndWhatNeverBeganCountsNothing() throws InterruptedException {
    clock.submitted(-11, 1000);
    clock.submitted(1, 1000);
    clock.completed(context, new Completion(1, -4, CompletionStatus.ERROR, 0, 2000, 0, 0));
    clock.end();
    assertEquals(0, clock.times().queueNs() + clock.times().computeNs());
  }

  @Test
  void manySpansBecomeFewButTheSumsStay() {
    for (int i = 0; i < 100; i++) {
      clock.transferred(1000 + 10 * i, 1005 + 10 * i);
      clock.built(1000, 1001);
    }
    StepTimes times = clock.times();
    assertEquals(500, times.transferNs());
    assertEquals(100, times.buildNs());
    assertTrue(times.spans().size() <= 8, times.spans()::toString);
  }
}
