package io.isle.tck;

import io.isle.api.base.Errno;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.DeviceInfo.Preemption;
import java.util.ArrayList;
import java.util.List;

/** Work that leaves the engine because it is told to, as finely as the device says it can. */
final class PreemptionCases {
  private static final int PRIORITY_INVERSION = 0;
  private static final int EXECUTION_TIMEOUT = 2;
  private static final int ADMIN_EVICT = 3;

  /** Of one submission: less than overdue work takes, more than a no-op. */
  private static final long LIMIT_US = 20_000;

  private PreemptionCases() {}

  static List<Case> all() {
    return List.of(
        Case.of("preempt/ends-well", PreemptionCases::preempt),
        Case.of("preempt/bad-argument-is-harmless", PreemptionCases::preemptBad),
        Case.of("preempt/hands-back-what-waits", PreemptionCases::handsBack),
        Case.of("preempt/execution-limit", PreemptionCases::executionLimit),
        Case.of("preempt/execution-limit-spares-what-waits", PreemptionCases::spares));
  }

  private static Preemption granularity(Rig rig) {
    return rig.device().info().preemption();
  }

  /** Preempts until the submission has ended, as a core does that is not heard. */
  private static Ended preempted(Rig rig, long context, Rig.Sub sub, int reason) {
    rig.until(
        () -> {
          Check.equal(0, rig.device().preempt(context, reason), "what preempt answers");
          return !rig.core().told(sub.tag()).isEmpty();
        },
        "work that was told to leave the engine stayed on it");
    return rig.await(sub);
  }

  private static void handsBack(Rig rig) {
    Check.needs(granularity(rig) != Preemption.NONE, "no preemption");
    long context = rig.context();
    long busy = rig.program(context, "busy");
    Rig.Sub first = rig.submit(context, overdue(busy, granularity(rig)));
    Rig.Sub waiting = rig.submit(context, rig.noop(context));
    var ignored = preempted(rig, context, first, ADMIN_EVICT);
    Ended ended = rig.await(waiting);
    Check.equal(CompletionSink.PREEMPTED, ended.status(), "the status of work that had not begun");
    Check.equal(-Errno.EAGAIN, ended.detail(), "the detail of work that had not begun");
  }

  private static void spares(Rig rig) {
    Check.needs(granularity(rig) != Preemption.NONE, "no preemption");
    long context = rig.context(0, LIMIT_US);
    long busy = rig.program(context, "busy");
    Rig.Sub first = rig.submit(context, overdue(busy, granularity(rig)));
    Rig.Sub waiting = rig.submit(context, rig.noop(context));
    var ignored = preempted(rig, context, first, EXECUTION_TIMEOUT);
    Check.equal(
        CompletionSink.SUCCESS,
        rig.await(waiting).status(),
        "the status of work behind what was overdue");
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
    int code = rig.device().preempt(context, PRIORITY_INVERSION);
    boolean none = granularity(rig) == Preemption.NONE;
    Check.that(code == 0 || none && code == -Errno.ENOTSUP, "preempt answers " + Errno.name(code));
    for (Rig.Sub sub : subs) {
      int status = rig.await(sub).status();
      Check.that(
          status == CompletionSink.SUCCESS || status == CompletionSink.PREEMPTED,
          "preempted work ends with status " + status);
    }
  }

  private static void preemptBad(Rig rig) {
    long context = rig.context();
    long gone = rig.context();
    rig.device().destroyContext(gone);
    int unknown = rig.device().preempt(gone, 0);
    int reason = rig.device().preempt(context, 9);
    Check.that(unknown <= 0 && reason <= 0, "preempt answers " + unknown + " and " + reason);
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
          answer[0] = Math.min(answer[0], rig.device().preempt(context, EXECUTION_TIMEOUT));
          return !rig.core().told(sub.tag()).isEmpty();
        },
        "work that was told to leave the engine stayed on it");
    int status = rig.await(sub).status();
    if (granularity == Preemption.NONE) {
      Check.equal(-Errno.ENOTSUP, answer[0], "what preempt answers without preemption");
      Check.equal(CompletionSink.SUCCESS, status, "the status without preemption");
    } else {
      Check.equal(0, answer[0], "what preempt answers");
      boolean fine = granularity != Preemption.COMMAND_BUFFER;
      Check.equal(
          fine ? CompletionSink.PREEMPTED : CompletionSink.TIMEOUT,
          status,
          "the status of overdue work with granularity " + granularity);
    }
    rig.success(context, rig.noop(context), "work after a limit");
  }

  /** Work that ends within the case's patience only if the device can stop it. */
  private static Envelope overdue(long busy, Preemption granularity) {
    Envelope envelope = new Envelope().program(busy);
    int dispatches = granularity == Preemption.DRAW_DISPATCH ? 8 : 1;
    long us = granularity == Preemption.INSTRUCTION ? 60_000_000 : 200_000;
    for (int i = 0; i < dispatches; i++) {
      envelope.dispatch(0, Envelope.Argument.u64(us));
    }
    return envelope;
  }
}
