package io.isle.tck;

import io.isle.api.base.Errno;
import io.isle.api.driver.FaultInjection.Fault;
import java.util.HashMap;
import java.util.Map;

/** Mutants of {@link FaultCases}. */
final class FaultMutants {
  private static final String INJECT = "FaultInjection.inject";

  private FaultMutants() {}

  static void add(Mutants to) {
    to.arguments(
        "fault/off-by-default",
        "Driver.open",
        (args, world) -> {
          Map<Object, Object> settings = new HashMap<>((Map<?, ?>) args[1]);
          settings.put("fault_injection", "true");
          args[1] = settings;
        });
    to.swallow("fault/bad-plan", INJECT, Errno.EINVAL);
    to.arguments("fault/after-and-count", INJECT, (args, world) -> args[1] = 0L);
    ignore(to, "fault/latency", Fault.LATENCY);
    ignore(to, "fault/context-error", Fault.CONTEXT_ERROR);
    ignore(to, "fault/partial-error", Fault.PARTIAL_ERROR);
    ignore(to, "fault/hang", Fault.HANG);
    ignore(to, "fault/lost-completion", Fault.LOST_COMPLETION);
  }

  /** A fault that is planned for at once never comes. */
  private static void ignore(Mutants to, String name, Fault fault) {
    to.on(
        name,
        INJECT,
        (what, args, real, world) -> {
          boolean good = args[0] == fault && (long) args[1] == 0 && (long) args[2] > 0;
          return good ? null : real.call(args);
        });
  }
}
