package io.isle.api.accel;

import io.isle.api.device.DeviceClass;
import java.util.List;

/**
 * A snapshot of an open accelerator. Immutable.
 *
 * @param id device id, such as {@code soft0}
 * @param deviceClass class of the accelerator
 * @param tier 1: driver in the JVM; 2: driver in a process of its own
 * @param computeUnits number of compute units
 * @param memoryBytes size of the device memory
 * @param memoryUsedBytes device memory in use by contexts
 * @param maxContexts limit of open contexts
 * @param contexts open contexts
 * @param maxCommandBytes longest command envelope in bytes
 * @param preemption granularity of preemption: none, command_buffer, draw_dispatch or instruction
 * @param scheduling policy in force: round_robin, priority or guaranteed
 * @param programKinds supported kinds of program sources, in order
 * @param builtins names of built-in programs
 */
public record AcceleratorInfo(
    String id,
    DeviceClass deviceClass,
    int tier,
    int computeUnits,
    long memoryBytes,
    long memoryUsedBytes,
    int maxContexts,
    int contexts,
    int maxCommandBytes,
    String preemption,
    String scheduling,
    List<ProgramKind> programKinds,
    List<String> builtins) {
  public AcceleratorInfo {
    programKinds = List.copyOf(programKinds);
    builtins = List.copyOf(builtins);
  }
}
