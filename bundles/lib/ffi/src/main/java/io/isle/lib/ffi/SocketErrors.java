package io.isle.lib.ffi;

import io.isle.api.base.Errno;

/** Codes of sockets beyond those of {@link Errno}, and a text for every code of the kernel. */
public final class SocketErrors {
  /** The number belongs to no open descriptor. */
  public static final int EBADF = 9;

  /** The call is given memory that the process cannot access. */
  public static final int EFAULT = 14;

  /** The process or the machine has no descriptor left. */
  public static final int ENFILE = 23;

  /** The process has no descriptor left. */
  public static final int EMFILE = 24;

  /** The peer no longer reads. */
  public static final int EPIPE = 32;

  /** The kernel lacks the call. */
  public static final int ENOSYS = 38;

  /** The descriptor belongs to something else than a socket. */
  public static final int ENOTSOCK = 88;

  /** The datagram has no destination. */
  public static final int EDESTADDRREQ = 89;

  /** The protocol lacks the option. */
  public static final int ENOPROTOOPT = 92;

  /** The address belongs to another family than the socket. */
  public static final int EAFNOSUPPORT = 97;

  /** Another socket has the address. */
  public static final int EADDRINUSE = 98;

  /** The machine does not have the address. */
  public static final int EADDRNOTAVAIL = 99;

  /** The interface of the network is down. */
  public static final int ENETDOWN = 100;

  /** No route leads to the network. */
  public static final int ENETUNREACH = 101;

  /** The connection ended before its acceptance. */
  public static final int ECONNABORTED = 103;

  /** The peer has reset the connection. */
  public static final int ECONNRESET = 104;

  /** The kernel has no memory for buffers. */
  public static final int ENOBUFS = 105;

  /** The socket is connected already. */
  public static final int EISCONN = 106;

  /** Nobody listens at the address. */
  public static final int ECONNREFUSED = 111;

  /** The host does not answer, or no route leads to the host. */
  public static final int EHOSTUNREACH = 113;

  /** A connect of the socket is in progress. */
  public static final int EALREADY = 114;

  private SocketErrors() {}

  /**
   * The kernel's words for a code.
   *
   * @param code a positive or negated errno
   * @return such as {@code "Connection refused"}
   */
  public static String text(int code) {
    return LibC.text(Math.abs(code));
  }
}
