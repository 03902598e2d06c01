package io.isle.core.accel.submit;

import io.isle.api.accel.Buffer;
import io.isle.api.base.Errno;
import io.isle.api.base.ForeignText;
import io.isle.api.driver.ArgumentKind;
import io.isle.core.accel.context.EntryTable;
import io.isle.core.accel.submit.Mistake.What;
import java.util.Locale;

/** A {@link Mistake} in words. */
record MistakeText(
    What what, int code, EntryTable table, int entry, long one, long two, long three) {
  static String of(int code, String words) {
    return Errno.name(code) + ": " + words;
  }

  String text() {
    return of(code, words());
  }

  private String words() {
    return switch (what) {
      case OTHER, FENCE ->
          code == -Errno.EMSGSIZE
              ? "the command envelope is longer than commandBytes"
              : "the command envelope is malformed";
      case USES -> "use: the submission has " + one + " bindings, the most of one submission";
      case NO_COPY -> "use: NO_COPY_IN, NO_COPY_BACK: " + noLaunches();
      case NO_DISPATCH -> "an argument was added without a dispatch";
      case LATE -> "local and offset belong directly after dispatch, before the first argument";
      case FOREIGN_PROGRAM -> "program: the program does not belong to this context";
      case ENTRY ->
          "entry: no entry " + entry + "; the program has entries 0 to " + (table.size() - 1);
      case LOCAL_BYTES, BYTES, ALL_BYTES, UNREADABLE, TOO_MANY, KIND, NO_BUFFER, ACCESS ->
          "argument " + one + " of " + name() + ": " + wordsOfArgument();
      default -> name() + ": " + wordsOfDispatch();
    };
  }

  private String wordsOfDispatch() {
    return switch (what) {
      case UNUSABLE -> "the kernel cannot be used: " + ForeignText.line(table.unusable(entry));
      case ITEMS -> "x, y, z: " + numbers() + ": each count of work items must be at least 1";
      case ALL_ITEMS -> "x, y, z: " + numbers() + ": more than 2^64 - 1 work items together";
      case LOCAL_CALL -> "local: " + noLaunches();
      case OFFSET_CALL -> "offset: " + noLaunches();
      case ARG_LOCAL_CALL -> "argLocal: " + noLaunches();
      case ARG_BYTES_CALL -> "argBytes: " + noLaunches();
      case GROUP -> "local: " + numbers() + ": each count of work items must be at least 1";
      case GROUP_REQUIRED ->
          "local: " + numbers() + " was given, but the kernel requires " + required();
      case GROUP_DIVIDES -> divides() + "the work-group size (local)";
      case REQUIRED_DIVIDES -> divides() + "the work-group size that the kernel requires";
      case GROUP_MOST ->
          "local: a work-group of "
              + one
              + " work items is too large; the kernel takes at most "
              + two;
      case OFFSET -> "offset: " + numbers() + ": each offset must be at least 0";
      default ->
          one + " arguments are too few; the program takes " + table.kinds(entry).length + kinds();
    };
  }

  private String wordsOfArgument() {
    return switch (what) {
      case LOCAL_BYTES -> two + " bytes of local memory; 1 to " + three + " are possible";
      case BYTES ->
          two + " bytes were given, but the program takes " + (three == 0 ? "at least 1" : three);
      case ALL_BYTES ->
          "the dispatch has " + two + " bytes of argBytes together; the limit is " + three;
      case UNREADABLE -> "the segment is closed or belongs to another thread";
      case TOO_MANY ->
          kind(two)
              + " is one argument too many; the program takes "
              + table.kinds(entry).length
              + kinds();
      case KIND -> kind(two) + " was given, but the program takes " + kind(three);
      case NO_BUFFER ->
          "use " + two + " is not one of the " + three + " buffer ranges of the submission";
      default ->
          "the buffer range allows to "
              + access(two)
              + ", but the program needs to "
              + access(three);
    };
  }

  private static String noLaunches() {
    return "the driver of this device does not describe kernels, and takes plain dispatches only";
  }

  private String numbers() {
    return one + ", " + two + ", " + three;
  }

  private String required() {
    int[] group = table.group(entry);
    return group[0] + ", " + group[1] + ", " + group[2];
  }

  private String divides() {
    return "xyz".charAt((int) one) + ": " + two + " work items are no multiple of " + three + ", ";
  }

  private String name() {
    return ForeignText.line(table.name(entry));
  }

  /** All that the entry takes, in order. */
  private String kinds() {
    StringBuilder text = new StringBuilder();
    for (int kind : table.kinds(entry)) {
      text.append(text.isEmpty() ? " (" : ", ").append(kind(kind));
    }
    return text.isEmpty() ? "" : text.append(')').toString();
  }

  private static String kind(long number) {
    return ArgumentKind.values()[(int) number - 1].name().toLowerCase(Locale.ROOT);
  }

  private static String access(long bits) {
    return switch ((int) bits & (Buffer.READ | Buffer.WRITE)) {
      case Buffer.READ -> "read";
      case Buffer.WRITE -> "write";
      default -> "read and write";
    };
  }
}
