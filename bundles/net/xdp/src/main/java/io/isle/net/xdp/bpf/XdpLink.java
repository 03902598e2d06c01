package io.isle.net.xdp.bpf;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.lib.ffi.Bpf;

/** The attachment of a program to an interface; its close detaches the program. */
public final class XdpLink implements AutoCloseable {
  /** The place where the kernel runs a program. */
  public enum Mode {
    /** In the driver if it can, else behind it. */
    AUTO(0),
    /** Behind the driver, on any interface. */
    SKB(2),
    /** In the driver. */
    DRV(4);

    private final int flags;

    Mode(int flags) {
      this.flags = flags;
    }
  }

  private final int descriptor;
  private boolean closed;

  private XdpLink(int descriptor) {
    this.descriptor = descriptor;
  }

  /**
   * Attaches a program to an interface of the calling thread's network namespace.
   *
   * @throws NetException EBUSY if the interface has another program; ENODEV; ENOTSUP if the driver
   *     has no place for programs
   */
  public static XdpLink attach(XdpProgram program, int interfaceIndex, Mode mode) {
    int result = Bpf.linkXdp(program.descriptor(), interfaceIndex, mode.flags);
    String what = "attachment of the program to interface " + interfaceIndex;
    if (result == -Errno.EEXIST || result == -Errno.EBUSY) {
      throw new NetException(
          Errno.EBUSY, what + ": the interface has another program; see ip link show");
    }
    return new XdpLink(Kernel.checked(result, what));
  }

  /** Puts another program in the place of the present one; every frame meets one of both. */
  public void update(XdpProgram program) {
    int ignored =
        Kernel.checked(
            Bpf.updateLink(descriptor, program.descriptor()), "replacement of the program");
  }

  /** Descriptor of the link, valid until {@link #close}. */
  public int descriptor() {
    return descriptor;
  }

  /** Detaches the program. Idempotent. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      Kernel.close(descriptor);
    }
  }
}
