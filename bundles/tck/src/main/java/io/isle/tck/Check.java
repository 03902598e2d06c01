package io.isle.tck;

import io.isle.api.base.Errno;
import io.isle.api.driver.DriverException;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Collectors;

/** Assertions of the cases. */
final class Check {
  private Check() {}

  /** A rule is broken. */
  static final class Broken extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Broken(String message) {
      super(message);
    }
  }

  /** The driver does not offer what the case is about. */
  static final class Skipped extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Skipped(String message) {
      super(message);
    }
  }

  static void that(boolean holds, String otherwise) {
    if (!holds) {
      throw new Broken(otherwise);
    }
  }

  static void equal(Object wanted, Object found, String what) {
    that(Objects.equals(wanted, found), what + " is " + found + ", not " + wanted);
  }

  static void needs(boolean there, String what) {
    if (!there) {
      throw new Skipped(what);
    }
  }

  /** The control call throws a {@link DriverException}, with one of the codes if some are given. */
  static void refused(String what, Runnable call, int... codes) {
    try {
      call.run();
    } catch (DriverException e) {
      that(
          codes.length == 0 || Arrays.stream(codes).anyMatch(code -> code == e.code()),
          what + " is refused with " + Errno.name(e.code()) + ", not " + names(codes));
      return;
    }
    throw new Broken(what + " is not refused");
  }

  private static String names(int[] codes) {
    return Arrays.stream(codes).mapToObj(Errno::name).collect(Collectors.joining(" or "));
  }
}
