package io.isle.lib.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Epoll, poll and eventfd. */
@Timeout(60)
class WaitsTest {
  private static final long LONG = 20 * Loopback.SECONDS;
  private static final int IN = EpollEvents.EPOLLIN;

  private final Loopback net = new Loopback();
  private final Epoll epoll = new Epoll();
  private final EpollEvents events = new EpollEvents(8);
  private final EventDescriptor event = new EventDescriptor();

  @AfterEach
  void close() {
    event.close();
    epoll.close();
    net.close();
  }

  @Test
  void aTokenComesBackWhole() {
    assertEquals(0, epoll.add(event.descriptor(), IN, 0xFEDC_BA98_7654_3210L));
    assertEquals(0, epoll.await(events, 0));
    assertThrows(IndexOutOfBoundsException.class, () -> events.token(0));
    event.signal();
    assertEquals(1, epoll.await(events, LONG));
    assertEquals(1, events.count());
    assertEquals(0xFEDC_BA98_7654_3210L, events.token(0));
    assertEquals(IN, events.events(0));
    assertThrows(IndexOutOfBoundsException.class, () -> events.events(1));
  }

  @Test
  void manyReadyDescriptorsComeInTurns() {
    EventDescriptor[] all = new EventDescriptor[20];
    for (int i = 0; i < all.length; i++) {
      all[i] = new EventDescriptor();
      all[i].signal();
      assertEquals(0, epoll.add(all[i].descriptor(), IN, i));
    }
    Set<Long> seen = new HashSet<>();
    while (seen.size() < all.length) {
      int count = epoll.await(events, LONG);
      assertTrue(count > 0 && count <= 8, "" + count);
      for (int i = 0; i < count; i++) {
        seen.add(events.token(i));
        all[(int) events.token(i)].drain();
      }
    }
    assertEquals(0, epoll.await(events, 0));
    for (EventDescriptor one : all) {
      one.close();
    }
  }

  @Test
  void aLevelStaysAnEdgeAndAOneShotDoNot() {
    assertEquals(0, epoll.add(event.descriptor(), IN, 1));
    event.signal();
    assertEquals(1, epoll.await(events, LONG));
    assertEquals(1, epoll.await(events, LONG));
    assertEquals(0, epoll.modify(event.descriptor(), IN | EpollEvents.EPOLLET, 2));
    assertEquals(1, epoll.await(events, LONG), "a modify looks again");
    assertEquals(2, events.token(0));
    assertEquals(0, epoll.await(events, 0));
    event.signal();
    assertEquals(1, epoll.await(events, LONG));
    assertEquals(0, epoll.modify(event.descriptor(), IN | EpollEvents.EPOLLONESHOT, 3));
    assertEquals(1, epoll.await(events, LONG));
    event.signal();
    assertEquals(0, epoll.await(events, 0));
    assertEquals(0, epoll.modify(event.descriptor(), IN | EpollEvents.EPOLLONESHOT, 3));
    assertEquals(1, epoll.await(events, LONG));
  }

  @Test
  void membershipHasErrors() {
    int fd = event.descriptor();
    assertEquals(-Errno.ENOENT, epoll.modify(fd, IN, 0));
    assertEquals(-Errno.ENOENT, epoll.remove(fd));
    assertEquals(0, epoll.add(fd, IN, 0));
    assertEquals(-Errno.EEXIST, epoll.add(fd, IN, 0));
    assertEquals(-SocketErrors.EBADF, epoll.add(-1, IN, 0));
    event.signal();
    assertEquals(0, epoll.remove(fd));
    assertEquals(0, epoll.await(events, 0));
    try (MemoryFile file = MemoryFile.create("isle-test", 4096)) {
      assertEquals(-Errno.EPERM, epoll.add(file.descriptor(), IN, 0));
    }
  }

  @Test
  void aClosedDescriptorIsAMemberNoMore() {
    EventDescriptor gone = new EventDescriptor();
    epoll.add(gone.descriptor(), IN, 1);
    gone.signal();
    gone.close();
    assertEquals(0, epoll.await(events, 0));
  }

