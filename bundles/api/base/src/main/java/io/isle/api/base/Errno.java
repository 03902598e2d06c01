package io.isle.api.base;

import java.util.Map;

/**
 * Error codes of the platform: Linux errno numbers and three codes of Isle. Calls of the data path
 * return negated codes; exceptions of the control path carry positive codes.
 */
public final class Errno {
  /** The kind or state of the object does not permit the operation. */
  public static final int EPERM = 1;

  /** No object has this name or number. */
  public static final int ENOENT = 2;

  /** The device recovers, or has recovered during the work or call; try again. */
  public static final int EINTR = 4;

  /** Work or a device failed. */
  public static final int EIO = 5;

  /** No screen is plugged in. */
  public static final int ENXIO = 6;

  /** No room at the moment; try again. */
  public static final int EAGAIN = 11;

  /** A limit of memory is reached. */
  public static final int ENOMEM = 12;

  /** The capability, or the access of a buffer, does not permit the operation. */
  public static final int EACCES = 13;

  /** The object is in use, or another operation is in progress. */
  public static final int EBUSY = 16;

  /** An object with this name exists already. */
  public static final int EEXIST = 17;

  /** Both devices belong to different fence domains. */
  public static final int EXDEV = 18;

  /** The device no longer exists, or no device fits. */
  public static final int ENODEV = 19;

  /** An argument is invalid. */
  public static final int EINVAL = 22;

  /** A limit on the number of objects is reached. */
  public static final int ENOSPC = 28;

  /** A number is out of range. */
  public static final int ERANGE = 34;

  /** The operation would wait for itself. */
  public static final int EDEADLK = 35;

  /** Contents were lost in a recovery and have not been written since. */
  public static final int ENODATA = 61;

  /** The time limit of a waiting call has passed. */
  public static final int ETIME = 62;

  /** A driver violated the protocol. */
  public static final int EPROTO = 71;

  /** A value is too large for its type. */
  public static final int EOVERFLOW = 75;

  /** Work left its device unfinished; its progress is kept, and the work continues later. */
  public static final int ERESTART = 85;

  /** A message, command or source is too long. */
  public static final int EMSGSIZE = 90;

  /** The device or driver does not support the operation. */
  public static final int ENOTSUP = 95;

  /** The connection to the peer does not exist, or no longer. */
  public static final int ENOTCONN = 107;

  /** The work, or a call of a driver, exceeded its time limit. */
  public static final int ETIMEDOUT = 110;

  /** The work has no result yet. */
  public static final int EINPROGRESS = 115;

  /** The id, tag or point belongs to an object that no longer exists. */
  public static final int ESTALE = 116;

  /** The operation was cancelled. */
  public static final int ECANCELED = 125;

  /** The work accessed device memory with an uncorrectable error. */
  public static final int EHWPOISON = 133;

  /** Core and driver have different major versions of the driver ABI. */
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
          Map.entry(ENOTCONN, "ENOTCONN"),
          Map.entry(ETIMEDOUT, "ETIMEDOUT"),
          Map.entry(EINPROGRESS, "EINPROGRESS"),
          Map.entry(ESTALE, "ESTALE"),
          Map.entry(ECANCELED, "ECANCELED"),
          Map.entry(EHWPOISON, "EHWPOISON"),
          Map.entry(KABI_VERSION_MISMATCH, "KABI_VERSION_MISMATCH"),
          Map.entry(EREVOKED, "EREVOKED"),
          Map.entry(ECLOSED, "ECLOSED"));

  private Errno() {}

  /**
   * The name of a code.
   *
   * @param code a positive or negated code
   * @return such as {@code "EINTR"}; {@code "errno N"} for a code without a constant here
   */
  public static String name(int code) {
    int positive = Math.abs(code);
    String name = NAMES.get(positive);
    return name != null ? name : "errno " + positive;
  }
}
