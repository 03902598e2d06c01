package io.isle.lib.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DatagramTest {
  private static final int CHUNK = 1412;
  private static final int LARGEST = 65_507;

  private final Loopback net = new Loopback();
  private final SocketIo io = net.io;
  private final MessageIo messages = new MessageIo();
  private final Arena arena = Arena.ofShared();
  private final MemorySegment out = arena.allocate(1 << 20, 8);
  private final MemorySegment in = arena.allocate(1 << 20, 8);
  private int sender;
  private int receiver;

  @BeforeEach
  void open() {
    sender = net.bound(Sockets.SOCK_DGRAM);
    receiver = net.bound(Sockets.SOCK_DGRAM);
    net.options.set(receiver, SocketOption.SO_RCVBUF, 4 << 20);
    SplittableRandom random = new SplittableRandom(3);
    for (long at = 0; at < out.byteSize(); at += 8) {
      out.set(ValueLayout.JAVA_LONG, at, random.nextLong());
    }
  }

  @AfterEach
  void close() {
    net.close();
    arena.close();
  }

  private void assertArrived(long from, long at, long bytes) {
    assertEquals(-1, MemorySegment.mismatch(out, from, from + bytes, in, at, at + bytes));
  }

  @Test
  void aDatagramTellsItsSource() {
    SockAddr from = new SockAddr();
    assertEquals(-Errno.EAGAIN, io.receiveFrom(receiver, in, 0, 100, 0, from));
    assertEquals(100, io.sendTo(sender, out, 7, 100, 0, net.local(receiver)));
    assertEquals(0, io.sendTo(sender, out, 0, 0, 0, net.local(receiver)));
    net.await(receiver, PollSet.POLLIN);
    assertEquals(100, io.receiveFrom(receiver, in, 1, 1000, 0, from));
    assertTrue(from.sameAs(net.local(sender)));
    assertArrived(7, 1, 100);
    assertEquals(0, io.receiveFrom(receiver, in, 0, 1000, 0, from), "an empty one");
    assertEquals(-Errno.EAGAIN, io.receiveFrom(receiver, in, 0, 1000, 0, from));
    assertEquals(0, from.family());
  }

  @Test
  void theFullSizeOfACutDatagramIsToldOnRequest() {
    SockAddr to = net.local(receiver);
    io.sendTo(sender, out, 0, 5000, 0, to);
    io.sendTo(sender, out, 0, 5000, 0, to);
    net.await(receiver, PollSet.POLLIN);
    assertEquals(100, io.receive(receiver, in, 0, 100, 0));
    assertEquals(5000, io.receive(receiver, in, 0, 100, SocketIo.MSG_TRUNC));
  }

  @Test
  void aDatagramHasALargestSizeAndADestination() {
    SockAddr to = net.local(receiver);
    assertEquals(LARGEST, io.sendTo(sender, out, 0, LARGEST, 0, to));
    assertEquals(-Errno.EMSGSIZE, io.sendTo(sender, out, 0, LARGEST + 1, 0, to));
    assertEquals(-SocketErrors.EDESTADDRREQ, io.send(sender, out, 0, 1, 0));
  }

  @Test
  void aPeerIsSetAndForgotten() {
    assertEquals(0, net.sockets.connect(sender, net.local(receiver)));
    assertEquals(10, io.send(sender, out, 0, 10, 0));
    SockAddr none = new SockAddr();
    assertEquals(0, net.sockets.connect(sender, none));
    assertEquals(-SocketErrors.EDESTADDRREQ, io.send(sender, out, 0, 10, 0));
  }

  @Test
  void aClosedPortIsToldToAConnectedSocket() {
    int gone = net.bound(Sockets.SOCK_DGRAM);
    SockAddr address = net.local(gone);
    net.close(gone);
    assertEquals(0, net.sockets.connect(sender, address));
    assertEquals(10, io.send(sender, out, 0, 10, 0));
    net.await(sender, PollSet.POLLIN);
    assertEquals(-SocketErrors.ECONNREFUSED, io.receive(sender, in, 0, 10, 0));
  }

  /** An unconnected socket hears of it only on request, with the address in the queue of errors. */
  @Test
  void aFailedDatagramTellsItsDestination() {
    int gone = net.bound(Sockets.SOCK_DGRAM);
    SockAddr address = net.local(gone);
    net.close(gone);
    assertEquals(0, net.options.set(sender, SocketOption.IP_RECVERR, 1));
    MessageBatch failed = new MessageBatch(in, 1);
    failed.set(0, 0, 100);
    assertEquals(-Errno.EAGAIN, messages.receive(sender, failed, 0, SocketIo.MSG_ERRQUEUE));
    assertEquals(10, io.sendTo(sender, out, 0, 10, 0, address));
    net.await(sender, PollSet.POLLERR);
    assertEquals(-SocketErrors.ECONNREFUSED, io.receive(sender, in, 0, 10, 0));
    assertEquals(10, messages.receive(sender, failed, 0, SocketIo.MSG_ERRQUEUE));
    assertEquals(SocketErrors.ECONNREFUSED, failed.queuedError(0));
    assertTrue(failed.address(0).sameAs(address));
    assertEquals(-Errno.EAGAIN, messages.receive(sender, failed, 0, SocketIo.MSG_ERRQUEUE));
    assertEquals(-Errno.EAGAIN, io.receive(sender, in, 0, 10, 0));
  }

  @Test
  void aBatchArrivesAsItWasSent() {
    int count = 64;
    MessageBatch sent = new MessageBatch(out, count);
    MessageBatch got = new MessageBatch(in, count);
    for (int i = 0; i < count; i++) {
      sent.set(i, 3L * i, 10 + i);
      sent.address(i).copyFrom(net.local(receiver));
      got.set(i, 100L * i, 50);
    }
    assertEquals(-Errno.EAGAIN, messages.receiveMany(receiver, got, 0, count, 0));
    assertEquals(40, messages.sendMany(sender, sent, 0, 40, 0));
    assertEquals(24, messages.sendMany(sender, sent, 40, 24, 0));
    assertEquals(30, messages.receiveMany(receiver, got, 0, 30, 0));
    assertEquals(34, messages.receiveMany(receiver, got, 30, 34, 0));
    for (int i = 0; i < count; i++) {
      assertEquals(10 + i, sent.length(i));
      assertEquals(Math.min(50, 10 + i), got.length(i));
      assertEquals(i > 40, got.truncated(i), "" + i);
      assertEquals(got.length(i), got.receivedSegmentSize(i));
      assertTrue(got.address(i).sameAs(net.local(sender)));
      assertArrived(3L * i, 100L * i, got.length(i));
    }
    assertEquals(-Errno.EAGAIN, messages.receiveMany(receiver, got, 0, count, 0));
  }

  @Test
  void aBatchStopsAtTheFirstMessageThatFails() {
    MessageBatch sent = new MessageBatch(out, 3);
    for (int i = 0; i < 3; i++) {
      sent.set(i, 0, i == 1 ? 70_000 : 10);
      sent.address(i).copyFrom(net.local(receiver));
    }
    assertEquals(1, messages.sendMany(sender, sent, 0, 3, 0));
    assertEquals(-Errno.EMSGSIZE, messages.sendMany(sender, sent, 1, 2, 0));
    assertEquals(1, messages.sendMany(sender, sent, 2, 1, 0));
  }

  @Test
  void aSegmentedMessageArrivesAsDatagrams() {
    MessageBatch sent = new MessageBatch(out, 1);
    int bytes = 10 * CHUNK + 5;
    sent.set(0, 0, bytes);
    sent.segmentSize(0, CHUNK);
    sent.address(0).copyFrom(net.local(receiver));
    assertEquals(bytes, messages.send(sender, sent, 0, 0));
    for (int i = 0; i <= 10; i++) {
      long at = (long) i * CHUNK;
      assertEquals(i < 10 ? CHUNK : 5, io.receive(receiver, in, at, 2000, 0));
    }
    assertArrived(0, 0, bytes);
    assertEquals(-Errno.EAGAIN, io.receive(receiver, in, 0, 2000, 0));
  }

  @Test
  void joinedDatagramsAreExact() {
    assertEquals(0, net.options.set(receiver, SocketOption.UDP_GRO, 1));
    MessageBatch sent = new MessageBatch(out, 1);
    sent.address(0).copyFrom(net.local(receiver));
    MessageBatch got = new MessageBatch(in, 1);
    for (int size : new int[] {100, CHUNK, 8000}) {
      for (int count = 1; count <= 64 && count * size <= LARGEST; count++) {
        for (int last : new int[] {1, size}) {
          int bytes = (count - 1) * size + last;
          sent.set(0, count, bytes);
          sent.segmentSize(0, size);
          assertEquals(bytes, messages.send(sender, sent, 0, 0));
          long at = 0;
          while (at < bytes) {
            got.set(0, at, 65_536);
            long n = messages.receive(receiver, got, 0, 0);
            assertTrue(n > 0, "" + n);
            assertEquals(n, got.length(0));
            assertEquals(n > size ? size : n, got.receivedSegmentSize(0));
            assertTrue(at + n == bytes || n % size == 0, "only the last one is shorter");
            assertFalse(got.truncated(0));
            assertTrue(got.address(0).sameAs(net.local(sender)));
            at += n;
          }
          assertEquals(bytes, at);
          assertArrived(count, 0, bytes);
        }
      }
    }
    assertEquals(-Errno.EAGAIN, messages.receive(receiver, got, 0, 0));
  }

  @Test
  void segmentsHaveLimits() {
    MessageBatch sent = new MessageBatch(out, 1);
    sent.address(0).copyFrom(net.local(receiver));
    sent.segmentSize(0, 1);
    sent.set(0, 0, 1000);
    assertTrue(messages.send(sender, sent, 0, 0) < 0, "more than the kernel's largest number");
    sent.segmentSize(0, CHUNK);
    sent.set(0, 0, LARGEST + 1);
    assertEquals(-Errno.EMSGSIZE, messages.send(sender, sent, 0, 0));
    assertEquals(0, sent.length(0));
    sent.set(0, 0, 100);
    assertEquals(100, messages.send(sender, sent, 0, 0), "shorter than a segment: one datagram");
    sent.segmentSize(0, 0);
    sent.set(0, 0, 3000);
    assertEquals(3000, messages.send(sender, sent, 0, 0), "no longer segmented");
    assertEquals(100, io.receive(receiver, in, 0, 4000, 0));
    assertEquals(3000, io.receive(receiver, in, 0, 4000, 0));
    assertThrows(IllegalArgumentException.class, () -> sent.segmentSize(0, 65_536));
  }

  @Test
  void aBatchHasBounds() {
    MessageBatch batch = new MessageBatch(out, 4);
    assertThrows(IndexOutOfBoundsException.class, () -> batch.set(4, 0, 1));
    assertThrows(IndexOutOfBoundsException.class, () -> batch.set(0, 1, out.byteSize()));
    assertThrows(IndexOutOfBoundsException.class, () -> batch.length(-1));
    assertThrows(IndexOutOfBoundsException.class, () -> messages.send(sender, batch, 4, 0));
    assertThrows(IndexOutOfBoundsException.class, () -> messages.sendMany(sender, batch, 2, 3, 0));
    assertThrows(
        IndexOutOfBoundsException.class, () -> messages.receiveMany(sender, batch, 0, 5, 0));
    MessageBatch readOnly = new MessageBatch(out.asReadOnly(), 1);
    assertThrows(IllegalArgumentException.class, () -> messages.receive(sender, readOnly, 0, 0));
    assertThrows(
        IllegalArgumentException.class, () -> messages.receiveMany(sender, readOnly, 0, 1, 0));
    assertThrows(IllegalArgumentException.class, () -> new MessageBatch(out, 0));
  }

  @Test
  void aBatchOnClosedMemoryIsRefused() {
    Arena shortLived = Arena.ofShared();
    MessageBatch batch = new MessageBatch(shortLived.allocate(100), 2);
    batch.set(0, 0, 100);
    shortLived.close();
    assertThrows(IllegalStateException.class, () -> messages.send(sender, batch, 0, 0));
    assertThrows(IllegalStateException.class, () -> messages.sendMany(sender, batch, 0, 2, 0));
    assertThrows(IllegalStateException.class, () -> messages.receive(sender, batch, 0, 0));
    assertThrows(IllegalStateException.class, () -> messages.receiveMany(sender, batch, 0, 2, 0));
  }

  @Test
  void aSourceCanBeAnswered() {
    MessageBatch got = new MessageBatch(in, 1);
    got.set(0, 0, 100);
    io.sendTo(sender, out, 0, 100, 0, net.local(receiver));
    assertEquals(100, messages.receive(receiver, got, 0, 0));
    assertEquals(100, messages.send(receiver, got, 0, 0));
    assertEquals(100, io.receive(sender, in, 200, 100, 0));
    assertArrived(0, 200, 100);
  }
}
