package io.isle.api.accel;

import io.isle.api.device.DeviceClass;
import java.util.List;

/**
 * A snapshot of an open accelerator.
 *
 * @param id device id, such as {@code soft0}
 * @param maxCommandBytes longest command envelope
 * @param preemption where running work can be stopped: none, command_buffer, draw_dispatch or
 *     instruction
 * @param scheduling policy in force: round_robin, priority or guaranteed
 * @param memoryUsedBytes device memory taken by contexts
 * @param programKinds kinds of program sources that it takes, in order
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
