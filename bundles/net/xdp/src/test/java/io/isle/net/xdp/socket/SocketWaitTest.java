package io.isle.net.xdp.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.lib.agent.AgentSleeper;
import io.isle.lib.ffi.Epoll;
import io.isle.lib.ffi.EpollEvents;
import io.isle.lib.ffi.EventDescriptor;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Descriptors of events stand for sockets. */
@Timeout(60)
class SocketWaitTest {
  private static final long LONG_NS = TimeUnit.SECONDS.toNanos(50);

  @Test
  void aSocketIsHeardDuringTheWaitAlone() {
    try (Epoll epoll = new Epoll();
        EventDescriptor socket = new EventDescriptor();
        EventDescriptor bell = new EventDescriptor()) {
      EpollEvents events = new EpollEvents(8);
      assertEquals(0, epoll.add(bell.descriptor(), EpollEvents.EPOLLIN, 7));
      SocketWait wait = new SocketWait(epoll, List.of(socket.descriptor()));
      assertEquals(0, wait.await(events, 0));

      socket.signal();
      assertEquals(0, epoll.await(events, 0));
      assertEquals(1, wait.await(events, LONG_NS));
      assertEquals(0, events.token(0));
      assertEquals(0, epoll.await(events, 0));

      bell.signal();
      assertEquals(2, wait.await(events, LONG_NS));
      long ignored = socket.drain();
      assertEquals(1, wait.await(events, LONG_NS));
      assertEquals(7, events.token(0));
    }
  }

  @Test
  void aSocketThatCannotBeHeardShortensTheWait() {
    try (Epoll epoll = new Epoll()) {
      long begin = System.nanoTime();
      assertEquals(0, new SocketWait(epoll, List.of(-1)).await(new EpollEvents(8), LONG_NS));
      assertTrue(System.nanoTime() - begin >= AgentSleeper.MOST_DEAF_NS);
    }
  }
}
