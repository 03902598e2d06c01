package io.isle.fabric.ring.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.fabric.PortState;
import io.isle.api.fabric.RingSide;
import io.isle.lib.leap.isle.Hello;
import io.isle.lib.leap.isle.IsleFrame;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A link of each side over a stream within the process. */
class PacketLinkTest {
  private static final int BYTES = 200;
  private static final long SECOND = 1_000_000_000;
  private static final Caller GOES_ON = () -> 0;

  private final PipeTransport transport = new PipeTransport();
  private final PacketLink sender = new PacketLink(Links.spec(RingSide.NEXT, "a", BYTES));
  private final PacketLink receiver = new PacketLink(Links.spec(RingSide.PREV, "a", BYTES));
  private final Arena arena = Arena.ofShared();
  private final MemorySegment packet = arena.allocate(BYTES);
  private final MemorySegment into = arena.allocate(BYTES);

  @AfterEach
  void close() {
    sender.close();
    receiver.close();
    arena.close();
  }

  private void connect() {
    sender.attach("pipe", transport);
    receiver.attach("pipe", transport);
  }

  private long send(int first, long timeoutNs) {
    packet.fill((byte) first);
    return sender.send(packet, 8, packet, 8, BYTES - 8, timeoutNs, GOES_ON);
  }

  private long receive(long timeoutNs) {
    return receiver.receive(into, 0, timeoutNs, GOES_ON);
  }

  private void assertReceived(int first) {
    for (int i = 0; i < BYTES; i++) {
      assertEquals((byte) first, into.get(ValueLayout.JAVA_BYTE, i), "byte " + i);
    }
  }

  @Test
  void aPacketGoesThroughWholeInPiecesOfAnySize() {
    connect();
    for (int most : new int[] {1, 7, 8, 9, 199, 200, 1000}) {
      transport.most = most;
      assertEquals(BYTES, send(most, SECOND));
      assertEquals(BYTES, receive(SECOND));
      assertReceived(most);
    }
    assertEquals(7, receiver.info().counters().framesReceived());
    assertEquals(7L * BYTES, sender.info().counters().bytesSent());
  }

  @Test
  void aLinkWithoutATransportSaysSo() {
    assertEquals(-Errno.ENOTCONN, receive(0));
    assertEquals(-Errno.ETIME, receive(1_000_000));
    assertEquals(-Errno.ENOTCONN, send(1, 0));
    assertEquals(PortState.FAILED, sender.info().state());
    assertEquals("transport pipe is not installed", sender.info().reason());
  }

  @Test
  void theBeginOfAPacketStaysAfterATimeout() {
    connect();
    transport.inject("a", new byte[] {5, 5, 5});
    assertEquals(-Errno.EAGAIN, receive(0));
    into.fill((byte) 0);
    transport.inject("a", bytes(BYTES - 3, 5));
    assertEquals(BYTES, receive(0));
    assertReceived(5);
  }

  private static byte[] bytes(int count, int value) {
    byte[] all = new byte[count];
    Arrays.fill(all, (byte) value);
    return all;
  }

  @Test
  void theRestOfAPacketThatHasBegunIsSentLater() {
    connect();
    int sent = 0;
    while (send(1, 0) == BYTES) {
      sent++;
    }
    int inPipe = (1 << 20) / BYTES + 1;
    assertEquals(inPipe, sent, "the packet that fits in part counts as sent");
    assertEquals(-Errno.EAGAIN, send(2, 0));
    for (int i = 0; i < inPipe - 1; i++) {
      assertEquals(BYTES, receive(0));
    }
    assertEquals(-Errno.EAGAIN, receive(0), "the last one is not whole yet");
    assertEquals(BYTES, send(3, 0), "the rest goes first");
    assertEquals(BYTES, receive(0));
    assertReceived(1);
    assertEquals(BYTES, receive(0));
    assertReceived(3);
  }

  @Test
  void aPacketThatADisconnectCutsIsDroppedAndCounted() {
    connect();
    transport.inject("a", bytes(10, 9));
    assertEquals(-Errno.EAGAIN, receive(0));
    transport.cut("a");
    assertEquals(BYTES, send(4, 0));
    assertEquals(BYTES, receive(0));
    assertReceived(4);
    assertEquals(1, receiver.info().counters().cut());
  }

  @Test
  void aSenderIsToldThatItsPacketWasCut() {
    connect();
    while (send(1, 0) == BYTES) {
      // until the pipe is full
    }
    transport.cut("a");
    assertEquals(BYTES, send(2, 0), "the rest of the packet before is dropped with the path");
    assertEquals(1, sender.info().counters().cut());
    while (send(1, 0) == BYTES) {
      // again
    }
    AtomicInteger looks = new AtomicInteger();
    long result =
        sender.send(
            packet,
            0,
            packet,
            0,
            BYTES,
            SECOND,
            () -> {
              if (looks.getAndIncrement() == 0) {
                // room for a part of the packet, then the end of the path
                receiver.receive(into, 0, 0, GOES_ON);
              } else if (looks.get() == 3) {
                transport.cut("a");
              }
              return 0;
            });
    assertEquals(-Errno.EINTR, result);
  }

