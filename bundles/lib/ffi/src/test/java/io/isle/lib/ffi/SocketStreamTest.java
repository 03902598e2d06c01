package io.isle.lib.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SocketStreamTest {
  private static final int LARGE = 8 << 20;

  private final Loopback net = new Loopback();
  private final SocketIo io = net.io;
  private final Arena arena = Arena.ofShared();

  @AfterEach
  void close() {
    net.close();
    arena.close();
  }

  private MemorySegment random(long bytes) {
    MemorySegment all = arena.allocate(bytes, 8);
    SplittableRandom random = new SplittableRandom(7);
    for (long at = 0; at + 8 <= bytes; at += 8) {
      all.set(ValueLayout.JAVA_LONG, at, random.nextLong());
    }
    return all;
  }

  @Test
  void aFullBufferTakesAPartThenNothingAndLosesNothing() {
    int[] pair = net.connection();
    MemorySegment data = random(LARGE);
    MemorySegment got = arena.allocate(LARGE);
    long sent = 0;
    long received = 0;
    int partial = 0;
    int full = 0;
    while (received < LARGE) {
      long n = sent < LARGE ? io.send(pair[0], data, sent, LARGE - sent, 0) : 0;
      partial += n > 0 && n < LARGE - sent ? 1 : 0;
      full += n == -Errno.EAGAIN ? 1 : 0;
      sent += Math.max(0, n);
      if (n < 0) {
        assertEquals(-Errno.EAGAIN, n);
        long m = io.receive(pair[1], got, received, LARGE - received, 0);
        received += m == -Errno.EAGAIN ? 0 : m;
      } else if (sent == LARGE) {
        net.await(pair[1], PollSet.POLLIN);
        received += io.receive(pair[1], got, received, LARGE - received, 0);
      }
    }
    assertTrue(partial > 0 && full > 0, partial + " partial, " + full + " full");
    assertEquals(-1, data.mismatch(got));
    assertEquals(-Errno.EAGAIN, io.receive(pair[1], got, 0, 1, 0));
  }

  @Test
  void aVectorGoesOnWhereThePartialSendStopped() {
    int[] pair = net.connection();
    MemorySegment data = random(LARGE);
    MemorySegment got = arena.allocate(LARGE);
    IoVector out = new IoVector(data, 5);
    IoVector in = new IoVector(got, 3);
    long[] cuts = {0, 8, 8, 100_000, 100_001, LARGE};
    for (int i = 0; i + 1 < cuts.length; i++) {
      out.add(cuts[i], cuts[i + 1] - cuts[i]);
    }
    in.add(0, 1);
    in.add(1, 4_000_000);
    in.add(4_000_001, LARGE - 4_000_001);
    assertEquals(LARGE, out.remaining());
    int calls = 0;
    while (in.remaining() > 0) {
      if (out.remaining() > 0) {
        long n = io.send(pair[0], out, SocketIo.MSG_MORE);
        out.advance(n == -Errno.EAGAIN ? 0 : n);
        calls++;
      } else {
        net.await(pair[1], PollSet.POLLIN);
      }
      long m = io.receive(pair[1], in, 0);
      in.advance(m == -Errno.EAGAIN ? 0 : m);
    }
    assertTrue(calls > 1, "the first send was partial");
    assertEquals(-1, data.mismatch(got));
    assertEquals(0, out.remaining());
  }

  @Test
  void aVectorHasBounds() {
    IoVector vector = new IoVector(arena.allocate(100), 2);
    vector.add(0, 100);
    assertThrows(IndexOutOfBoundsException.class, () -> vector.add(1, 100));
    assertThrows(IndexOutOfBoundsException.class, () -> vector.add(-1, 1));
    vector.add(99, 1);
    assertThrows(IllegalStateException.class, () -> vector.add(0, 1));
    assertThrows(IndexOutOfBoundsException.class, () -> vector.advance(102));
    vector.advance(101);
    assertEquals(0, vector.remaining());
    vector.clear();
    vector.add(50, 0);
    vector.add(0, 2);
    vector.advance(1);
    assertEquals(1, vector.remaining());
    MemorySegment heap = MemorySegment.ofArray(new byte[8]);
    assertThrows(IllegalArgumentException.class, () -> new IoVector(heap, 1));
    assertThrows(IllegalArgumentException.class, () -> new IoVector(arena.allocate(1), 1025));
  }

  @Test
  void aPeekLeavesTheBytes() {
    int[] pair = net.connection();
    MemorySegment data = random(64);
    MemorySegment got = arena.allocate(64);
    io.send(pair[0], data, 0, 64, 0);
    net.await(pair[1], PollSet.POLLIN);
    assertEquals(8, io.receive(pair[1], got, 0, 8, SocketIo.MSG_PEEK));
    assertEquals(64, io.receive(pair[1], got, 0, 64, 0));
    assertEquals(-1, data.mismatch(got));
  }

  @Test
  void aResetIsToldAndRaisesNoSignal() {
    int[] pair = net.connection();
    MemorySegment data = random(64);
    assertEquals(0, net.options.linger(pair[1], 0));
    net.close(pair[1]);
    net.await(pair[0], PollSet.POLLIN);
    assertEquals(-SocketErrors.ECONNRESET, io.receive(pair[0], data, 0, 64, 0));
    assertEquals(-SocketErrors.EPIPE, io.send(pair[0], data, 0, 64, 0));
    assertEquals(0, io.receive(pair[0], data, 0, 64, 0), "afterwards an end");
  }

  @Test
  void unreadBytesResetAtTheClose() {
    int[] pair = net.connection();
    MemorySegment data = random(64);
    io.send(pair[0], data, 0, 64, 0);
    net.await(pair[1], PollSet.POLLIN);
    net.close(pair[1]);
    net.await(pair[0], PollSet.POLLIN);
    assertEquals(-SocketErrors.ECONNRESET, io.send(pair[0], data, 0, 64, 0));
  }

  @Test
  void aClosedSegmentIsRefusedAndNothingIsSent() {
    int[] pair = net.connection();
    Arena shortLived = Arena.ofShared();
    MemorySegment gone = shortLived.allocate(64);
    IoVector vector = new IoVector(gone, 1);
    vector.add(0, 64);
    shortLived.close();
    assertThrows(IllegalStateException.class, () -> io.send(pair[0], gone, 0, 64, 0));
    assertThrows(IllegalStateException.class, () -> io.receive(pair[0], gone, 0, 64, 0));
    assertThrows(IllegalStateException.class, () -> io.send(pair[0], vector, 0));
    assertThrows(IllegalStateException.class, () -> io.receive(pair[0], vector, 0));
    assertEquals(-Errno.EAGAIN, io.receive(pair[1], arena.allocate(8), 0, 8, 0));
  }

  @Test
  void memoryThatDoesNotFitIsRefused() {
    int fd = net.connection()[0];
    MemorySegment data = arena.allocate(64);
    MemorySegment heap = MemorySegment.ofArray(new byte[64]);
    assertThrows(IndexOutOfBoundsException.class, () -> io.send(fd, data, 1, 64, 0));
    assertThrows(IndexOutOfBoundsException.class, () -> io.send(fd, data, -1, 1, 0));
    assertThrows(IndexOutOfBoundsException.class, () -> io.receive(fd, data, 65, 0, 0));
    assertThrows(IndexOutOfBoundsException.class, () -> io.send(fd, data, 0, Long.MIN_VALUE, 0));
    assertThrows(IllegalArgumentException.class, () -> io.send(fd, heap, 0, 64, 0));
    assertThrows(IllegalArgumentException.class, () -> io.receive(fd, heap, 0, 64, 0));
    MemorySegment readOnly = data.asReadOnly();
    assertThrows(IllegalArgumentException.class, () -> io.receive(fd, readOnly, 0, 64, 0));
    IoVector vector = new IoVector(readOnly, 1);
    assertThrows(IllegalArgumentException.class, () -> io.receive(fd, vector, 0));
    assertEquals(64, io.send(fd, readOnly, 0, 64, 0));
  }

  @Test
  void aSegmentOfAnotherThreadIsRefused() {
    int fd = net.connection()[0];
    try (Arena confined = Arena.ofConfined()) {
      MemorySegment mine = confined.allocate(64);
      CompletableFuture<Long> other =
          CompletableFuture.supplyAsync(() -> new SocketIo().send(fd, mine, 0, 64, 0));
      CompletionException thrown = assertThrows(CompletionException.class, other::join);
      assertEquals(WrongThreadException.class, thrown.getCause().getClass());
    }
  }

  @Test
  void aCallOnABlockingSocketDoesNotWaitEither() {
    try (UnixListener listener = UnixListener.listen("isle-test-" + java.util.UUID.randomUUID())) {
      // descriptors of UnixListener block
      SockAddr peer = new SockAddr();
      assertEquals(0, net.sockets.localAddress(listener.descriptor(), peer));
      int client = net.keep(net.sockets.socket(Sockets.AF_UNIX, Sockets.SOCK_SEQPACKET));
      assertEquals(0, net.sockets.connect(client, peer));
      try (UnixConnection connection = listener.accept(1000).orElseThrow()) {
        MemorySegment data = arena.allocate(64);
        assertEquals(-Errno.EAGAIN, io.receive(connection.descriptor(), data, 0, 64, 0));
        assertEquals(64, io.send(connection.descriptor(), data, 0, 64, 0));
        assertEquals(64, io.receive(client, data, 0, 64, 0));
      }
    }
  }
}
