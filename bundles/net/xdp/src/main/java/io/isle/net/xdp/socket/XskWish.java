package io.isle.net.xdp.socket;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;

/**
 * What is wished of a socket.
 *
 * @param interfaceName for messages
 * @param interfaceIndex in the namespace of the socket
 * @param queue of the interface, from 0
 * @param rx entries of RX, a power of two
 * @param tx entries of TX and of COMPLETION, a power of two
 * @param fill entries of FILL, a power of two; a small ring loses frames while its reader is away
 * @param zeroCopy whether the device shall move frames itself; with another device, or driver, the
 *     kernel copies
 * @param poll how the kernel takes frames from the device
 * @param busyRetryNs how long a queue is waited for that a socket before still has; 0: not at all
 */
public record XskWish(
    String interfaceName,
    int interfaceIndex,
    int queue,
    int rx,
    int tx,
    int fill,
    boolean zeroCopy,
    Poll poll,
    long busyRetryNs) {
  /** Most entries of a ring. */
  public static final int MOST = 1 << 20;

  /** How the kernel takes frames from the device. */
  public enum Poll {
    /** As suits what is in force: {@link #PREFBUSY} with zero copy, else {@link #SOFTIRQ}. */
    AUTO,
    /** By interrupts. */
    SOFTIRQ,
    /** By polls that the reader of the socket causes; interrupts only when none comes. */
    PREFBUSY
  }

  /** Refuses wrong sizes by NetException EINVAL, with the name of the field. */
  public XskWish {
    ring("rx", rx);
    ring("tx", tx);
    ring("fill", fill);
    if (queue < 0) {
      throw new NetException(Errno.EINVAL, "queue: " + queue + " is negative");
    }
  }

  private static void ring(String name, int entries) {
    if (Integer.bitCount(entries) != 1 || entries < 1 || entries > MOST) {
      throw new NetException(
          Errno.EINVAL, name + ": " + entries + " is no power of two within 1 to " + MOST);
    }
  }

  /** Such as {@code queue 0 of va}. */
  String place() {
    return "queue " + queue + " of " + interfaceName;
  }
}
