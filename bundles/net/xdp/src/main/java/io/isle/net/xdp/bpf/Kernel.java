package io.isle.net.xdp.bpf;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.lib.ffi.PosixException;
import io.isle.lib.ffi.Sockets;

/** Outcomes of calls about eBPF as exceptions. */
final class Kernel {
  private Kernel() {}

  /** The result of a call, if it is no error. */
  static int checked(int result, String what) {
    if (result < 0) {
      throw failure(result, what);
    }
    return result;
  }

  static NetException failure(int code, String what) {
    String remedy =
        Math.abs(code) == Errno.EPERM
            ? "; the platform's process needs the capabilities CAP_BPF and CAP_NET_ADMIN, as root"
                + " has them"
            : "";
    return new NetException(Math.abs(code), new PosixException(what, code).getMessage() + remedy);
  }

  /** Closes a descriptor of a map, program or link. */
  static void close(int descriptor) {
    int code = new Sockets().close(descriptor);
    if (code < 0) {
      throw failure(code, "close of descriptor " + descriptor);
    }
  }
}
