package io.isle.apps.jobs.spec;

import io.isle.api.driver.FaultInjection;
import io.isle.api.jobs.ActionValues;
import io.isle.api.jobs.SetupEvent;
import io.isle.api.jobs.SetupKind;
import io.isle.apps.jobs.formula.Numbers;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Reads {@code faults}. */
final class FaultParser {
  static final Set<String> KEYS =
      Set.of(
          "device",
          "step",
          "fault",
          "change",
          "after",
          "after_bytes",
          "after_ms",
          "count",
          "value");
  static final int MAX_FAULTS = 256;
  private static final int MAX_KEYS = 64;
  static final long MAX_COUNT = 1_000_000;

  /** Faults that drivers know, and those that come from outside; {@code hang} is one of these. */
  private static final Set<String> FAULTS = known();

  private static final List<String> TRIGGERS = List.of("after", "after_bytes", "after_ms");

  private final Parameters parameters;
  private final Collection<SetupKind> kinds;
  private final JobSpec.Setup setup;
  private final List<JobSpec.Stream> streams;

  /**
   * @param kinds of resources that other bundles bring
   * @param setup whose devices faults may act on
   * @param streams whose steps faults may act on, where they are actions
   */
  FaultParser(
      Parameters parameters,
      Collection<SetupKind> kinds,
      JobSpec.Setup setup,
      List<JobSpec.Stream> streams) {
    this.parameters = parameters;
    this.kinds = kinds;
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
    Optional<SetupKind> kind =
        at.entries(MAX_KEYS).keySet().stream()
            .flatMap(key -> kinds.stream().filter(one -> one.singular().equals(key)))
            .findFirst();
    return kind.isPresent() ? event(at, kind.get()) : deviceOrStep(at);
  }

  private JobSpec.Fault event(Located at, SetupKind kind) {
    Map<String, Located> all = at.entries(MAX_KEYS);
    if (all.containsKey("fault") == all.containsKey("change")) {
      throw at.error("needs '" + kind.singular() + "' and 'fault', or 'change'");
    }
    Located nameAt = all.get(all.containsKey("fault") ? "fault" : "change");
    String name = parameters.text(nameAt);
    List<SetupEvent> known =
        kind.events().stream().filter(one -> all.containsKey(one.key())).toList();
    SetupEvent event =
        known.stream()
            .filter(one -> one.name().equals(name))
            .findFirst()
            .orElseThrow(
                () ->
                    nameAt.error(
                        "'"
                            + name
                            + "' is not one of "
                            + known.stream()
                                .map(SetupEvent::name)
                                .collect(Collectors.joining(", "))));
    List<String> allowed =
        new ArrayList<>(List.of(kind.singular(), event.key(), "after", "after_bytes", "after_ms"));
    allowed.addAll(List.of(ParameterValues.names(event.parameters())));
    Map<String, Located> keys = at.mapping(allowed.toArray(String[]::new));
    JobSpec.NewResource on = resource(kind, keys.get(kind.singular()));
    ActionValues values = new ParameterValues(parameters).read(event.parameters(), keys, at);
    ParameterValues.report(kind.check(on.resource(), name, values), keys, at);
    return new JobSpec.Fault(
        "",
        Optional.empty(),
        Optional.of(new JobSpec.Occurrence(on, event, values)),
        name,
        trigger(at, keys),
        after(keys),
        1,
        0,
        at);
  }

  private JobSpec.NewResource resource(SetupKind kind, Located at) {
    String name = parameters.text(at);
    return setup.resources().stream()
        .filter(made -> made.kind() == kind && made.resource().name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                at.error(
                    "'"
                        + name
                        + "': faults and changes act only on "
                        + kind.key()
                        + " that 'setup' makes"));
  }

  private JobSpec.Fault deviceOrStep(Located at) {
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
    long count = number(keys.get("count"), 1);
    if (count < 1 || count > MAX_COUNT) {
      throw keys.get("count").error("must be a number from 1 to " + MAX_COUNT);
    }
    return new JobSpec.Fault(
        device,
        step,
        Optional.empty(),
        fault,
        trigger(at, keys),
        after(keys),
        count,
        number(keys.get("value"), 0),
        at);
  }

  private static JobSpec.Fault.Trigger trigger(Located at, Map<String, Located> keys) {
    if (keys.keySet().stream().filter(TRIGGERS::contains).count() > 1) {
      throw at.error("takes only one of 'after', 'after_bytes', 'after_ms'");
    }
    if (keys.containsKey("after_bytes")) {
      return JobSpec.Fault.Trigger.BYTES;
    }
    return keys.containsKey("after_ms") ? JobSpec.Fault.Trigger.MS : JobSpec.Fault.Trigger.PIECES;
  }

  private long after(Map<String, Located> keys) {
    return TRIGGERS.stream()
        .filter(keys::containsKey)
        .findFirst()
        .map(key -> number(keys.get(key), 0))
        .orElse(0L);
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
