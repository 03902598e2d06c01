package io.isle.api.driver;

import io.isle.api.base.Errno;
import java.util.List;
import java.util.Optional;

/**
 * A kernel of a program, as a launch needs to know it. Immutable.
 *
 * @param name name of the kernel, 1 to 255 characters
 * @param entry number of the kernel: 0, 1, ... without gaps, at most 255
 * @param groupSize the work-group size that the kernel requires: three numbers, each at least 1,
 *     with a product below 2^32; empty if the kernel requires none
 * @param maxGroup largest number of work items in a work-group; 0 if unknown
 * @param localBytes local memory of a work-group in bytes, without the arguments' share
 * @param privateBytes private memory of a work item in bytes; 0 if there is none or unknown
 * @param needsGroupSize the reason why results depend on a work-group size that the kernel does not
 *     require, such as "get_local_id in function sum, line 12", at most 191 characters; empty
 *     without such a dependence
 * @param unusable the reason why no launch can run the kernel: a sentence without a full stop, at
 *     most 191 characters; empty if the kernel is usable
 * @param arguments in order, at most 64; together at most 1024 bytes of kind BYTES. An unusable
 *     kernel may have none
 */
public record Kernel(
    String name,
    int entry,
    List<Integer> groupSize,
    int maxGroup,
    long localBytes,
    long privateBytes,
    String needsGroupSize,
    String unusable,
    List<Argument> arguments) {
  /** Largest number of arguments of a launch. */
  public static final int MAX_ARGUMENTS = 64;

  /** Largest number of bytes of a launch's arguments of kind BYTES together. */
  public static final int MAX_BYTES = 1024;

  private static final int MAX_NAME = 255;
  private static final int MAX_TEXT = 191;
  private static final int MAX_WORD = 63;
  private static final long GROUP_LIMIT = 1L << 32;
  private static final int READ_WRITE = 3;

  /**
   * @throws DriverException EPROTO, naming the field that is out of range
   */
  public Kernel {
    groupSize = List.copyOf(groupSize);
    arguments = List.copyOf(arguments);
    check(!name.isEmpty() && name.length() <= MAX_NAME, "name", name.length() + " characters");
    check(entry >= 0 && entry < Kernels.MAX_KERNELS, "entry", entry);
    check(isGroupSize(groupSize), "group_size", groupSize);
    check(maxGroup >= 0, "max_group", maxGroup);
    check(localBytes >= 0, "local_bytes", localBytes);
    check(privateBytes >= 0, "private_bytes", privateBytes);
    check(needsGroupSize.length() <= MAX_TEXT, "needs_group_size", needsGroupSize.length());
    check(unusable.length() <= MAX_TEXT, "unusable", unusable.length());
    check(arguments.size() <= MAX_ARGUMENTS, "arg_count", arguments.size());
    if (unusable.isEmpty()) {
      check(arguments.stream().allMatch(a -> a.kind().isPresent()), "args", "a kind is missing");
      int bytes = bytesOf(arguments);
      check(bytes <= MAX_BYTES, "args", bytes + " bytes");
    }
  }

  private static boolean isGroupSize(List<Integer> size) {
    if (size.isEmpty()) {
      return true;
    }
    if (size.size() != 3 || size.get(0) < 1 || size.get(1) < 1 || size.get(2) < 1) {
      return false;
    }
    long plane = (long) size.get(0) * size.get(1);
    return plane < GROUP_LIMIT && plane * size.get(2) < GROUP_LIMIT;
  }

  /** At most 64 times 1024. */
  private static int bytesOf(List<Argument> arguments) {
    return arguments.stream()
        .filter(argument -> argument.kind().equals(Optional.of(ArgumentKind.BYTES)))
        .mapToInt(Argument::bytes)
        .sum();
  }

  private static void check(boolean good, String field, Object value) {
    if (!good) {
      throw new DriverException(
          Errno.EPROTO, "description of a kernel: " + field + ": " + value + " is out of range");
    }
  }

  /** Whether a launch can run the kernel. */
  public boolean isUsable() {
    return unusable.isEmpty();
  }

  /**
   * An argument of a kernel.
   *
   * @param name name in the source, at most 63 characters; empty if unknown
   * @param type type as in the source, at most 63 characters; empty if unknown
   * @param kind kind of the argument; absent if no launch can give it
   * @param access of a BUFFER a bit set of 1 read, 2 write, at least one; else 0
   * @param bytes bytes of the value, at least 1; of a BUFFER or LOCAL the bytes of one element, 0
   *     if unknown; at most 1024, of a scalar kind at most 8
   * @param element kind of the scalars in a vector, or in an element of a BUFFER or LOCAL; of a
   *     scalar kind that kind; absent for a structure, or if unknown
   * @param lanes number of scalars: 1, 2, 3 (with the size of 4), 4, 8, 16; 0 without an element
   */
  public record Argument(
      String name,
      String type,
      Optional<ArgumentKind> kind,
      int access,
      int bytes,
      Optional<ArgumentKind> element,
      int lanes) {
    private static final List<Integer> LANES = List.of(1, 2, 3, 4, 8, 16);

    /**
     * @throws DriverException EPROTO, naming the field that is out of range
     */
    public Argument {
      check(name.length() <= MAX_WORD, "args: name", name.length() + " characters");
      check(type.length() <= MAX_WORD, "args: type", type.length() + " characters");
      boolean buffer = kind.equals(Optional.of(ArgumentKind.BUFFER));
      check(buffer ? access > 0 && access <= READ_WRITE : access == 0, "args: access", access);
      check(isSize(kind, bytes), "args: bytes", bytes);
      check(element.map(ArgumentKind::isScalar).orElse(true), "args: element", element);
      check(element.isPresent() ? LANES.contains(lanes) : lanes == 0, "args: lanes", lanes);
      if (kind.map(ArgumentKind::isScalar).orElse(false)) {
        check(element.equals(kind) && lanes == 1, "args: element", element);
      }
    }

    private static boolean isSize(Optional<ArgumentKind> kind, int bytes) {
      boolean scalar = kind.map(ArgumentKind::isScalar).orElse(false);
      boolean value = scalar || kind.equals(Optional.of(ArgumentKind.BYTES));
      return bytes >= (value ? 1 : 0) && bytes <= (scalar ? Long.BYTES : MAX_BYTES);
    }
  }
}