  @Test
  void aClosedSetIsNoDescriptor() {
    epoll.close();
    epoll.close();
    assertEquals(-SocketErrors.EBADF, epoll.add(event.descriptor(), IN, 0));
    assertEquals(-SocketErrors.EBADF, epoll.await(events, LONG));
  }

  @Test
  void theEndOfAPeerIsAnEvent() {
    int[] pair = net.connection();
    epoll.add(pair[0], IN | EpollEvents.EPOLLRDHUP, 5);
    assertEquals(0, epoll.await(events, 0));
    net.sockets.shutdown(pair[1], Sockets.SHUT_WR);
    assertEquals(1, epoll.await(events, LONG));
    assertEquals(IN | EpollEvents.EPOLLRDHUP, events.events(0));
    net.options.linger(pair[1], 0);
    net.close(pair[1]);
    int all;
    do {
      assertEquals(1, epoll.await(events, LONG));
      all = events.events(0);
    } while ((all & EpollEvents.EPOLLHUP) == 0);
    assertTrue((all & EpollEvents.EPOLLERR) != 0);
  }

  @Test
  void roomToWriteIsAnEvent() {
    int[] pair = net.connection();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment data = arena.allocate(1 << 20);
      while (net.io.send(pair[0], data, 0, data.byteSize(), 0) > 0) {}
      epoll.add(pair[0], EpollEvents.EPOLLOUT, 0);
      assertEquals(0, epoll.await(events, 0));
      long got;
      do {
        got = net.io.receive(pair[1], data, 0, data.byteSize(), 0);
      } while (got > 0 || epoll.await(events, 0) == 0);
      assertEquals(EpollEvents.EPOLLOUT, events.events(0));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aWaitEndsAtItsTimeNotBefore(boolean nanoseconds) {
    EpollEvents list = new EpollEvents(1, nanoseconds);
    for (long timeout : new long[] {-5, 0, 1, 200_000, 3_000_001}) {
      long start = System.nanoTime();
      assertEquals(0, epoll.await(list, timeout));
      assertTrue(System.nanoTime() - start >= timeout);
    }
    event.signal();
    epoll.add(event.descriptor(), IN, 9);
    assertEquals(1, epoll.await(list, Long.MAX_VALUE));
    assertEquals(9, list.token(0));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aSignalOfAnotherThreadWakes(boolean nanoseconds) {
    EpollEvents list = new EpollEvents(1, nanoseconds);
    epoll.add(event.descriptor(), IN, 0);
    for (int i = 0; i < 100; i++) {
      CompletableFuture<Void> other = CompletableFuture.runAsync(event::signal);
      assertEquals(1, epoll.await(list, LONG));
      assertEquals(1, event.drain());
      other.join();
    }
  }

  @Test
  void signalsAreCountedUntilTheDrain() {
    assertEquals(0, event.drain());
    event.signal();
    event.signal();
    assertEquals(2, event.drain());
    assertEquals(0, event.drain());
    event.close();
    event.signal();
    assertEquals(0, event.drain());
    event.close();
  }

  @Test
  void aPollSeesEachEntry() {
    PollSet poll = new PollSet(3);
    assertEquals(0, poll.await(3, 1000), "entries without descriptors");
    poll.set(0, event.descriptor(), PollSet.POLLIN);
    poll.set(2, event.descriptor(), PollSet.POLLOUT);
    assertEquals(1, poll.await(3, LONG));
    assertEquals(0, poll.happened(0));
    assertEquals(PollSet.POLLOUT, poll.happened(2));
    event.signal();
    assertEquals(2, poll.await(3, 0));
    assertEquals(PollSet.POLLIN, poll.happened(0));
    assertEquals(1, poll.await(1, LONG));
    event.drain();
    long start = System.nanoTime();
    assertEquals(0, poll.await(1, 300_000));
    assertTrue(System.nanoTime() - start >= 300_000);
    poll.set(1, 1_000_000, PollSet.POLLIN);
    assertEquals(1, poll.await(2, LONG));
    assertEquals(PollSet.POLLNVAL, poll.happened(1));
    assertThrows(IndexOutOfBoundsException.class, () -> poll.set(3, 0, 0));
    assertThrows(IndexOutOfBoundsException.class, () -> poll.await(4, 0));
  }
}
