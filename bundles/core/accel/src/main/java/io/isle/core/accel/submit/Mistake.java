package io.isle.core.accel.submit;

import io.isle.api.accel.Buffer;
import io.isle.api.base.Errno;
import io.isle.api.base.ForeignText;
import io.isle.api.driver.ProgramEntry;
import io.isle.core.accel.context.LoadedProgram;
import io.isle.core.accel.fence.FenceCheck;
import io.isle.lib.kabi.CommandOp;
import java.util.Locale;

/**
 * The first mistake in the submission being written, in numbers: it becomes text only when somebody
 * asks. One thread; allocates in {@link #text} alone.
 */
final class Mistake {
  /** What is wrong; {@code OTHER} is told by its code alone. */
  private enum What {
    OTHER,
    FENCE,
    NO_DISPATCH,
    FOREIGN_PROGRAM,
    ENTRY,
    ITEMS,
    TOO_FEW,
    TOO_MANY,
    KIND,
    NO_BUFFER,
    ACCESS
  }

  private final FenceCheck fences;
  private What what = What.OTHER;
  private int code;
  private LoadedProgram program;
  private int entry;
  private int index;
  private int given;
  private int wanted;

  /**
   * @param fences has the words of a wait or signal that it refused
   */
  Mistake(FenceCheck fences) {
    this.fences = fences;
  }

  void clear() {
    code = 0;
    program = null;
  }

  /** A mistake that its code tells; none for 0. */
  void note(int negated) {
    set(What.OTHER, negated, null, 0);
  }

  /** A wait or a signal that the check refused last. */
  void fence(int negated) {
    boolean ignored = set(What.FENCE, negated, null, 0);
  }

  /** A dispatch of what is no entry of a program of the context. */
  void dispatch(int negated, LoadedProgram named, int number, int x, int y, int z) {
    if (named == null) {
      set(What.FOREIGN_PROGRAM, negated, null, 0);
    } else if (named.kinds(number) == null) {
      set(What.ENTRY, negated, named, number);
    } else {
      details(set(What.ITEMS, negated, named, number), x, y, z);
    }
  }

  /** An argument that the dispatch being written does not take. */
  void argument(int negated, DispatchArguments arguments, int kind, int use, Bindings bindings) {
    if (!arguments.open()) {
      set(What.NO_DISPATCH, negated, null, 0);
      return;
    }
    LoadedProgram named = arguments.program();
    int number = arguments.entry();
    int place = arguments.count();
    int most = named.kinds(number).length;
    if (place == most) {
      details(set(What.TOO_MANY, negated, named, number), place, kind, most);
    } else if (named.kinds(number)[place] != kind) {
      details(set(What.KIND, negated, named, number), place, kind, named.kinds(number)[place]);
    } else if (negated == -Errno.EACCES) {
      details(
          set(What.ACCESS, negated, named, number),
          place,
          bindings.access(use),
          named.access(number)[place]);
    } else {
      details(set(What.NO_BUFFER, negated, named, number), place, use, bindings.size());
    }
  }

  /** A dispatch that ended before its last argument. */
  void tooFew(int negated, DispatchArguments arguments) {
    LoadedProgram named = arguments.program();
    int number = arguments.entry();
    details(
        set(What.TOO_FEW, negated, named, number),
        arguments.count(),
        0,
        named.kinds(number).length);
  }

  private boolean set(What first, int negated, LoadedProgram named, int number) {
    if (code != 0 || negated == 0) {
      return false;
    }
    what = first;
    code = negated;
    program = named;
    entry = number;
    return true;
  }

  private void details(boolean first, int one, int two, int three) {
    if (first) {
      index = one;
      given = two;
      wanted = three;
    }
  }

  /** For people; empty when there was none. */
  String text() {
    return code == 0 ? "" : Errno.name(code) + ": " + words();
  }

  private String words() {
    return switch (what) {
      case OTHER ->
          code == -Errno.EMSGSIZE
              ? "the command envelope is longer than commandBytes"
              : "the command envelope is malformed";
      case FENCE -> fences.text();
      case NO_DISPATCH -> "an argument was added without a dispatch";
      case FOREIGN_PROGRAM -> "program: the program does not belong to this context";
      case ENTRY ->
          "entry: no entry "
              + entry
              + "; the program has entries 0 to "
              + (program.entryCount() - 1);
      case ITEMS ->
          name()
              + ": x, y, z: "
              + index
              + ", "
              + given
              + ", "
              + wanted
              + ": each count of work items must be at least 1";
      case TOO_FEW ->
          name() + ": " + index + " arguments are too few; the program takes " + wanted + kinds();
      case TOO_MANY ->
          argument()
              + ": "
              + kind(given)
              + " is one argument too many; the program takes "
              + wanted
              + kinds();
      case KIND ->
          argument() + ": " + kind(given) + " was given, but the program takes " + kind(wanted);
      case NO_BUFFER ->
          argument()
              + ": use "
              + given
              + " is not one of the "
              + wanted
              + " buffer ranges of the submission";
      case ACCESS ->
          argument()
              + ": the buffer range allows to "
              + access(given)
              + ", but the program needs to "
              + access(wanted);
    };
  }

  private String argument() {
    return "argument " + index + " of " + name();
  }

  private String name() {
    return ForeignText.line(program.entryName(entry));
  }

  /** All that the entry takes, in order. */
  private String kinds() {
    StringBuilder text = new StringBuilder();
    for (int kind : program.kinds(entry)) {
      text.append(text.isEmpty() ? " (" : ", ").append(kind(kind));
    }
    return text.isEmpty() ? "" : text.append(')').toString();
  }

  private static String kind(int number) {
    return ProgramEntry.Kind.values()[number - CommandOp.Arg.BUFFER]
        .name()
        .toLowerCase(Locale.ROOT);
  }

  private static String access(int bits) {
    return switch (bits) {
      case Buffer.READ -> "read";
      case Buffer.WRITE -> "write";
      default -> "read and write";
    };
  }
}
