package io.isle.net.xdp.netlink;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.lib.ffi.NetNamespace;
import io.isle.lib.ffi.NetlinkSocket;
import io.isle.lib.ffi.SocketErrors;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Follows what the kernel has in one namespace. A change is a reason to read again all objects of
 * its kind: so a lost message, a replaced route, and routes that vanish with their interface
 * without a word are no special cases. One thread at a time.
 */
public final class NetMonitor implements AutoCloseable {
  private static final int ROOM = 1 << 20;

  private final NetlinkSocket events;
  private final Rtnetlink kernel;
  private final MemorySegment memory = Arena.ofAuto().allocate(NetlinkSocket.LARGEST, 8);
  private NetView view = NetView.EMPTY;
  private boolean links = true;
  private boolean neighbours = true;
  private long overruns;

  private NetMonitor(NetlinkSocket events, Rtnetlink kernel) {
    this.events = events;
    this.kernel = kernel;
  }

  /** Begins to follow; the first {@link #poll} reads all. */
  public static NetMonitor in(NetNamespace space) {
    NetlinkSocket events = space.call(() -> NetlinkSocket.open(NetlinkSocket.ROUTE));
    try {
      events.room(ROOM);
      events.join(Rtm.GROUP_LINK);
      events.join(Rtm.GROUP_NEIGH);
      events.join(Rtm.GROUP_IPV4_IFADDR);
      events.join(Rtm.GROUP_IPV4_ROUTE);
      events.join(Rtm.GROUP_NEXTHOP);
      return new NetMonitor(events, Rtnetlink.in(space));
    } catch (RuntimeException e) {
      events.close();
      throw e;
    }
  }

  /** Readable when a {@link #poll} has something to do. */
  public int descriptor() {
    return events.descriptor();
  }

  /** What the last {@link #poll} read. */
  public NetView view() {
    return view;
  }

  /** How often the kernel dropped messages, because too many waited; all was read again. */
  public long overruns() {
    return overruns;
  }

  /**
   * Takes what has arrived, and reads again what has changed. Never waits for a change.
   *
   * @return whether the view was read again
   * @throws NetException if the kernel does not answer; the next call tries again
   */
  public boolean poll() {
    drain();
    if (!links && !neighbours) {
      return false;
    }
    view =
        new NetView(
            links ? kernel.links() : view.links(),
            links ? kernel.addresses() : view.addresses(),
            links ? kernel.routes() : view.routes(),
            kernel.neighbours());
    links = false;
    neighbours = false;
    return true;
  }

  private void drain() {
    while (true) {
      long bytes = events.receive(memory);
      if (bytes == -Errno.EAGAIN) {
        return;
      }
      if (bytes == -SocketErrors.ENOBUFS || bytes == -Errno.EMSGSIZE) {
        overruns++;
        resync();
      } else if (bytes < 0) {
        throw new NetException(
            (int) -bytes, "changes of the network: " + SocketErrors.text((int) bytes));
      } else {
        note(memory.asSlice(0, bytes));
      }
    }
  }

  private void note(MemorySegment bytes) {
    try {
      for (Message message : Message.read(bytes)) {
        switch (message.type()) {
          case Rtm.NEWNEIGH, Rtm.DELNEIGH -> neighbours = true;
          default -> links = true;
        }
      }
    } catch (NetException e) {
      resync();
      throw e;
    }
  }

  private void resync() {
    links = true;
    neighbours = true;
  }

  /** Ends both sockets; idempotent. */
  @Override
  public void close() {
    events.close();
    kernel.close();
  }
}
