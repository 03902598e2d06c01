package io.isle.tck;

import io.isle.api.base.Errno;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.Programs;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Contexts: how many, what ends with them, what a reset does. */
final class ContextCases {
  private ContextCases() {}

  static List<Case> all() {
    return List.of(
        Case.of("context/limit", ContextCases::limit),
        Case.of("context/place-is-free-again", ContextCases::place),
        Case.of("context/unknown-is-refused", ContextCases::unknown),
        Case.of("context/submit-to-unknown", ContextCases::submitToUnknown),
        Case.of("context/destroy-ends-work", ContextCases::destroyEnds),
        Case.of("context/destroy-frees-memory", ContextCases::destroyFrees),
        Case.of("context/reset-ends-work", ContextCases::resetEnds),
        Case.of("context/nothing-after-reset", ContextCases::nothingAfterReset),
        Case.of("context/usable-after-reset", ContextCases::usable),
        Case.of("context/reset-spares-others", ContextCases::spares),
        Case.of("context/reset-device-ends-all", ContextCases::resetDevice));
  }

  private static void limit(Rig rig) {
    int most = rig.device().info().maxContexts();
    Check.needs(most <= 1024, "the device has more contexts than the suite opens");
    for (int i = 0; i < most; i++) {
      rig.context();
    }
    Check.refused("context " + (most + 1) + " of " + most, rig::context, Errno.ENOSPC);
  }

  private static void place(Rig rig) {
    int most = rig.device().info().maxContexts();
    Check.needs(most <= 1024, "the device has more contexts than the suite opens");
    long last = 0;
    for (int i = 0; i < most; i++) {
      last = rig.context();
    }
    rig.device().destroyContext(last);
    try {
      rig.context();
    } catch (DriverException e) {
      throw new Check.Broken("a destroyed context still takes its place: " + e.getMessage());
    }
  }

  private static void unknown(Rig rig) {
    long id = rig.newContextId();
    Check.refused("destroyContext of an unknown context", () -> rig.device().destroyContext(id));
    Check.refused("resetContext of an unknown context", () -> rig.device().resetContext(id));
    Check.refused(
        "allocate for an unknown context",
        () -> rig.device().allocate(id, rig.newMemoryId(), Rig.args(4096)));
    byte[] noop = "noop".getBytes(StandardCharsets.UTF_8);
    Check.refused(
        "load for an unknown context",
        () -> rig.programs().load(id, rig.newProgramId(), Programs.Kind.BUILTIN, noop));
  }

  private static void submitToUnknown(Rig rig) {
    long gone = rig.context();
    Envelope noop = rig.noop(gone);
    rig.device().destroyContext(gone);
    rig.fails(gone, new Envelope(), "an empty submission to a destroyed context");
    rig.fails(gone, noop, "a submission to a destroyed context");
    rig.fails(rig.newContextId(), new Envelope(), "a submission to a context that never existed");
  }

  private static List<Rig.Sub> inFlight(Rig rig, long context) {
    Envelope busy = rig.busy(context);
    return List.of(rig.submit(context, busy), rig.submit(context, busy), rig.submit(context, busy));
  }

  private static void ended(Rig rig, List<Rig.Sub> subs, String when) {
    rig.drain();
    for (Rig.Sub sub : subs) {
      List<Ended> told = rig.core().told(sub.tag());
      Check.that(sub.code() == 0 && !told.isEmpty(), "work is still in flight after " + when);
      Check.that(
          told.getFirst().status() != CompletionSink.SUCCESS, "work that was cut off succeeded");
    }
  }

  private static void destroyEnds(Rig rig) {
    long context = rig.context();
    List<Rig.Sub> subs = inFlight(rig, context);
    rig.device().destroyContext(context);
    ended(rig, subs, "destroyContext");
  }

  private static void destroyFrees(Rig rig) {
    long all = rig.device().info().localMemoryBytes();
    Check.needs(all > 0, "no device memory");
    long first = rig.context();
    rig.memory(first, all);
    rig.device().destroyContext(first);
    try {
      rig.memory(rig.context(), all);
    } catch (DriverException e) {
      throw new Check.Broken("memory of a destroyed context is not free: " + e.getMessage());
    }
  }

  private static void resetEnds(Rig rig) {
    long context = rig.context();
    List<Rig.Sub> subs = inFlight(rig, context);
    rig.device().resetContext(context);
    ended(rig, subs, "resetContext");
  }

  private static void nothingAfterReset(Rig rig) {
    long context = rig.context();
    List<Rig.Sub> subs = inFlight(rig, context);
    rig.device().resetContext(context);
    rig.drain();
    long other = rig.context();
    rig.success(other, rig.noop(other), "a no-op elsewhere after a reset");
    rig.settle(other);
    for (Rig.Sub sub : subs) {
      Check.that(
          rig.core().told(sub.tag()).size() <= 1, "work was completed again after its reset");
    }
  }

  private static void usable(Rig rig) {
    long context = rig.context();
    inFlight(rig, context);
    rig.device().resetContext(context);
    rig.drain();
    rig.success(context, rig.noop(context), "a no-op after resetContext");
  }

  private static void spares(Rig rig) {
    long first = rig.context();
    long second = rig.context();
    Rig.Sub other = rig.submit(second, rig.busy(second));
    rig.submit(first, rig.busy(first));
    rig.device().resetContext(first);
    rig.drain();
    Check.that(
        rig.core().told(other.tag()).isEmpty(), "a reset ended work of another context, too");
  }

  private static void resetDevice(Rig rig) {
    long first = rig.context();
    long second = rig.context();
    List<Rig.Sub> subs =
        List.of(rig.submit(first, rig.busy(first)), rig.submit(second, rig.busy(second)));
    rig.device().resetDevice();
    ended(rig, subs, "resetDevice");
  }
}
