package io.isle.apps.jobs.spec;

import io.isle.api.device.DeviceClass;
import io.isle.api.device.Priority;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A job file whose parameters have their values: checked, and ready to run. Immutable. */
public record JobSpec(
    String name,
    Device device,
    Setup setup,
    List<Stream> streams,
    List<Fault> faults,
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

  /** Steps that run one after the other in one context. */
  public record Stream(String name, Priority priority, List<Step> steps) {}

  /**
   * One run of a program over an input, or over none.
   *
   * @param args scalar arguments, checked against the program when it is loaded
   */
  public record Step(
      String name,
      String program,
      Optional<Path> in,
      Optional<Out> out,
      List<Arg> args,
      int repeat,
      Located where) {}

  /** A scalar argument as text. */
  public record Arg(String text, Located where) {}

  /**
   * Where results go.
   *
   * @param lines as one line of hexadecimal digits and index a record; else the bytes as they are
   * @param print to the caller, too
   */
  public record Out(Optional<Path> file, boolean lines, boolean print, Located where) {}

  /** A planned fault on a device of {@link Setup}. */
  public record Fault(
      String device, String fault, long after, long count, long value, Located where) {}

  /** A statement that must hold at the end. */
  public record Claim(String name, Expression value, Comparison comparison, Expression goal) {}
}
