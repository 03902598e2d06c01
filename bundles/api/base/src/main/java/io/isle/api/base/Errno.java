package io.isle.api.base;

import java.util.Map;

/**
 * Error codes of the platform: Linux errno numbers and three of Isle's own. Data-path calls return
 * them negated; control-path exceptions carry them positive.
 */
public final class Errno {
  public static final int EPERM = 1;
  public static final int ENOENT = 2;
  public static final int EINTR = 4;
  public static final int EIO = 5;

  /** Nothing is plugged in. */
  public static final int ENXIO = 6;

  public static final int EAGAIN = 11;
  public static final int ENOMEM = 12;
  public static final int EACCES = 13;
  public static final int EBUSY = 16;
  public static final int EEXIST = 17;

  /** The two are of different domains. */
  public static final int EXDEV = 18;

  public static final int ENODEV = 19;
  public static final int EINVAL = 22;
  public static final int ENOSPC = 28;
  public static final int ERANGE = 34;

  /** It would wait for itself. */
  public static final int EDEADLK = 35;

  public static final int ENODATA = 61;
  public static final int ETIME = 62;
  public static final int EPROTO = 71;
  public static final int EOVERFLOW = 75;

  /** Work left its device half done and goes on when it has it again. */
  public static final int ERESTART = 85;

  public static final int EMSGSIZE = 90;
  public static final int ENOTSUP = 95;
  public static final int ETIMEDOUT = 110;
  public static final int EINPROGRESS = 115;
  public static final int ESTALE = 116;
  public static final int ECANCELED = 125;

  /** Device memory with an uncorrectable error was touched. */
  public static final int EHWPOISON = 133;

  /** Core and driver disagree on the major version of the driver ABI. */
  public static final int KABI_VERSION_MISMATCH = 4096;

  /** The capability was revoked. */
  public static final int EREVOKED = 4097;

  /** The object was closed. */
  public static final int ECLOSED = 4098;

  private static final Map<Integer, String> NAMES =
      Map.ofEntries(
          Map.entry(EPERM, "EPERM"),
          Map.entry(ENOENT, "ENOENT"),
          Map.entry(EINTR, "EINTR"),
          Map.entry(EIO, "EIO"),
          Map.entry(ENXIO, "ENXIO"),
          Map.entry(EAGAIN, "EAGAIN"),
          Map.entry(ENOMEM, "ENOMEM"),
          Map.entry(EACCES, "EACCES"),
          Map.entry(EBUSY, "EBUSY"),
          Map.entry(EEXIST, "EEXIST"),
          Map.entry(EXDEV, "EXDEV"),
          Map.entry(ENODEV, "ENODEV"),
          Map.entry(EINVAL, "EINVAL"),
          Map.entry(ENOSPC, "ENOSPC"),
          Map.entry(ERANGE, "ERANGE"),
          Map.entry(EDEADLK, "EDEADLK"),
          Map.entry(ENODATA, "ENODATA"),
          Map.entry(ETIME, "ETIME"),
          Map.entry(EPROTO, "EPROTO"),
          Map.entry(EOVERFLOW, "EOVERFLOW"),
          Map.entry(ERESTART, "ERESTART"),
          Map.entry(EMSGSIZE, "EMSGSIZE"),
          Map.entry(ENOTSUP, "ENOTSUP"),
          Map.entry(ETIMEDOUT, "ETIMEDOUT"),
          Map.entry(EINPROGRESS, "EINPROGRESS"),
          Map.entry(ESTALE, "ESTALE"),
          Map.entry(ECANCELED, "ECANCELED"),
          Map.entry(EHWPOISON, "EHWPOISON"),
          Map.entry(KABI_VERSION_MISMATCH, "KABI_VERSION_MISMATCH"),
          Map.entry(EREVOKED, "EREVOKED"),
          Map.entry(ECLOSED, "ECLOSED"));

  private Errno() {}

  /** The name of a code, given with either sign; {@code "errno N"} for one not listed here. */
  public static String name(int code) {
    int positive = Math.abs(code);
    String name = NAMES.get(positive);
    return name != null ? name : "errno " + positive;
  }
}
