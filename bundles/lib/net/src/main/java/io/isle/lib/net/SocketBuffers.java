package io.isle.lib.net;

import io.isle.lib.ffi.SocketOption;
import io.isle.lib.ffi.SocketOptions;
import java.util.List;

/**
 * Enlarges the buffers of sockets: beyond the limits of the kernel with CAP_NET_ADMIN, else up to
 * these limits, unless the kernel's own tuning of a stream reaches further. One thread at a time.
 */
public final class SocketBuffers {
  private enum Side {
    SEND("send", SocketOption.SO_SNDBUF, SocketOption.SO_SNDBUFFORCE, "wmem"),
    RECEIVE("receive", SocketOption.SO_RCVBUF, SocketOption.SO_RCVBUFFORCE, "rmem");

    final String text;
    final SocketOption option;
    final SocketOption force;
    final String sysctl;

    Side(String text, SocketOption option, SocketOption force, String sysctl) {
      this.text = text;
      this.option = option;
      this.force = force;
      this.sysctl = sysctl;
    }
  }

  private final SocketOptions options;
  private final Sysctl sysctl;
  private final boolean forced;

  /** Buffers of this machine's sockets. */
  public SocketBuffers() {
    this(Sysctl.SYSTEM, true);
  }

  /**
   * @param forced false: acts as without CAP_NET_ADMIN
   */
  SocketBuffers(Sysctl sysctl, boolean forced) {
    this.options = new SocketOptions();
    this.sysctl = sysctl;
    this.forced = forced;
  }

  /**
   * Enlarges both buffers. Of a stream, before its connection or its listening begins.
   *
   * @param wanted bytes of each buffer; 0 leaves both to the kernel
   * @param stream whether the kernel tunes the buffers, as it does for TCP
   * @return the granted sizes, with the sysctl to raise where less was granted; one a line
   */
  public List<String> enlarge(int fd, int wanted, boolean stream) {
    if (wanted == 0) {
      return List.of("buffers of the kernel's own size");
    }
    return List.of(
        enlarge(fd, wanted, stream, Side.SEND), enlarge(fd, wanted, stream, Side.RECEIVE));
  }

  private String enlarge(int fd, int wanted, boolean stream, Side side) {
    if (!forced || options.set(fd, side.force, wanted) != 0) {
      String limit = "net.core." + side.sysctl + "_max";
      String tuning = "net.ipv4.tcp_" + side.sysctl;
      // the kernel grants twice the value and tunes up to a limit of the same measure
      long reach = stream ? sysctl.last(tuning) / 2 : 0;
      if (reach >= Math.min(wanted, sysctl.last(limit))) {
        String more = reach < wanted ? "; for more, raise " + limit + " to " + wanted : "";
        return "%s buffer tuned by the kernel up to %d of %d B%s"
            .formatted(side.text, reach, wanted, more);
      }
      options.set(fd, side.option, wanted);
    }
    int granted = options.get(fd, side.option) / 2;
    return "%s buffer %d of %d B%s"
        .formatted(
            side.text,
            granted,
            wanted,
            granted < wanted ? "; raise net.core." + side.sysctl + "_max to " + wanted : "");
  }
}
