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
      interests.add(bytes.descriptor(), RingPort.READABLE);
    }

    @Override
    public long tend(long nowNs, RingPort.Interests interests) {
      interests(interests, RingPort.READABLE);
      return Long.MAX_VALUE;
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
}
