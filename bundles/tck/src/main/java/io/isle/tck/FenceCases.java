package io.isle.tck;

import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.FenceProtocolSupport;
import io.isle.api.driver.Fences;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** Waits of submissions that the device keeps (FenceProtocolSupport, 42.2.3). */
final class FenceCases {
  /** Half of it is more than any value that these cases wait for. */
  private static final long MAX_VALUE = 15;

  /** For so long what waits is seen not to begin. */
  private static final long OBSERVED_NS = 30_000_000;

  private static final long TIMELINE = 77;
  private static final long OTHER = 78;

  private FenceCases() {}

  static List<Case> all() {
    return List.of(
        of("fences/support-is-constant", FenceCases::support),
        of("fences/waits-for-its-value", FenceCases::waitsForItsValue),
        of("fences/a-later-value-will-do", FenceCases::laterValue),
        of("fences/waits-for-all", FenceCases::waitsForAll),
        of("fences/zero-is-no-wait", FenceCases::zero),
        of("fences/values-wrap", FenceCases::wrap),
        of("fences/what-is-cancelled-never-begins", FenceCases::cancel));
  }

  private static Case of(String name, Case.Body body) {
    return new Case(name, Map.of("fences", "true", "max_fence_value", "" + MAX_VALUE), body);
  }

  private static Fences part(Rig rig) {
    return rig.device()
        .extension(Fences.class)
        .orElseThrow(() -> new Check.Skipped("the device leaves waits to the core"));
  }

  private static Fences fences(Rig rig) {
    Fences fences = part(rig);
    long most = fences.support().maxFenceValue();
    Check.needs(
        most == 0 || most >= MAX_VALUE, "fence values of the device wrap before " + MAX_VALUE);
    return fences;
  }

  private static void support(Rig rig) {
    FenceProtocolSupport support = part(rig).support();
    long context = rig.context();
    rig.success(context, rig.noop(context), "a no-op");
    Check.equal(support, part(rig).support(), "the fence support at a second call");
  }

  private static Rig.Sub submit(Rig rig, long context, long value) {
    return rig.submit(context, rig.noop(context).after(TIMELINE, value));
  }

  /** What comes later, of another context, ends before what waits begins. */
  private static void waits(Rig rig, long others, Rig.Sub sub, String when) {
    for (int i = 0; i < 3; i++) {
      rig.success(others, rig.noop(others), "work of another context");
    }
    long until = System.nanoTime() + OBSERVED_NS;
    while (isNew(rig, sub) && System.nanoTime() < until) {
      LockSupport.parkNanos(100_000);
    }
    Check.that(
        sub.code() == 0 && rig.core().told(sub.tag()).isEmpty() && isNew(rig, sub),
        "work does not wait " + when);
  }

  private static boolean isNew(Rig rig, Rig.Sub sub) {
    return rig.core().started(sub.tag()).isEmpty();
  }

  private static void begins(Rig rig, Rig.Sub sub, long sinceNs, String when) {
    Ended ended = rig.await(sub);
    Check.equal(CompletionSink.SUCCESS, ended.status(), "the status of work " + when);
    Check.that(ended.startNs() >= sinceNs, "work began before, not " + when);
  }

  private static void waitsForItsValue(Rig rig) {
    Fences fences = fences(rig);
    long others = rig.context();
    Rig.Sub sub = submit(rig, rig.context(), 5);
    waits(rig, others, sub, "before its point is reached");
    fences.signalled(TIMELINE, 4);
    waits(rig, others, sub, "after an earlier point");
    long now = System.nanoTime();
    fences.signalled(TIMELINE, 5);
    begins(rig, sub, now, "after its point is reached");
  }

  private static void laterValue(Rig rig) {
    Fences fences = fences(rig);
    Rig.Sub sub = submit(rig, rig.context(), 5);
    fences.signalled(TIMELINE, 6);
    begins(rig, sub, 0, "after a later point is reached");
  }

  private static void waitsForAll(Rig rig) {
    Fences fences = fences(rig);
    long others = rig.context();
    long context = rig.context();
    Envelope both = rig.noop(context).after(TIMELINE, 3).after(OTHER, 3);
    Rig.Sub sub = rig.submit(context, both);
    fences.signalled(TIMELINE, 3);
    waits(rig, others, sub, "for the second of two points");
    long now = System.nanoTime();
    fences.signalled(OTHER, 3);
    begins(rig, sub, now, "after both points");
  }

  private static void zero(Rig rig) {
    var ignored = fences(rig);
    Rig.Sub sub = submit(rig, rig.context(), 0);
    begins(rig, sub, 0, "that waits for value 0, which every timeline has reached");
  }

  private static void wrap(Rig rig) {
    Fences fences = fences(rig);
    long most = fences.support().maxFenceValue();
    Check.needs(most != 0, "fence values of the device do not wrap");
    long others = rig.context();
    Rig.Sub sub = submit(rig, rig.context(), 1);
    fences.signalled(TIMELINE, most);
    waits(rig, others, sub, "after the last value, for the value two later");
    long now = System.nanoTime();
    fences.signalled(TIMELINE, 2);
    begins(rig, sub, now, "after the values have wrapped");
  }

  private static void cancel(Rig rig) {
    Fences fences = fences(rig);
    long context = rig.context();
    Rig.Sub sub = submit(rig, context, 5);
    Rig.Sub next = rig.submit(context, rig.noop(context));
    fences.cancel(sub.tag());
    Check.equal(CompletionSink.ERROR, rig.await(sub).status(), "the status of cancelled work");
    Check.that(isNew(rig, sub), "cancelled work has begun");
    Check.equal(
        CompletionSink.SUCCESS,
        rig.await(next).status(),
        "the status of the work behind the cancelled work");
  }
}
