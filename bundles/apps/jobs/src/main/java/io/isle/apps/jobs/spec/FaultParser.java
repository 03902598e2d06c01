package io.isle.apps.jobs.spec;

import io.isle.api.driver.FaultInjection;
import io.isle.apps.jobs.formula.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Reads {@code faults}. */
final class FaultParser {
  static final int MAX_FAULTS = 256;
  static final long MAX_COUNT = 1_000_000;

  /** Faults that drivers know, and those that come from outside; {@code hang} is one of these. */
  private static final Set<String> FAULTS = known();

  private final Parameters parameters;
  private final JobSpec.Setup setup;
  private final List<JobSpec.Stream> streams;

  /**
   * @param setup whose devices faults may act on
   * @param streams whose steps faults may act on, where they are actions
   */
  FaultParser(Parameters parameters, JobSpec.Setup setup, List<JobSpec.Stream> streams) {
    this.parameters = parameters;
    this.setup = setup;
    this.streams = streams;
  }

  private static Set<String> known() {
    Set<String> names = new TreeSet<>(List.of(JobSpec.Fault.KILL, JobSpec.Fault.STUCK));
    for (FaultInjection.Fault fault : FaultInjection.Fault.values()) {
      names.add(fault.name().toLowerCase(Locale.ROOT));
    }
    return names;
  }

  List<JobSpec.Fault> faults(Located section) {
    List<JobSpec.Fault> faults = new ArrayList<>();
    if (section != null) {
      for (Located at : section.sequence(MAX_FAULTS)) {
        faults.add(fault(at));
      }
    }
    return List.copyOf(faults);
  }

  private JobSpec.Fault fault(Located at) {
    Map<String, Located> keys =
        at.mapping("device", "step", "fault", "after", "after_bytes", "after_ms", "count", "value");
    if (keys.containsKey("device") == keys.containsKey("step") || !keys.containsKey("fault")) {
      throw at.error("needs 'device' and 'fault', or 'step' and 'fault'");
    }
    Located faultAt = keys.get("fault");
    String fault = parameters.text(faultAt);
    String device = "";
    Optional<Buffers.StepRef> step = Optional.empty();
    if (keys.containsKey("device")) {
      device = device(keys.get("device"));
      check(faultAt, fault, FAULTS);
    } else {
      step = Optional.of(ref(keys.get("step")));
      check(faultAt, fault, faults(step.get(), keys.get("step")));
    }
    List<String> triggers = keys.keySet().stream().filter(key -> key.startsWith("after")).toList();
    if (triggers.size() > 1) {
      throw at.error("takes only one of 'after', 'after_bytes', 'after_ms'");
    }
    String trigger = triggers.isEmpty() ? "after" : triggers.getFirst();
    long count = number(keys.get("count"), 1);
    if (count < 1 || count > MAX_COUNT) {
      throw keys.get("count").error("must be a number from 1 to " + MAX_COUNT);
    }
    return new JobSpec.Fault(
        device,
        step,
        fault,
        switch (trigger) {
          case "after_bytes" -> JobSpec.Fault.Trigger.BYTES;
          case "after_ms" -> JobSpec.Fault.Trigger.MS;
          default -> JobSpec.Fault.Trigger.PIECES;
        },
        number(keys.get(trigger), 0),
        count,
        number(keys.get("value"), 0),
        at);
  }

  private static void check(Located at, String fault, Set<String> known) {
    if (!known.contains(fault)) {
      throw at.error("'" + fault + "' is not one of " + String.join(", ", known));
    }
  }

  private String device(Located at) {
    String device = parameters.text(at);
    if (setup.devices().stream().noneMatch(made -> made.id().equals(device))) {
      throw at.error("'" + device + "': faults act only on devices that 'setup' makes");
    }
    return device;
  }

  /** Without a stream it is one of the first: of the only one, most of the time. */
  private Buffers.StepRef ref(Located at) {
    return BufferParser.stepRef(streams.getFirst().name(), parameters.text(at));
  }

  private Set<String> faults(Buffers.StepRef ref, Located at) {
    JobSpec.Step step =
        streams.stream()
            .filter(stream -> stream.name().equals(ref.stream()))
            .flatMap(stream -> stream.steps().stream())
            .filter(each -> each.name().equals(ref.step()))
            .findFirst()
            .orElseThrow(
                () ->
                    at.error(
                        "no step '"
                            + ref.text()
                            + "' exists; write STREAM/STEP, or STEP"
                            + " for a step of the first stream"));
    Set<String> faults =
        new TreeSet<>(step.action().map(call -> call.action().faults()).orElse(Set.of()));
    if (faults.isEmpty()) {
      throw at.error(
          "the step '" + ref.text() + "' has no faults; give 'device' instead of 'step'");
    }
    return faults;
  }

  private long number(Located at, long otherwise) {
    if (at == null) {
      return otherwise;
    }
    long value = Numbers.size(parameters.text(at)).orElse(-1);
    if (value < 0) {
      throw at.error("must be a whole number, 0 or more");
    }
    return value;
  }
}
