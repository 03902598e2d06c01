package io.isle.tck;

import io.isle.api.base.Errno;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.PreemptReason;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/** Drivers that take preemption wrongly. */
final class PreemptionMutants {
  private static final String COMPLETE = "CompletionSink.complete";
  private static final String SUBMIT = "AccelDevice.submit";
  private static final String PREEMPT = "AccelDevice.preempt";

  private PreemptionMutants() {}

  static void add(Mutants to) {
    to.add(
        "preempt/ends-well",
        () ->
            at(
                "instruction",
                (what, args, real, world) ->
                    what.equals(PREEMPT) && (int) args[1] == 0 ? -Errno.EIO : real.call(args)));
    to.add("preempt/bad-argument-is-harmless", PreemptionMutants::broken);
    to.add("preempt/execution-limit", () -> at("instruction", overdue(CompletionSink.ERROR)));
    to.add("preempt/limit-draw-dispatch", () -> at("draw_dispatch", overdue(CompletionSink.ERROR)));
    to.add(
        "preempt/limit-command-buffer",
        () -> at("command_buffer", overdue(CompletionSink.SUCCESS)));
    to.add("preempt/limit-none", () -> at("none", answering(true, 0)));
    to.add(
        "preempt/yield-command-buffer", () -> at("command_buffer", answering(false, -Errno.EIO)));
    to.add("preempt/yield-none", () -> at("none", answering(false, 0)));
    takenFor(
        to,
        "preempt/hands-back-what-waits",
        PreemptReason.ADMIN_EVICT,
        PreemptReason.EXECUTION_TIMEOUT);
    takenFor(
        to, "preempt/fairness", PreemptReason.FAIRNESS_TIMEOUT, PreemptReason.EXECUTION_TIMEOUT);
    takenFor(
        to,
        "preempt/execution-limit-spares-what-waits",
        PreemptReason.EXECUTION_TIMEOUT,
        PreemptReason.ADMIN_EVICT);
  }

  /** One reason is taken for another. */
  private static void takenFor(Mutants to, String name, int reason, int other) {
    to.add(
        name,
        () ->
            at(
                "instruction",
                (what, args, real, world) ->
                    what.equals(PREEMPT) && (int) args[1] == reason
                        ? real.call(args[0], other)
                        : real.call(args)));
  }

  /** {@code hook} comes between where the device was opened with that granularity. */
  private static Hook at(String granularity, Hook hook) {
    AtomicBoolean on = new AtomicBoolean();
    return (what, args, real, world) -> {
      if (what.equals("Driver.open")) {
        on.set(granularity.equals(((Map<?, ?>) args[1]).get("preemption")));
      }
      return on.get() ? hook.on(what, args, real, world) : real.call(args);
    };
  }

  /** Work whose time was up ends with that status. */
  private static Hook overdue(int status) {
    return (what, args, real, world) -> {
      Object[] changed = args.clone();
      if (what.equals(COMPLETE) && (int) args[5] == -Errno.ETIMEDOUT) {
        changed[1] = status;
      }
      return real.call(changed);
    };
  }

  /** Nothing is done, but answered, for a limit or for the other reasons. */
  private static Hook answering(boolean limit, int code) {
    return (what, args, real, world) ->
        what.equals(PREEMPT) && ((int) args[1] == PreemptReason.EXECUTION_TIMEOUT) == limit
            ? code
            : real.call(args);
  }

  private static Hook broken() {
    AtomicBoolean broken = new AtomicBoolean();
    return (what, args, real, world) -> {
      if (what.equals(PREEMPT) && (int) args[1] == 9) {
        broken.set(true);
      }
      return what.equals(SUBMIT) && broken.get() ? -Errno.ENODEV : real.call(args);
    };
  }
}
