package io.isle.tck;

import io.isle.api.base.Errno;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.DeviceInfo.Preemption;
import io.isle.api.driver.PreemptReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Work that leaves the engine because it is told to, as finely as the device says it can. */
final class PreemptionCases {
  /** Of one submission: less than overdue work takes, more than a no-op. */
  private static final long LIMIT_US = 20_000;

  /** Long enough to be asked to yield; and where the machine stood still meanwhile. */
  private static final long YIELD_US = 50_000;

  private static final long LONGEST_YIELD_US = 64 * YIELD_US;

  private PreemptionCases() {}

  static List<Case> all() {
    return List.of(
        Case.of("preempt/ends-well", PreemptionCases::preempt),
        Case.of("preempt/bad-argument-is-harmless", PreemptionCases::preemptBad),
        Case.of("preempt/hands-back-what-waits", rig -> handsBack(rig, PreemptReason.ADMIN_EVICT)),
        Case.of("preempt/fairness", rig -> handsBack(rig, PreemptReason.FAIRNESS_TIMEOUT)),
        Case.of("preempt/execution-limit", PreemptionCases::executionLimit),
        limitAt("preempt/limit-draw-dispatch", Preemption.DRAW_DISPATCH),
        limitAt("preempt/limit-command-buffer", Preemption.COMMAND_BUFFER),
        limitAt("preempt/limit-none", Preemption.NONE),
        at("preempt/yield-command-buffer", Preemption.COMMAND_BUFFER, PreemptionCases::yields),
        at("preempt/yield-none", Preemption.NONE, PreemptionCases::yields),
        Case.of("preempt/execution-limit-spares-what-waits", PreemptionCases::spares));
  }

  /** A device that can be told to stop work no finer than that. */
  private static Case at(String name, Preemption granularity, Case.Body body) {
    String value = granularity.name().toLowerCase(Locale.ROOT);
    return new Case(
        name,
        Map.of("preemption", value),
        rig -> {
          Check.needs(
              granularity(rig) == granularity,
              "the preemption granularity of the device is not " + value);
          body.run(rig);
        });
  }

  private static Case limitAt(String name, Preemption granularity) {
    return at(name, granularity, PreemptionCases::executionLimit);
  }

  private static Preemption granularity(Rig rig) {
    return rig.device().info().preemption();
  }

  /** Preempts until the submission has ended, as a core does that is not heard. */
  private static Ended preempted(Rig rig, long context, Rig.Sub sub, int reason) {
    rig.until(
        () -> {
          Check.equal(0, rig.device().preempt(context, reason), "the result of preempt");
          return !rig.core().told(sub.tag()).isEmpty();
        },
        "preempted work stayed on the engine");
    return rig.await(sub);
  }

  private static void handsBack(Rig rig, int reason) {
    Check.needs(granularity(rig) != Preemption.NONE, "no preemption");
    long context = rig.context();
    long busy = rig.program(context, "busy");
    Rig.Sub first = rig.submit(context, overdue(busy, granularity(rig)));
    Rig.Sub waiting = rig.submit(context, rig.noop(context));
    var ignored = preempted(rig, context, first, reason);
    unbegun(rig.await(waiting));
  }

  private static void unbegun(Ended ended) {
    Check.equal(CompletionSink.PREEMPTED, ended.status(), "the status of work that had not begun");
    Check.equal(-Errno.EAGAIN, ended.detail(), "the detail of work that had not begun");
  }

  /** What runs cannot be stopped, what waits can stay away. */
  private static void yields(Rig rig) {
    for (int reason :
        new int[] {
          PreemptReason.PRIORITY_INVERSION,
          PreemptReason.FAIRNESS_TIMEOUT,
          PreemptReason.ADMIN_EVICT
        }) {
      long us = YIELD_US;
      while (!yields(rig, reason, us)) {
        us *= 4;
        Check.that(us <= LONGEST_YIELD_US, "even the longest work ends before preempt returns");
      }
    }
  }

  /** Returns false when the work had ended too early to say anything. */
  private static boolean yields(Rig rig, int reason, long us) {
    long context = rig.context();
    long busy = rig.program(context, "busy");
    Rig.Sub first = rig.submit(context, busyFor(busy, us));
    Rig.Sub waiting = rig.submit(context, rig.noop(context));
    rig.until(() -> rig.core().started(first.tag()).isPresent(), "work does not start");
    int code = rig.device().preempt(context, reason);
    boolean late = !rig.core().told(first.tag()).isEmpty();
    Check.needs(code != -Errno.ENOTSUP, "no cooperative yield");
    Check.equal(0, code, "the result of preempt");
    Check.equal(
        CompletionSink.SUCCESS, rig.await(first).status(), "the status of the running work");
    Ended after = rig.await(waiting);
    if (late && after.status() == CompletionSink.SUCCESS) {
      return false;
    }
    unbegun(after);
    return true;
  }

