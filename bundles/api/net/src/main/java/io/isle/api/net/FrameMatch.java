package io.isle.api.net;

import io.isle.api.base.Errno;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Frames that a program takes from the kernel: IPv4 with UDP to one of some ports. Immutable.
 *
 * @param ports 1 to 16 destination ports, each 1 to 65535 and named once
 * @param address destination, first number highest; empty for any
 * @param gre also packets inside GRE without options; then ports and address are the inner ones
 */
public record FrameMatch(List<Integer> ports, OptionalInt address, boolean gre) {
  /** Most ports. */
  public static final int MAX_PORTS = 16;

  /**
   * Checks the ports.
   *
   * @throws NetException EINVAL, with the value and its limit
   */
  public FrameMatch {
    ports = List.copyOf(ports);
    if (ports.isEmpty() || ports.size() > MAX_PORTS) {
      throw new NetException(
          Errno.EINVAL,
          "ports: " + ports.size() + " are given; 1 to " + MAX_PORTS + " are possible");
    }
    Set<Integer> seen = new HashSet<>();
    for (int port : ports) {
      if (port < 1 || port > 65535) {
        throw new NetException(Errno.EINVAL, "ports: " + port + " is not in 1..65535");
      }
      if (!seen.add(port)) {
        throw new NetException(Errno.EINVAL, "ports: " + port + " is named twice");
      }
    }
  }
}
