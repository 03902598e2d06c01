package io.isle.apps.jobs.spec;

import io.isle.api.device.DeviceClass;
import io.isle.api.device.Priority;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** A job file whose parameters have their values: checked, and ready to run. Immutable. */
public record JobSpec(
    String name,
    Device device,
    Setup setup,
    List<Stream> streams,
    List<Fault> faults,
    Patience patience,
    List<Claim> claims) {
  /**
   * Which device is wanted; empty parts match all.
   *
   * @param memoryBytes free memory that it must have
   */
  public record Device(Optional<String> id, Optional<DeviceClass> deviceClass, long memoryBytes) {}

  /** What exists only for the job. */
  public record Setup(List<NewDevice> devices, List<Settings> settings) {
    public boolean isEmpty() {
      return devices.isEmpty() && settings.isEmpty();
    }
  }

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
   * @param maxExecutionUs limit of one piece of work; absent for the device's default
   */
  public record Stream(
      String name, String group, Priority priority, OptionalLong maxExecutionUs, List<Step> steps) {
    /** With other steps. */
    public Stream withSteps(List<Step> others) {
      return new Stream(name, group, priority, maxExecutionUs, others);
    }

    /** Whether the core may keep and replay work of this stream. */
    public boolean replays() {
      return steps.stream().anyMatch(Step::replay);
    }
  }

  /**
   * One run of a program over an input, or over none.
   *
   * @param programs in the order of preference, at least one
   * @param buffers named buffers, instead of {@code in} and {@code out}
   * @param device where it runs, if not on the job's
   * @param after steps of any stream that must be done before it begins
   * @param repeat times that it runs; {@link #UNTIL_FAULTS} until the faults have happened
   * @param verify whether each result is compared with what the CPU computes
   * @param replay whether the core keeps the input and starts interrupted work again by itself
   */
  public record Step(
      String name,
      List<StepProgram> programs,
      Optional<Path> in,
      Optional<Out> out,
      Optional<Buffers> buffers,
      Optional<Device> device,
      List<After> after,
      int repeat,
      boolean verify,
      boolean replay,
      Located where) {
    /** A value of {@code repeat}. */
    public static final int UNTIL_FAULTS = 0;

    public Step {
      programs = List.copyOf(programs);
    }

    /** The program that runs: once the device is known, the only one. */
    public StepProgram program() {
      return programs.getFirst();
    }

    /** With the program of that place alone; the last one when there are fewer. */
    public Step withProgram(int choice) {
      return new Step(
          name,
          List.of(programs.get(Math.min(choice, programs.size() - 1))),
          in,
          out,
          buffers,
          device,
          after,
          repeat,
          verify,
          replay,
          where);
    }
  }

  /** A step that must be done before. */
  public record After(Buffers.StepRef step, Located where) {}

  /**
   * An argument as text.
   *
   * @param formula of a step with named buffers; empty for a number and for the name of a buffer
   */
  public record Arg(String text, Optional<Expression> formula, Located where) {}

  /**
   * Where results go.
   *
   * @param lines as one line of hexadecimal digits and index a record; else the bytes as they are
   * @param print to the caller, too
   */
  public record Out(Optional<Path> file, boolean lines, boolean print, Located where) {}

  /**
   * A fault that is brought about on a device of {@link Setup}.
   *
   * @param fault name of the driver's fault, {@link #KILL}, {@link #HANG} or {@link #STUCK}
   * @param trigger what {@code after} counts since the fault before it
   * @param count how often it happens
   * @param value parameter of the driver's fault
   */
  public record Fault(
      String device,
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
      return CRASHES.contains(fault);
    }

    /** Faults that end the driver or take it out of use. */
    public static final List<String> CRASHES = List.of("segv", "abort", "exit", KILL, HANG);
  }

  /** A statement that must hold at the end. */
  public record Claim(String name, Expression value, Comparison comparison, Expression goal) {}
}
