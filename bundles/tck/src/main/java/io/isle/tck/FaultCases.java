package io.isle.tck;

import io.isle.api.base.Errno;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.FaultInjection;
import io.isle.api.driver.FaultInjection.Fault;
import java.time.Duration;
import java.util.List;

/** Planned faults, of drivers that offer them. */
final class FaultCases {
  /** How long nothing is to come. */
  private static final Duration LINGER = Duration.ofMillis(30);

  /** More than a no-op takes on a machine that is busy with others. */
  private static final long LATENCY_NS = 50_000_000;

  private FaultCases() {}

  static List<Case> all() {
    return List.of(
        Case.of("fault/off-by-default", FaultCases::off),
        Case.withFaults("fault/bad-plan", FaultCases::bad),
        Case.withFaults("fault/after-and-count", FaultCases::plan),
        Case.withFaults("fault/latency", FaultCases::latency),
        Case.withFaults("fault/context-error", FaultCases::contextError),
        Case.withFaults("fault/partial-error", FaultCases::partial),
        Case.withFaults("fault/hang", FaultCases::hang),
        Case.withFaults("fault/lost-completion", FaultCases::lost));
  }

  private static void off(Rig rig) {
    boolean setting =
        rig.subject().info().settings().stream()
            .anyMatch(known -> known.key().equals("fault_injection"));
    boolean offered = rig.device().extension(FaultInjection.class).isPresent();
    Check.needs(setting || offered, "no planned faults");
    Check.that(!offered, "faults are offered though fault_injection is false");
  }

  private static void bad(Rig rig) {
    FaultInjection faults = rig.faults();
    Check.refused("a count of 0", () -> faults.inject(Fault.LATENCY, 0, 0, 1), Errno.EINVAL);
  }

  private static Ended noop(Rig rig, long context) {
    return rig.await(rig.submit(context, rig.noop(context)));
  }

  private static void plan(Rig rig) {
    rig.faults().inject(Fault.PARTIAL_ERROR, 2, 2, 0);
    long context = rig.context();
    StringBuilder found = new StringBuilder();
    for (int i = 0; i < 6; i++) {
      found.append(noop(rig, context).status() == CompletionSink.SUCCESS ? '.' : 'x');
    }
    Check.equal("..xx..", found.toString(), "the number of the submission with the fault, of six,");
  }

  private static void latency(Rig rig) {
    long context = rig.context();
    rig.faults().inject(Fault.LATENCY, 0, 1, LATENCY_NS);
    long before = System.nanoTime();
    Ended ended = noop(rig, context);
    Check.that(
        ended.status() == CompletionSink.SUCCESS && System.nanoTime() - before >= LATENCY_NS,
        "a completion that is to be 50 ms late comes at once, or fails");
  }

  private static void contextError(Rig rig) {
    long context = rig.context();
    rig.faults().inject(Fault.CONTEXT_ERROR, 0, 1, 0);
    Check.equal(CompletionSink.ERROR, noop(rig, context).status(), "the status");
    long other = rig.context();
    rig.success(other, rig.noop(other), "a no-op of another context");
  }

  private static void partial(Rig rig) {
    long context = rig.context();
    rig.faults().inject(Fault.PARTIAL_ERROR, 0, 1, 0);
    Ended ended = noop(rig, context);
    boolean counted = ended.status() != CompletionSink.PARTIAL_ERROR || ended.detail() > 0;
    Check.that(
        ended.status() != CompletionSink.SUCCESS && counted,
        "a partial error ends with " + ended.text() + ", detail " + ended.detail());
  }

  private static void hang(Rig rig) {
    long context = rig.context();
    rig.faults().inject(Fault.HANG, 0, 1, 0);
    Rig.Sub hung = rig.submit(context, rig.noop(context));
    ended(rig, context, hung);
  }

  private static void lost(Rig rig) {
    long context = rig.context();
    rig.faults().inject(Fault.LOST_COMPLETION, 0, 1, 0);
    Rig.Sub lost = rig.submit(context, rig.noop(context));
    ended(rig, context, lost);
  }

  /** Nothing comes until the reset, and an error with it. */
  private static void ended(Rig rig, long context, Rig.Sub sub) {
    rig.linger(LINGER);
    Check.that(rig.core().told(sub.tag()).isEmpty(), "the completion came");
    rig.device().resetContext(context);
    Ended ended = rig.await(sub);
    Check.equal(CompletionSink.ERROR, ended.status(), "the status after resetContext");
  }
}
