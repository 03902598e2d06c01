package io.isle.apps.jobs.run;

import io.isle.api.accel.Buffer;
import io.isle.apps.jobs.data.ElementType;
import io.isle.apps.jobs.data.HostArray;
import io.isle.apps.jobs.kernel.Extents;
import io.isle.apps.jobs.kernel.Invocation;
import io.isle.apps.jobs.spec.Buffers;
import io.isle.apps.jobs.spec.JobSpec;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * How the buffers of a step that has them on the device as a whole are held: which memory the
 * program is given, and where contents come from before each run. Used by the stream's thread.
 */
final class WholeParts {
  private final StepRun run;
  private final JobSpec.Step step;
  private final Buffers buffers;
  private final Rules rules;
  private final Extents extents;
  private final Map<String, HostInput> hosts;
  private final Arena arena;

  /** Device memory that copies for the kernel may still take. */
  private long room;

  /** Bindings that such copies may still take. */
  private int spare;

  /**
   * What is known of a step's programs.
   *
   * @param writes whether they may write the buffer of that number
   * @param zeros whether outputs begin as zeros
   * @param loop whether inputs that are written must be had again while the step runs
   * @param temps outputs that only the step itself has
   */
  record Rules(IntPredicate writes, boolean zeros, boolean loop, List<Buffers.Output> temps) {
    static Rules of(StepRun run, Invocation invocation) {
      return new Rules(
          invocation.arguments()::writes, run.step().program().isKernel(), false, List.of());
    }
  }

  /**
   * @param hosts inputs that no crash of a device takes
   * @param arena takes what outputs begin with
   */
  WholeParts(StepRun run, Rules rules, Extents extents, Map<String, HostInput> hosts, Arena arena) {
    this.run = run;
    this.step = run.step();
    this.buffers = step.buffers();
    this.rules = rules;
    this.extents = extents;
    this.hosts = hosts;
    this.arena = arena;
  }

  /** All of them, in the order of the step's buffers. */
  List<Part> all() throws InterruptedException {
    spare = Buffers.MAX - buffers.names().size();
    if (step.runsAgain()) {
      room = run.stream().freeMemory() - needed();
    }
    List<Part> parts = new ArrayList<>();
    for (Buffers.Input input : buffers.inputs()) {
      parts.add(input(input));
    }
    for (Buffers.Output output : buffers.outputs()) {
      if (buffers.input(output.name()).isEmpty()) {
        parts.add(output(output, Part.Role.OUTPUT));
      }
    }
    for (Buffers.Output temp : rules.temps()) {
      parts.add(output(temp, Part.Role.TEMP));
    }
    return parts;
  }

  /** Device memory for all buffers, without copies. */
  private long needed() {
    long bytes = hosts.values().stream().mapToLong(HostInput::bytes).sum();
    for (Buffers.Output output : buffers.outputs()) {
      bytes += output.shape().isPresent() ? needed(output) : 0;
    }
    return bytes + rules.temps().stream().mapToLong(this::needed).sum();
  }

  private long needed(Buffers.Output output) {
    List<Long> shape = extents.shape(output.shape().orElseThrow());
    return ArrayBytes.of(output.where(), output.type().orElseThrow(), shape);
  }

  private Part input(Buffers.Input input) {
    Part.Role role = role(input.name());
    if (input.source() instanceof Buffers.Source.OfStep source) {
      Results.Made made = run.env().results().get(source);
      if (made.stream() == run.stream()) {
        return near(input, made, role);
      }
    }
    HostInput host = hosts.get(input.name());
    int flags = step.replay() && role == Part.Role.READ ? Buffer.RETAINED : 0;
    Resident resident =
        resident(
            input.name(),
            ArrayBytes.of(input.where(), host.type(), host.shape()),
            flags,
            host.contents(run.clock()));
    boolean copied =
        role == Part.Role.DROPPED && step.runsAgain() && resident.bytes() <= room && spare > 0;
    if (!copied) {
      return part(input.name(), host.type(), host.shape(), resident, role, null, true);
    }
    room -= resident.bytes();
    spare--;
    return part(
        input.name(),
        host.type(),
        host.shape(),
        copy(input.name(), resident.bytes()),
        role,
        resident,
        true);
  }

  private Part.Role role(String name) {
    if (buffers.output(name).isPresent()) {
      return Part.Role.IN_PLACE;
    }
    return rules.writes().test(buffers.names().indexOf(name)) ? Part.Role.DROPPED : Part.Role.READ;
  }

  /**
   * What an earlier step made on this device: others may read it, and it can only be made again.
   */
  private Part near(Buffers.Input input, Results.Made made, Part.Role role) {
    boolean copied =
        role == Part.Role.IN_PLACE
            || (role == Part.Role.DROPPED && (rules.loop() || isNeededAgain(input)));
    return copied
        ? part(
            input.name(),
            made.type(),
            made.shape(),
            copy(input.name(), made.resident().bytes()),
            role,
            made.resident(),
            false)
        : part(input.name(), made.type(), made.shape(), made.resident(), role, null, false);
  }

  /** Whether this step, a later one or an expectation reads it once more. */
  private boolean isNeededAgain(Buffers.Input input) {
    Buffers.Source.OfStep source = (Buffers.Source.OfStep) input.source();
    return step.runsAgain()
        || run.env().results().near(source.step(), source.buffer()) > 1
        || buffers.outputs().stream()
            .flatMap(output -> output.expect().flatMap(Buffers.Expect::value).stream())
            .anyMatch(formula -> formula.value().names().contains(input.name()));
  }

  private Resident copy(String name, long bytes) {
    return resident(name + " (a copy for the program)", bytes, 0, null);
  }

  private Resident resident(String name, long bytes, int flags, Resident.Contents contents) {
    return new Resident(run.env(), step.name() + "." + name, bytes, flags, contents);
  }

  /**
   * @param ownOrigin whether the memory where the contents come from is this step's, too
   */
  private static Part part(
      String name,
      ElementType type,
      List<Long> shape,
      Resident resident,
      Part.Role role,
      Resident origin,
      boolean ownOrigin) {
    List<Resident> own = new ArrayList<>();
    if (origin != null || ownOrigin) {
      own.add(resident);
    }
    if (origin != null && ownOrigin) {
      own.add(origin);
    }
    return new Part(name, type, shape, resident, role, origin, Optional.empty(), own);
  }

  private Part output(Buffers.Output output, Part.Role role) throws InterruptedException {
    ElementType type = output.type().orElseThrow();
    List<Long> shape = extents.shape(output.shape().orElseThrow());
    long bytes = ArrayBytes.of(output.where(), type, shape);
    Optional<Filling> filling = Filling.of(rules.zeros(), output, type);
    Optional<HostArray> initial = InitialContents.of(run, output, filling, type, shape, arena);
    if (initial.isPresent()) {
      // as an input that is changed in place
      Resident resident =
          resident(output.name(), bytes, 0, Resident.copyOf(initial.get().bytes(), run.clock()));
      Part.Role begun = role == Part.Role.TEMP ? Part.Role.DROPPED : Part.Role.IN_PLACE;
      return part(output.name(), type, shape, resident, begun, null, true);
    }
    Resident resident = resident(output.name(), bytes, 0, null);
    return new Part(output.name(), type, shape, resident, role, null, filling, List.of(resident));
  }
}
