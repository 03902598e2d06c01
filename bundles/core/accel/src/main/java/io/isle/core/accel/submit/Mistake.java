package io.isle.core.accel.submit;

import io.isle.core.accel.context.EntryTable;
import io.isle.core.accel.fence.FenceCheck;

/**
 * The first mistake in the submission being written, in numbers: it becomes text only when somebody
 * asks. One thread; allocates in {@link #text} alone.
 */
final class Mistake {
  /** What is wrong, and what the numbers mean; {@code OTHER} is told by its code alone. */
  enum What {
    OTHER,
    FENCE,
    /** Most bindings. */
    USES,
    NO_COPY,
    NO_DISPATCH,
    FOREIGN_PROGRAM,
    ENTRY,
    UNUSABLE,
    /** Sizes in x, y, z. */
    ITEMS,
    ALL_ITEMS,
    /** Calls that need a launch, on a device that takes none. */
    LOCAL_CALL,
    OFFSET_CALL,
    ARG_LOCAL_CALL,
    ARG_BYTES_CALL,
    LATE,
    /** Work-group sizes in x, y, z. */
    GROUP,
    GROUP_REQUIRED,
    /** Dimension, size, work-group size. */
    GROUP_DIVIDES,
    REQUIRED_DIVIDES,
    /** Work items of a group, the most. */
    GROUP_MOST,
    /** Offsets in x, y, z. */
    OFFSET,
    /** Place of the argument, given, wanted; so are those that follow. */
    LOCAL_BYTES,
    BYTES,
    ALL_BYTES,
    UNREADABLE,
    TOO_FEW,
    TOO_MANY,
    KIND,
    NO_BUFFER,
    ACCESS
  }

  private final FenceCheck fences;
  private What what = What.OTHER;
  private int code;
  private EntryTable table;
  private int entry;
  private long one;
  private long two;
  private long three;

  /**
   * @param fences has the words of a wait or signal that it refused
   */
  Mistake(FenceCheck fences) {
    this.fences = fences;
  }

  void clear() {
    code = 0;
    table = null;
  }

  /** A mistake that its code tells; none for 0. */
  void note(int negated) {
    if (code == 0 && negated != 0) {
      int ignored = set(What.OTHER, negated, null, 0, 0, 0, 0);
    }
  }

  /** A wait or a signal that the check refused last. */
  void fence(int negated) {
    int ignored = set(What.FENCE, negated, null, 0, 0, 0, 0);
  }

  /**
   * Notes a mistake unless there is one.
   *
   * @param named entries of the program, of mistakes in a dispatch
   * @return {@code negated}
   */
  int set(What kind, int negated, EntryTable named, int number, long a, long b, long c) {
    if (code == 0 && negated != 0) {
      what = kind;
      code = negated;
      table = named;
      entry = number;
      one = a;
      two = b;
      three = c;
    }
    return negated;
  }

  /** For people; empty when there was none. */
  String text() {
    return code == 0
        ? ""
        : what == What.FENCE
            ? MistakeText.of(code, fences.text())
            : new MistakeText(what, code, table, entry, one, two, three).text();
  }
}
