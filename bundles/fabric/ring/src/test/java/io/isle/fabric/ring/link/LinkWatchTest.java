package io.isle.fabric.ring.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.fabric.RingPort;
import io.isle.lib.ffi.Epoll;
import io.isle.lib.ffi.EpollEvents;
import io.isle.lib.ffi.EventDescriptor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LinkWatchTest {
  private static final long SOON_NS = 1_000_000;

  private final EventDescriptor bytes = new EventDescriptor();
  private final Epoll epoll = new Epoll();
  private final EpollEvents events = new EpollEvents(4);
  private final DriveLock lock = new DriveLock();
  private final LinkWatch watch = new LinkWatch(new Waiting());
  private long settled;
  private int own = RingPort.READABLE;

  /** A drive that waits for the bytes of one descriptor. */
  private final class Waiting implements Drive {
    @Override
    public DriveLock lock() {
      return lock;
    }

    @Override
    public void pollIfDue(long nowNs) {}

    @Override
    public long poll(long nowNs) {
      return Long.MAX_VALUE;
    }

    @Override
    public long pollNs() {
      return Long.MAX_VALUE;
    }

    @Override
    public void interests(RingPort.Interests interests, int wanted) {
      interests.add(bytes.descriptor(), own);
    }

    @Override
    public long tend(long nowNs, RingPort.Interests interests) {
      interests(interests, RingPort.READABLE);
      return Long.MAX_VALUE;
    }

    @Override
    public long settled() {
      return settled;
    }

    @Override
    public long view() {
      return 0;
    }
  }

  @AfterEach
  void close() {
    epoll.close();
    bytes.close();
  }

  @Test
  void bytesThatAnotherThreadTakesWakeNobody() {
    assertEquals(Long.MAX_VALUE, watch.tend(0, epoll));
    bytes.signal();
    assertEquals(1, epoll.await(events, SOON_NS));
    lock.enter();
    assertTrue(watch.tend(0, epoll) < Long.MAX_VALUE, "the agent asks again");
    assertEquals(0, epoll.await(events, SOON_NS));
    lock.leave();
    assertEquals(Long.MAX_VALUE, watch.tend(0, epoll));
    assertEquals(1, epoll.await(events, SOON_NS));
  }

  /** As the kernel forgets a file that is closed. */
  @Test
  void aNumberThatMayBeAnotherFileIsSetAnew() {
    bytes.signal();
    for (long now : new long[] {0, 7, 0, 8, 9}) {
      settled = now;
      assertEquals(Long.MAX_VALUE, watch.tend(0, epoll));
      assertEquals(1, epoll.await(events, SOON_NS), "behind " + now);
      assertEquals(0, epoll.remove(bytes.descriptor()));
    }
  }

  @Test
  void descriptorsThatStayAreNotSetAgain() {
    bytes.signal();
    settled = 7;
    assertEquals(Long.MAX_VALUE, watch.tend(0, epoll));
    assertEquals(0, epoll.remove(bytes.descriptor()));
    assertEquals(Long.MAX_VALUE, watch.tend(0, epoll));
    assertEquals(0, epoll.await(events, SOON_NS));
    own = RingPort.READABLE | RingPort.WRITABLE;
    assertEquals(Long.MAX_VALUE, watch.tend(0, epoll));
    assertEquals(1, epoll.await(events, SOON_NS), "other events");
  }

  @Test
  void whatAnotherThreadDroveIsSetAgain() {
    bytes.signal();
    settled = 7;
    assertEquals(Long.MAX_VALUE, watch.tend(0, epoll));
    lock.enter();
    assertTrue(watch.tend(0, epoll) < Long.MAX_VALUE);
    lock.leave();
    assertEquals(Long.MAX_VALUE, watch.tend(0, epoll));
    assertEquals(1, epoll.await(events, SOON_NS));
  }
}
