package io.isle.api.accel;

import java.util.List;
import java.util.Optional;

/**
 * A kernel of a program, as its driver describes it. Texts come from the driver and have no control
 * characters. Immutable.
 *
 * @param name name of the kernel, 1 to 255 characters
 * @param entry entry number for {@link CommandWriter#dispatch}
 * @param groupSize the work-group size that the kernel requires, as x, y, z, each at least 1; empty
 *     if the kernel requires none
 * @param maxGroup largest number of work items in a work-group; 0 if unknown
 * @param localBytes local memory of a work-group in bytes, without the arguments' share
 * @param privateBytes private memory of a work item in bytes; 0 if there is none or unknown
 * @param needsGroupSize the reason why results depend on a work-group size that the kernel does not
 *     require, such as "get_local_id in function sum, line 12"; empty without such a dependence
 * @param unusable the reason why no dispatch can run the kernel: a sentence without a full stop;
 *     empty if the kernel is usable
 * @param arguments in order, at most 64; an unusable kernel may have none
 */
public record KernelInfo(
    String name,
    int entry,
    List<Integer> groupSize,
    int maxGroup,
    long localBytes,
    long privateBytes,
    String needsGroupSize,
    String unusable,
    List<Argument> arguments) {
  public KernelInfo {
    groupSize = List.copyOf(groupSize);
    arguments = List.copyOf(arguments);
  }

  /** Whether a dispatch can run the kernel. */
  public boolean isUsable() {
    return unusable.isEmpty();
  }

  /**
   * An argument of a kernel.
   *
   * @param name name in the source, at most 63 characters; empty if unknown
   * @param type type as in the source, at most 63 characters; empty if unknown
   * @param kind kind of the argument; absent if no dispatch can give it
   * @param access for a buffer a bit set of {@link Buffer#READ}, {@link Buffer#WRITE}; else 0. A
   *     driver that cannot tell reports both
   * @param bytes bytes of the value; of a buffer or of local memory the bytes of one element, 0 if
   *     unknown; at most 1024
   * @param element kind of the scalars in a vector, or in an element of a buffer or of local
   *     memory; of a scalar its kind; absent for a structure, or if unknown. The size of a scalar
   *     is {@code bytes / lanes}, of a vector of three {@code bytes / 4}: a uchar is a u32 of 1
   *     byte
   * @param lanes number of scalars: 1, 2, 3 (with the size of 4), 4, 8, 16; 0 without an element
   */
  public record Argument(
      String name,
      String type,
      Optional<ArgumentKind> kind,
      int access,
      int bytes,
      Optional<ArgumentKind> element,
      int lanes) {}
}
