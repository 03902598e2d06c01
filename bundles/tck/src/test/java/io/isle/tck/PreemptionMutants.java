package io.isle.tck;

import io.isle.api.base.Errno;
import io.isle.api.driver.CompletionSink;
import java.util.concurrent.atomic.AtomicBoolean;

/** Drivers that take preemption wrongly. */
final class PreemptionMutants {
  private static final String COMPLETE = "CompletionSink.complete";
  private static final String SUBMIT = "AccelDevice.submit";
  private static final String PREEMPT = "AccelDevice.preempt";

  private static final int EXECUTION_TIMEOUT = 2;
  private static final int ADMIN_EVICT = 3;

  private PreemptionMutants() {}

  static void add(Mutants to) {
    to.on(
        "preempt/ends-well",
        PREEMPT,
        (what, args, real, world) -> (int) args[1] == 0 ? -Errno.EIO : real.call(args));
    to.add("preempt/bad-argument-is-harmless", PreemptionMutants::broken);
    to.on(
        "preempt/execution-limit",
        COMPLETE,
        (what, args, real, world) ->
            (int) args[5] == -Errno.ETIMEDOUT
                ? real.call(args[0], CompletionSink.ERROR, args[2], args[3], args[4], args[5])
                : real.call(args));
    takenFor(to, "preempt/hands-back-what-waits", ADMIN_EVICT, EXECUTION_TIMEOUT);
    takenFor(to, "preempt/execution-limit-spares-what-waits", EXECUTION_TIMEOUT, ADMIN_EVICT);
  }

  /** One reason is taken for another. */
  private static void takenFor(Mutants to, String name, int reason, int other) {
    to.arguments(
        name,
        PREEMPT,
        (args, world) -> {
          if ((int) args[1] == reason) {
            args[1] = other;
          }
        });
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