  private static Envelope busyFor(long busy, long us) {
    return new Envelope().program(busy).dispatch(0, Envelope.Argument.u64(us));
  }

  private static void spares(Rig rig) {
    Check.needs(granularity(rig) != Preemption.NONE, "no preemption");
    long context = rig.context(0, LIMIT_US);
    long busy = rig.program(context, "busy");
    Rig.Sub first = rig.submit(context, overdue(busy, granularity(rig)));
    Rig.Sub waiting = rig.submit(context, rig.noop(context));
    Ended overdue = preempted(rig, context, first, PreemptReason.EXECUTION_TIMEOUT);
    Check.equal(-Errno.ETIMEDOUT, overdue.detail(), "the detail of overdue work");
    Check.equal(
        CompletionSink.SUCCESS,
        rig.await(waiting).status(),
        "the status of work behind overdue work");
  }

  private static void preempt(Rig rig) {
    long context = rig.context();
    Envelope work =
        new Envelope()
            .program(rig.program(context, "busy"))
            .dispatch(0, Envelope.Argument.u64(20_000));
    List<Rig.Sub> subs = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      subs.add(rig.submit(context, work));
    }
    int code = rig.device().preempt(context, PreemptReason.PRIORITY_INVERSION);
    boolean none = granularity(rig) == Preemption.NONE;
    Check.that(
        code == 0 || none && code == -Errno.ENOTSUP,
        "the result of preempt is " + Errno.name(code));
    boolean back = false;
    for (Rig.Sub sub : subs) {
      Ended ended = rig.await(sub);
      if (back) {
        unbegun(ended);
      } else {
        Check.that(
            ended.status() == CompletionSink.SUCCESS || ended.status() == CompletionSink.PREEMPTED,
            "preempted work is " + ended.text());
        back = ended.status() == CompletionSink.PREEMPTED;
      }
    }
  }

  private static void preemptBad(Rig rig) {
    long context = rig.context();
    long gone = rig.context();
    rig.device().destroyContext(gone);
    int unknown = rig.device().preempt(gone, 0);
    int reason = rig.device().preempt(context, 9);
    Check.that(
        unknown <= 0 && reason <= 0, "the result of preempt is " + unknown + " and " + reason);
    Rig.Sub sub = rig.submit(context, rig.noop(context));
    Ended ended = sub.code() == 0 ? rig.await(sub) : null;
    Check.that(
        ended != null && ended.status() == CompletionSink.SUCCESS,
        "after a preempt with bad arguments the device does not work");
  }

  private static void executionLimit(Rig rig) {
    long context = rig.context();
    Preemption granularity = granularity(rig);
    Rig.Sub sub = rig.submit(context, overdue(rig.program(context, "busy"), granularity));
    int[] answer = {0};
    rig.until(
        () -> {
          answer[0] =
              Math.min(answer[0], rig.device().preempt(context, PreemptReason.EXECUTION_TIMEOUT));
          return !rig.core().told(sub.tag()).isEmpty();
        },
        "preempted work stayed on the engine");
    int status = rig.await(sub).status();
    if (granularity == Preemption.NONE && answer[0] == -Errno.ENOTSUP) {
      Check.equal(CompletionSink.SUCCESS, status, "the status without preemption");
    } else {
      Check.equal(0, answer[0], "the result of preempt");
      boolean stops =
          granularity == Preemption.INSTRUCTION || granularity == Preemption.DRAW_DISPATCH;
      Check.equal(
          stops ? CompletionSink.PREEMPTED : CompletionSink.TIMEOUT,
          status,
          "the status of overdue work with granularity " + granularity);
    }
    rig.success(context, rig.noop(context), "work after a limit");
  }

  /** Work that ends within the case's patience only if the device can stop it. */
  private static Envelope overdue(long busy, Preemption granularity) {
    Envelope envelope = new Envelope().program(busy);
    int dispatches = granularity == Preemption.DRAW_DISPATCH ? 8 : 1;
    long us = granularity == Preemption.INSTRUCTION ? 60_000_000 : 100_000;
    for (int i = 0; i < dispatches; i++) {
      envelope.dispatch(0, Envelope.Argument.u64(us));
    }
    return envelope;
  }
}
