package io.isle.spin.jobs;

import io.isle.api.jobs.ActionStep;
import io.isle.api.spin.HandlerTimes;
import io.isle.api.spin.RunResult;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Measures of a run; those of a handler that there is not have no value. */
final class RunMeasures {
  private static final List<String> HANDLERS = List.of("header", "packet", "tail");
  private static final List<String> OF_HANDLER =
      List.of("runs", "min_ns", "p50_ns", "p99_ns", "max_ns");

  static final Set<String> NAMES = names();

  private RunMeasures() {}

  private static Set<String> names() {
    Set<String> names =
        new LinkedHashSet<>(
            List.of(
                "packets",
                "handled",
                "unmatched",
                "dropped",
                "sent",
                "messages",
                "aborted",
                "traps",
                "failed_calls"));
    for (String handler : HANDLERS) {
      OF_HANDLER.forEach(measure -> names.add(handler + "_" + measure));
    }
    return Set.copyOf(names);
  }

  static void set(ActionStep step, RunResult result) {
    step.measure("packets", result.packets());
    step.measure("handled", result.stats().packets());
    step.measure("unmatched", result.unmatched());
    step.measure("dropped", result.stats().drops());
    step.measure("sent", result.sent());
    step.measure("messages", result.stats().messages());
    step.measure("aborted", result.stats().aborted());
    step.measure("traps", result.traps());
    step.measure("failed_calls", result.stats().failed());
    for (HandlerTimes times : result.times()) {
      String handler = times.handler() + "_";
      step.measure(handler + "runs", times.runs());
      step.measure(handler + "min_ns", times.ns().min());
      step.measure(handler + "p50_ns", times.ns().p50());
      step.measure(handler + "p99_ns", times.ns().p99());
      step.measure(handler + "max_ns", times.ns().max());
    }
  }
}
