package io.isle.net.xdp.netlink;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.lib.ffi.SocketErrors;
import io.isle.lib.packet.Ipv4;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Asks the kernel for hardware addresses that a tile misses: the kernel sends an ARP request, and
 * its answer arrives as a change of the neighbours. Each address is asked for once a second at
 * most, and all addresses together {@value #BURST} times a second, whatever a flood of packets to
 * unknown hosts wants. One thread at a time.
 */
public final class Neighbours {
  /** Most questions of one second. */
  public static final int BURST = 100;

  private static final int SLOTS = 256;
  private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
  private static final int USE = 1;

  private final Rtnetlink kernel;

  // by the hash of interface and address: what was asked last, and when
  private final long[] asked = new long[SLOTS];
  private final long[] times = new long[SLOTS];
  private long second;
  private int count;
  private boolean begun;

  public Neighbours(Rtnetlink kernel) {
    this.kernel = kernel;
    Arrays.fill(asked, -1);
  }

  /**
   * Asks for the hardware address of a host on a link.
   *
   * @param address IPv4, first number highest
   * @param nowNs time by a clock that never goes back
   * @return whether the kernel was asked: not within a second of the last time, nor while too many
   *     are asked for
   * @throws NetException the kernel refuses for another reason than a link that is down or gone
   */
  public boolean ask(int interfaceIndex, int address, long nowNs) {
    long key = (long) interfaceIndex << 32 | Integer.toUnsignedLong(address);
    int slot = Long.hashCode(key * 0x9E3779B97F4A7C15L) >>> 24;
    if (asked[slot] == key && nowNs - times[slot] < SECOND_NS) {
      return false;
    }
    if (!begun || nowNs - second >= SECOND_NS) {
      begun = true;
      second = nowNs;
      count = 0;
    }
    if (count == BURST) {
      return false;
    }
    count++;
    asked[slot] = key;
    times[slot] = nowNs;
    try {
      kernel.request(
          RouteRequests.neighbour(
              Rtm.NEWNEIGH, Rtm.ACK | Rtm.CREATE, interfaceIndex, 0, USE, address),
          "question for " + Ipv4.text(address));
      return true;
    } catch (NetException e) {
      if (e.code() == Errno.ENODEV || e.code() == SocketErrors.ENETDOWN) {
        return false;
      }
      throw e;
    }
  }
}