  /** The owner of the memory closes it on another thread. */
  @Test
  void memoryThatEndsDuringACallCutsItsPacketOnly() {
    connect();
    while (send(1, 0) == BYTES) {
      // until the pipe is full
    }
    Arena ending = Arena.ofShared();
    MemorySegment gone = ending.allocate(BYTES);
    AtomicInteger looks = new AtomicInteger();
    Caller meanwhile =
        () -> {
          if (looks.getAndIncrement() == 0) {
            // room for a part of the packet
            receiver.receive(into, 0, 0, GOES_ON);
          } else if (ending.scope().isAlive()) {
            ending.close();
          }
          return 0;
        };
    assertThrows(
        IllegalStateException.class, () -> sender.send(gone, 0, gone, 0, BYTES, SECOND, meanwhile));
    assertEquals(BYTES, send(3, 0), "the next packet begins a path");
    assertEquals(BYTES, receive(0));
    assertReceived(3);
    assertTrue(sender.info().counters().cut() >= 1);
  }

  @Test
  void aNeighbourOfDialectIsleIsNamedAndItsBytesAreNoPackets() {
    connect();
    byte[] greeting = new byte[IsleFrame.HEADER_BYTES + Hello.BYTES];
    IsleFrame.header(MemorySegment.ofArray(greeting), 0, IsleFrame.HELLO, 0, Hello.BYTES, 1);
    transport.inject("a", greeting);
    assertEquals(-Errno.EAGAIN, receive(0));
    assertEquals(Framing.SPEAKS_ISLE, receiver.info().reason());
    assertEquals(1, receiver.info().counters().malformed());
    transport.inject("a", bytes(BYTES, 7));
    assertEquals(-Errno.EAGAIN, receive(0), "the rest of the path");
    transport.cut("a");
    assertEquals(BYTES, send(4, 0));
    assertEquals(BYTES, receive(0));
    assertReceived(4);
    assertEquals("", receiver.info().reason());
  }

  @Test
  void aCallerEndsItsWait() {
    connect();
    assertEquals(-Errno.ECLOSED, receiver.receive(into, 0, 3600 * SECOND, () -> -Errno.ECLOSED));
  }

  @Test
  void anInterruptEndsAWaitAndStays() {
    connect();
    Thread.currentThread().interrupt();
    assertEquals(-Errno.ECANCELED, receive(SECOND));
    assertTrue(Thread.interrupted());
  }

  @Test
  void aSleepingReceiverWakesForAPacket() throws InterruptedException {
    connect();
    long[] result = new long[1];
    Thread thread = Thread.ofPlatform().start(() -> result[0] = receive(30 * SECOND));
    while (thread.getState() == Thread.State.NEW) {
      Thread.onSpinWait();
    }
    assertEquals(BYTES, send(6, SECOND));
    thread.join();
    assertEquals(BYTES, result[0]);
    assertReceived(6);
  }

  @Test
  void anAdoptedPortGoesOnWithinAPacket() {
    connect();
    transport.inject("a", bytes(10, 7));
    assertEquals(-Errno.EAGAIN, receive(0));
    receiver.detach("pipe");
    assertEquals(-Errno.ENOTCONN, receive(0));
    receiver.attach("pipe", transport);
    transport.inject("a", bytes(BYTES - 10, 7));
    assertEquals(BYTES, receive(0));
    assertReceived(7);
    assertEquals(0, receiver.info().counters().cut());
  }

  @Test
  void aNewPortBeginsWithAWholePacket() {
    connect();
    transport.inject("a", bytes(10, 7));
    assertEquals(-Errno.EAGAIN, receive(0));
    receiver.detach("pipe");
    receiver.dropParked("pipe");
    receiver.attach("pipe", transport);
    assertEquals(1, receiver.info().counters().cut());
    assertEquals(BYTES, send(8, 0));
    assertEquals(BYTES, receive(0));
    assertReceived(8);
  }

  @Test
  void onlyAWantedWholePacketIsTaken() {
    connect();
    assertEquals(-Errno.EAGAIN, receiver.take((any, control) -> true));
    transport.inject("a", bytes(10, 3));
    assertEquals(-Errno.EAGAIN, receiver.take((any, control) -> true), "not whole");
    transport.inject("a", bytes(BYTES - 10, 3));
    assertEquals(-Errno.EAGAIN, receiver.take((any, control) -> false));
    assertEquals(BYTES, receiver.take((any, control) -> any.get(ValueLayout.JAVA_BYTE, 0) == 3));
    assertEquals(-Errno.EAGAIN, receive(0));
  }
}
