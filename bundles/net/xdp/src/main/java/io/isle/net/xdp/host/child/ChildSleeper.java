package io.isle.net.xdp.host.child;

import io.isle.lib.agent.AgentSleeper;
import io.isle.lib.ffi.Epoll;
import io.isle.lib.ffi.EpollEvents;
import io.isle.lib.ffi.EventDescriptor;
import io.isle.net.xdp.host.wire.Orders;
import io.isle.net.xdp.host.wire.TileOrder;
import io.isle.net.xdp.socket.SocketWait;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.stream.IntStream;

/**
 * The sleep of a tile in its own process: until a frame arrives, or an app has published frames.
 * Bells of other processes are never read: their owners may have made a read wait.
 */
final class ChildSleeper implements AgentSleeper, AutoCloseable {
  /** Of the fseq by which a tile tells its progress: not 0 while the tile may sleep. */
  private static final long ASLEEP = 32;

  private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();
  private static final long OWN = 1;
  private static final int MOST_EVENTS = 64;

  private final EventDescriptor event;
  private final Epoll epoll = new Epoll();
  private final EpollEvents events = new EpollEvents(MOST_EVENTS);
  private final SocketWait wait;
  private final MemorySegment asleep;
  private final MemorySegment[] told;

  /**
   * @param order whose sockets have the agreed numbers
   */
  ChildSleeper(TileOrder order) {
    event = EventDescriptor.adopt(order.wake());
    asleep = order.asleep();
    told = order.told().toArray(MemorySegment[]::new);
    wait =
        new SocketWait(
            epoll,
            IntStream.range(0, order.sockets().size())
                .mapToObj(port -> Orders.FIRST_PORT + port)
                .toList());
    add(event.descriptor(), EpollEvents.EPOLLIN, OWN);
    order.bells().forEach(bell -> add(bell, EpollEvents.EPOLLIN | EpollEvents.EPOLLET, 0));
  }

  private void add(int descriptor, int what, long token) {
    int code = epoll.add(descriptor, what, token);
    if (code != 0) {
      throw new IllegalStateException("epoll_ctl: error " + -code);
    }
  }

  @Override
  public void look() {
    tell(1);
  }

  private void tell(long value) {
    WORD.setRelease(asleep, 0L, value);
    for (MemorySegment one : told) {
      WORD.setRelease(one, ASLEEP, value);
    }
    VarHandle.fullFence();
  }

  @Override
  public void sleep(long timeoutNs) {
    int count = wait.await(events, timeoutNs);
    tell(0);
    for (int i = 0; i < count; i++) {
      if (events.token(i) == OWN) {
        long _ = event.drain();
      }
    }
  }

  @Override
  public void wake() {
    event.signal();
  }

  @Override
  public void close() {
    epoll.close();
    event.close();
  }
}
