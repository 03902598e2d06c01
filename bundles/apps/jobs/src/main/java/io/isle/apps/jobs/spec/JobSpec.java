package io.isle.apps.jobs.spec;

import io.isle.api.device.DeviceClass;
import io.isle.api.device.Priority;
import io.isle.api.jobs.ActionValues;
import io.isle.api.jobs.SetupEvent;
import io.isle.api.jobs.SetupKind;
import io.isle.api.jobs.SetupResource;
import io.isle.apps.jobs.formula.Expression;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiConsumer;

/** A job file whose parameters have their values: checked, and ready to run. Immutable. */
public record JobSpec(
    String name,
    Device device,
    Setup setup,
    List<Stream> streams,
    List<Fault> faults,
    Patience patience,
    Optional<Timeline> timeline,
    List<Claim> claims) {
  /** Hands over each step of all streams, with its name in the job. */
  public void eachStep(BiConsumer<Buffers.StepRef, Step> use) {
    for (Stream stream : streams) {
      stream.steps().forEach(step -> use.accept(stream.ref(step), step));
    }
  }

  /** A file that a step reads or writes, and the place in the job file that says so. */
  public record FileUse(Path path, Located where) {
    private static List<FileUse> of(List<Path> files, Located where) {
      return files.stream().map(file -> new FileUse(file, where)).toList();
    }
  }

  /**
   * Which device is wanted; empty parts match all.
   *
   * @param memoryBytes free memory that it must have
   */
  public record Device(Optional<String> id, Optional<DeviceClass> deviceClass, long memoryBytes) {}

  /** What exists only for the job. */
  public record Setup(
      List<NewDevice> devices,
      List<NewGroup> groups,
      List<Settings> settings,
      List<NewResource> resources) {
    public boolean isEmpty() {
      return devices.isEmpty() && groups.isEmpty() && settings.isEmpty() && resources.isEmpty();
    }
  }

  /** A resource of another bundle's kind that is made for the job. */
  public record NewResource(SetupKind kind, SetupResource resource, Located where) {}

  /** An event on a resource that is made for the job. */
  public record Occurrence(NewResource on, SetupEvent event, ActionValues values) {}

  /** A group of tenants that is made for the job, with the keys of its settings file. */
  public record NewGroup(String name, Map<String, String> keys, Located where) {}

  /** A device that is made for the job, with its settings, {@code driver} among them. */
  public record NewDevice(String id, Map<String, String> settings, Located where) {}

  /** Settings of a configuration that hold during the job. */
  public record Settings(String pid, Map<String, String> values, Located where) {}

  /**
   * How much a job bears.
   *
   * @param retries times that one piece of work is done again after a recovery, 0 or more
   * @param recoveryNs longest wait for the device or the platform's services to come back
   */
  public record Patience(int retries, long recoveryNs) {}

  /**
   * Steps that run one after the other in one context.
   *
   * @param group of tenants that its contexts belong to
   * @param priority empty for what its group has
   * @param maxExecutionUs limit of one piece of work; absent for the device's default
   * @param guarantee device time of its own, out of its group's
   */
  public record Stream(
      String name,
      String group,
      Optional<Priority> priority,
      OptionalLong maxExecutionUs,
      Optional<Guarantee> guarantee,
      List<Step> steps) {
    /** The name of one of its steps in the job. */
    public Buffers.StepRef ref(Step step) {
      return new Buffers.StepRef(name, step.name());
    }

    /** With other steps. */
    public Stream withSteps(List<Step> others) {
      return new Stream(name, group, priority, maxExecutionUs, guarantee, others);
    }

    /** Whether the core may keep and replay work of this stream. */
    public boolean replays() {
      return steps.stream().anyMatch(Step::replay);
    }
  }

  /** So much time of a whole device in each period. */
  public record Guarantee(long quotaUs, long periodUs) {}

  /** A picture of which group ran when. */
  public record Timeline(Path file, Located where) {}

  /**
   * One run of a program over an input, or over none.
   *
   * @param programs in the order of preference, at least one unless it is an action or a loop
   * @param buffers those that its program works on
   * @param action what it does instead of running a program: then {@code programs} has none
   * @param loop what it does over and over instead: then {@code programs} has none, too
   * @param device where it runs, if not on the job's
   * @param after steps of any stream that must be done before it begins
   * @param repeat times that it runs; {@link #UNTIL_FAULTS} until the faults have happened
   * @param pace how its pieces of work follow each other
   * @param verify whether each result is compared with what the CPU computes
   * @param replay whether the core keeps the input and starts interrupted work again by itself
   */
  public record Step(
      String name,
      List<StepProgram> programs,
      Buffers buffers,
      Optional<ActionCall> action,
      Optional<Loop> loop,
      Optional<Device> device,
      List<After> after,
      int repeat,
      Pace pace,
      boolean verify,
      boolean replay,
      Located where) {
    /** A value of {@code repeat}. */
    public static final int UNTIL_FAULTS = 0;

    public Step {
      programs = List.copyOf(programs);
    }

    /** Whether its input is needed more than once. */
    public boolean runsAgain() {
      return repeat != 1 || pace.forNs() > 0;
    }

    /** Files that it reads, to compare with as well. */
    public List<FileUse> inputs() {
      return action
          .map(call -> FileUse.of(call.inputs(), call.where()))
          .orElseGet(this::bufferFiles);
    }

    private List<FileUse> bufferFiles() {
      List<FileUse> files = new ArrayList<>(buffers.inputFiles());
      loop.ifPresent(
          turns ->
              files.addAll(
                  new Buffers(List.of(), turns.temps(), Optional.empty(), true).inputFiles()));
      return files;
    }

    /** Files that it writes. */
    public List<FileUse> outputs() {
      return action
          .map(call -> FileUse.of(call.outputs(), call.where()))
          .orElseGet(() -> buffers.outputFiles());
    }

    /** The program that runs: once the device is known, the only one. */
    public StepProgram program() {
      return programs.getFirst();
    }

    /** All programs that it may run, those of a loop too. */
    public List<StepProgram> allPrograms() {
      return loop.map(
              turns -> turns.calls().stream().flatMap(call -> call.programs().stream()).toList())
          .orElse(programs);
    }

    /** Places in the lists of its programs. */
    public int choices() {
      return loop.map(
              turns ->
                  turns.calls().stream().mapToInt(call -> call.programs().size()).max().orElse(0))
          .orElse(programs.size());
    }

    /** With the programs of that place alone; the last ones when there are fewer. */
    public Step withProgram(int choice) {
      return new Step(
          name,
          programs.isEmpty()
              ? programs
              : List.of(programs.get(Math.min(choice, programs.size() - 1))),
          buffers,
          action,
          loop.map(turns -> turns.withProgram(choice)),
          device,
          after,
          repeat,
          pace,
          verify,
          replay,
          where);
    }
  }

  /**
   * How a step's pieces of work follow each other.
   *
   * @param forNs how long it runs, over and over; 0 for as often as it is repeated
   * @param periodNs one submission in each; 0 for one as soon as there is room
   * @param depth pieces on their way at a time; 0 for the default
   * @param pieces sizes of pieces in bytes, taken in turn; none for the default
   * @param hold device memory in bytes that it takes besides, as much of it as it gets
   * @param barrier steps with the same one begin together, and are measured
   */
  public record Pace(
      long forNs,
      long periodNs,
      int depth,
      List<Long> pieces,
      long hold,
      Optional<String> barrier) {
    /** As fast as it goes, once. */
    public static final Pace FREE = new Pace(0, 0, 0, List.of(), 0, Optional.empty());

    public Pace {
      pieces = List.copyOf(pieces);
    }
  }

  /** A step that must be done before. */
  public record After(Buffers.StepRef step, Located where) {}

  /**
   * A fault that is brought about on a device of {@link Setup}, in a step that is an action, or on
   * another resource of {@link Setup}.
   *
   * @param device empty for another fault
   * @param step empty for another fault
   * @param occurrence empty for another fault
   * @param fault name of the driver's fault, {@link #KILL}, {@link #HANG} or {@link #STUCK}; or of
   *     the action's
   * @param trigger what {@code after} counts since the fault before it
   * @param count how often it happens
   * @param value parameter of the driver's fault
   */
  public record Fault(
      String device,
      Optional<Buffers.StepRef> step,
      Optional<Occurrence> occurrence,
      String fault,
      Trigger trigger,
      long after,
      long count,
      long value,
      Located where) {
    /** Ends the process of the device's driver from outside. */
    public static final String KILL = "kill";

    /** Stops that process, so that it makes no progress and does not answer. */
    public static final String HANG = "hang";

    /** The driver's own fault of that name: one piece of work does not leave the engine. */
    public static final String STUCK = "stuck";

    /** What must go by before a fault happens: finished pieces or input bytes, or time. */
    public enum Trigger {
      PIECES,
      BYTES,
      MS
    }

    /** Whether the device is expected to be recovered after it. */
    public boolean endsDriver() {
      return !device.isEmpty() && CRASHES.contains(fault);
    }

    /** Whether it is a fault, and no orderly change. */
    public boolean counts() {
      return occurrence.isEmpty() || occurrence.get().event().fault();
    }

    /** Faults that end the driver or take it out of use. */
    public static final List<String> CRASHES = List.of("segv", "abort", "exit", KILL, HANG);
  }

  /** A statement that must hold at the end. */
  public record Claim(String name, Expression value, Comparison comparison, Expression goal) {
    /** The measures in it. */
    public Set<String> names() {
      Set<String> names = new HashSet<>(value.names());
      names.addAll(goal.names());
      return names;
    }
  }
}
