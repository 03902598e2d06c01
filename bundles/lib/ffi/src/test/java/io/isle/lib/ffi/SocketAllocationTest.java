package io.isle.lib.ffi;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.isle.api.base.Errno;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Bytes that calls allocate once the JVM has compiled them. */
@Timeout(300)
class SocketAllocationTest {
  private static final int RUNS = 20_000;
  private static final int ROUNDS = 25;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final Loopback net = new Loopback();
  private final SocketIo io = net.io;
  private final MessageIo messages = new MessageIo();
  private final Arena shared = Arena.ofShared();
  private final Arena confined = Arena.ofConfined();

  /** The kinds of memory that callers have: one call site sees them all. */
  private final MemorySegment[] kinds = {
    Arena.ofAuto().allocate(4096, 8),
    shared.allocate(4096, 8),
    confined.allocate(4096, 8),
    mappedFile(shared)
  };

  /** A class of segments of its own. */
  private static MemorySegment mappedFile(Arena arena) {
    try {
      Path file = Files.createTempFile("isle-test", null);
      try (FileChannel channel = FileChannel.open(file, READ, WRITE)) {
        return channel.map(FileChannel.MapMode.READ_WRITE, 0, 4096, arena);
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @AfterEach
  void close() {
    net.close();
    shared.close();
    confined.close();
  }

  private interface Call {
    void run(int round);
  }

  /** The least of a few rounds: the JVM may compile once more during one. */
  private void allocatesNothing(Call call) {
    double least = Double.MAX_VALUE;
    for (int round = 0; round < ROUNDS && least >= 0.5; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < RUNS; i++) {
        call.run(i);
      }
      long after = threads.getCurrentThreadAllocatedBytes();
      least = Math.min(least, (double) (after - before) / RUNS);
    }
    assertTrue(least < 0.5, least + " bytes a run");
  }

  @Test
  void aStreamAllocatesNothing() {
    int[] pair = net.connection();
    net.options.set(pair[0], SocketOption.TCP_NODELAY, 1);
    IoVector vector = new IoVector(kinds[1], 2);
    allocatesNothing(
        i -> {
          MemorySegment memory = kinds[i & 3];
          assertEquals(10, io.send(pair[0], memory, i & 1, 10, 0));
          vector.clear();
          vector.add(0, 5);
          vector.add(100, 5);
          assertEquals(10, io.send(pair[0], vector, 0));
          int got = 0;
          while (got < 20) {
            long n = io.receive(pair[1], memory, got, 20 - got, 0);
            got += n < 0 ? 0 : (int) n;
          }
          assertEquals(-Errno.EAGAIN, io.receive(pair[1], vector, 0));
        });
  }

  @Test
  void datagramsAllocateNothing() {
    int sender = net.bound(Sockets.SOCK_DGRAM);
    int receiver = net.bound(Sockets.SOCK_DGRAM);
    net.options.set(receiver, SocketOption.UDP_GRO, 1);
    SockAddr to = net.local(receiver);
    SockAddr expected = net.local(sender);
    SockAddr from = new SockAddr();
    Cidr allowed = Cidr.parse("127.0.0.0/8");
    MessageBatch out = new MessageBatch(kinds[0], 2);
    MessageBatch in = new MessageBatch(kinds[1], 2);
    for (int i = 0; i < 2; i++) {
      out.address(i).copyFrom(to);
      in.set(i, 2048L * i, 2048);
    }
    out.segmentSize(1, 10);
    allocatesNothing(
        i -> {
          MemorySegment memory = kinds[i & 3];
          assertEquals(9, io.sendTo(sender, memory, i & 7, 9, 0, to));
          assertEquals(9, io.receiveFrom(receiver, memory, 0, 100, 0, from));
          assertTrue(from.sameAs(expected) && allowed.contains(from));
          out.set(0, i & 7, 100);
          out.set(1, i & 7, 95);
          assertEquals(2, messages.sendMany(sender, out, 0, 2, 0));
          assertEquals(1, messages.receiveMany(receiver, in, 0, 1, 0));
          assertEquals(100, in.length(0));
          int got = 0;
          while (got < 95) {
            assertTrue(messages.receive(receiver, in, 1, 0) > 0);
            assertEquals(Math.min(10, in.length(1)), in.receivedSegmentSize(1));
            got += in.length(1);
          }
          assertTrue(in.address(1).sameAs(expected));
          assertEquals(-Errno.EAGAIN, messages.receive(receiver, in, 1, 0));
          assertEquals(-Errno.EAGAIN, messages.receiveMany(receiver, in, 0, 2, 0));
          assertEquals(-Errno.EAGAIN, io.receiveFrom(receiver, memory, 0, 100, 0, from));
        });
  }

  @Test
  void waitsAllocateNothing() {
    int receiver = net.bound(Sockets.SOCK_DGRAM);
    int listener = net.bound(Sockets.SOCK_STREAM);
    assertEquals(0, net.sockets.listen(listener, 4));
    SockAddr peer = new SockAddr();
    allocatesNothing(i -> assertEquals(-Errno.EAGAIN, net.sockets.accept(listener, peer)));
    PollSet poll = new PollSet(1);
    try (Epoll epoll = new Epoll();
        EventDescriptor bell = new EventDescriptor()) {
      waits(receiver, poll, epoll, bell);
    }
  }

  private void waits(int receiver, PollSet poll, Epoll epoll, EventDescriptor bell) {
    EpollEvents exact = new EpollEvents(4);
    EpollEvents coarse = new EpollEvents(4, false);
    allocatesNothing(
        i -> {
          assertEquals(0, epoll.add(bell.descriptor(), EpollEvents.EPOLLIN, i));
          bell.signal();
          assertEquals(1, epoll.await(exact, 0));
          assertEquals(i, exact.token(0));
          assertEquals(1, bell.drain());
          assertEquals(0, epoll.modify(bell.descriptor(), EpollEvents.EPOLLIN, i));
          assertEquals(0, epoll.await(coarse, 0));
          assertEquals(0, epoll.remove(bell.descriptor()));
          poll.set(0, receiver, PollSet.POLLIN);
          assertEquals(0, poll.await(1, 0));
          assertEquals(0, net.sockets.unread(receiver));
          assertEquals(0, net.options.get(receiver, SocketOption.SO_ERROR));
        });
  }
}
