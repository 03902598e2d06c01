package io.isle.net.xdp.socket;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.net.FrameMatch;
import io.isle.api.net.NetException;
import io.isle.lib.ffi.Mapping;
import io.isle.lib.ffi.PollSet;
import io.isle.lib.ffi.PosixException;
import io.isle.lib.ffi.SocketErrors;
import io.isle.lib.ffi.Sockets;
import io.isle.lib.ffi.XdpWake;
import io.isle.lib.tile.KernelRing;
import io.isle.net.xdp.bpf.RedirectProgram;
import io.isle.net.xdp.bpf.XdpLink;
import io.isle.net.xdp.bpf.XdpProgram;
import io.isle.net.xdp.bpf.XskMap;
import io.isle.net.xdp.netlink.Link;
import io.isle.net.xdp.netlink.Link.XdpMode;
import io.isle.net.xdp.socket.XskWish.Poll;
import io.isle.net.xdp.testing.Pair;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sockets on a veth pair of the test's own. */
@Timeout(60)
class XskSocketTest {
  private static final int RING = 64;
  private static final int FRAMES = 256;
  private static final int PORT = 9000;
  private static final int LENGTH = 60;

  private Pair pair;
  private Umem umem;

  @BeforeEach
  void open() {
    pair = new Pair(2);
    umem = Umem.create("isle-test", FRAMES);
  }

  @AfterEach
  void close() {
    if (pair != null) {
      umem.close();
      pair.close();
    }
  }

  private static XskWish wish(Link link, int queue, boolean zeroCopy, Poll poll, long retryNs) {
    return new XskWish(
        link.name(), link.index(), queue, RING, RING, 2 * RING, zeroCopy, poll, retryNs);
  }

  private static XskWish plain(Link link, int queue) {
    return wish(link, queue, false, Poll.SOFTIRQ, 0);
  }

  private XskSocket onA(int queue) {
    return XskSocket.open(pair.a, plain(pair.va(), queue), umem);
  }

  private static NetException refused(int code, Supplier<XskSocket> call) {
    NetException refused = assertThrows(NetException.class, call::get);
    assertEquals(code, refused.code(), refused.getMessage());
    return refused;
  }

  /** A UDP frame with a number. */
  private static void write(MemorySegment frames, long at, int number) {
    MemorySegment frame = frames.asSlice(at, LENGTH);
    frame.fill((byte) 0);
    frame.set(JAVA_BYTE, 12, (byte) 8);
    frame.set(JAVA_BYTE, 14, (byte) 0x45);
    frame.set(JAVA_BYTE, 23, (byte) 17);
    frame.set(JAVA_BYTE, 36, (byte) (PORT >>> 8));
    frame.set(JAVA_BYTE, 37, (byte) PORT);
    frame.set(JAVA_BYTE, 50, (byte) number);
  }

  private static void fill(XskSocket socket, int frames) {
    KernelRing fill = socket.fill().side();
    assertTrue(fill.free(frames) >= frames);
    for (int i = 0; i < frames; i++) {
      fill.address(i, (long) i * Umem.FRAME_BYTES);
    }
    fill.publish(frames);
  }

  private static int send(XskSocket socket, Umem frames, int count) {
    KernelRing tx = socket.tx().side();
    assertEquals(RING, tx.free(RING));
    for (int i = 0; i < count; i++) {
      long at = (long) i * Umem.FRAME_BYTES;
      write(frames.memory(), at, i);
      tx.descriptor(i, at, LENGTH);
    }
    tx.publish(count);
    assertTrue(tx.needsWakeup(), "where the kernel copies, each batch is to be told");
    return XdpWake.transmit(socket.descriptor());
  }

  private static void await(XskSocket socket, KernelRing rx, int frames) {
    PollSet poll = new PollSet(1);
    poll.set(0, socket.descriptor(), PollSet.POLLIN);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (rx.available(frames) < frames) {
      assertTrue(System.nanoTime() - end < 0, () -> "frames " + rx.available(frames));
      assertTrue(poll.await(1, TimeUnit.MILLISECONDS.toNanos(100)) >= 0);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = XdpLink.Mode.class,
      names = {"SKB", "DRV"})
  void framesTravelFromRingToRing(XdpLink.Mode mode) {
    try (Umem far = Umem.create("isle-far", FRAMES);
        XskSocket receiver = onA(0);
        XskSocket second = onASharing(receiver);
        XskSocket sender = XskSocket.open(pair.b, plain(pair.vb(), 0), far);
        XskMap map = new XskMap(2);
        XdpProgram program =
            XdpProgram.load(
                RedirectProgram.of(
                    new FrameMatch(List.of(PORT), OptionalInt.empty(), false), map.descriptor()));
        XdpLink link =
            pair.a.call(() -> XdpLink.attach(program, receiver.wish().interfaceIndex(), mode))) {
      assertTrue(link.descriptor() > 0);
      assertEquals(mode == XdpLink.Mode.SKB ? XdpMode.SKB : XdpMode.DRV, pair.va().xdp().mode());
      assertTrue(pair.va().xdp().program() > 0);
      map.put(0, receiver.descriptor());
      map.put(1, second.descriptor());
      fill(receiver, 32);
      assertEquals(0, send(sender, far, 16));

      KernelRing rx = receiver.rx().side();
      await(receiver, rx, 16);
      for (int i = 0; i < 16; i++) {
        assertEquals(LENGTH, rx.length(i));
        assertEquals(i, umem.memory().get(JAVA_BYTE, rx.address(i) + 50), "in order");
      }
      rx.release(16);
      assertEquals(16, sender.completion().side().available(16));
      assertEquals(
          new XskStatistics(0, 0, 0, 0, 0, sender.statistics().txEmpty()), sender.statistics());
    }
  }

  private XskSocket onASharing(XskSocket first) {
    return XskSocket.share(pair.a, plain(pair.va(), 1), first);
  }

  /** 40 frames: 32 of the fill ring arrive, the others are counted. */
  @Test
  void lossesAreCountedByTheirReason() {
    try (Umem far = Umem.create("isle-far", FRAMES);
        XskSocket receiver = onA(0);
        XskSocket sender = XskSocket.open(pair.b, plain(pair.vb(), 0), far);
        XskMap map = new XskMap(1);
        XdpProgram program =
            XdpProgram.load(
                RedirectProgram.of(
                    new FrameMatch(List.of(PORT), OptionalInt.empty(), false), map.descriptor()));
        XdpLink link =
            pair.a.call(
                () ->
                    XdpLink.attach(program, receiver.wish().interfaceIndex(), XdpLink.Mode.SKB))) {
      assertTrue(link.descriptor() > 0);
      map.put(0, receiver.descriptor());
      fill(receiver, 8);
      assertTrue(sender.transmitBudget(RING), "this kernel has the option");
      assertEquals(0, send(sender, far, 40));
      KernelRing rx = receiver.rx().side();
      await(receiver, rx, 8);
      awaitCompleted(sender, 40);
      assertEquals(8, rx.available(RING));
      XskStatistics counters = receiver.statistics();
      assertEquals(new XskStatistics(32, 0, 0, 0, 32, 0), counters);
      assertEquals(0, counters.other());
    }
  }

  private static void awaitCompleted(XskSocket sender, int frames) {
    KernelRing completion = sender.completion().side();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (completion.available(frames) < frames) {
      assertTrue(System.nanoTime() - end < 0, () -> "sent " + completion.available(frames));
      Thread.onSpinWait();
    }
  }

  @Test
  void wishAndTruthAreApart() {
    XskWish wish = wish(pair.va(), 0, true, Poll.AUTO, 0);
    try (XskSocket socket = XskSocket.open(pair.a, wish, umem)) {
      assertFalse(socket.truth().zeroCopy(), "veth copies");
      assertEquals(Poll.SOFTIRQ, socket.truth().poll());
      assertEquals(1, socket.truth().notes().size());
      assertTrue(socket.truth().notes().getFirst().contains("va cannot"), socket.truth()::toString);
      assertTrue(socket.truth().pinnedBytes() > (long) FRAMES * Umem.FRAME_BYTES);
    }
    try (XskSocket socket =
        XskSocket.open(pair.a, wish(pair.va(), 0, false, Poll.PREFBUSY, 5_000_000_000L), umem)) {
      assertEquals(Poll.PREFBUSY, socket.truth().poll());
      assertEquals(List.of(), socket.truth().notes());
    }
  }

  @Test
  void aQueueIsTakenOnceAndAgainAfterItsEnd() {
    for (int i = 0; i < 5; i++) {
      XskWish patient = wish(pair.va(), 0, false, Poll.SOFTIRQ, 5_000_000_000L);
      try (XskSocket first = XskSocket.open(pair.a, patient, umem)) {
        String busy = refused(Errno.EBUSY, () -> onA(0)).getMessage();
        assertTrue(busy.contains("queue 0 of va: bind:"), busy);
        assertTrue(first.descriptor() > 0);
      }
    }
  }

  /** As a tile in a process of its own does: the ring outlives the close of the owner. */
  @Test
  void aRingThatSomebodyMapsKeepsTheQueueBusy() {
    XskSocket first = onA(0);
    try (Arena tile = Arena.ofShared()) {
      XskRing rx = first.rx();
      MemorySegment mapped =
          Mapping.populated(first.descriptor(), rx.mapOffset(), rx.layout().bytes(), tile);
      assertEquals(0, new KernelRing(mapped, rx.layout()).available(1));
      first.close();
      first.close();
      XskWish impatient = wish(pair.va(), 0, false, Poll.SOFTIRQ, 20_000_000);
      NetException busy = refused(Errno.EBUSY, () -> XskSocket.open(pair.a, impatient, umem));
      assertTrue(busy.getMessage().contains("still maps"), busy.getMessage());
    }
    try (XskSocket next =
        XskSocket.open(pair.a, wish(pair.va(), 0, false, Poll.SOFTIRQ, 5_000_000_000L), umem)) {
      assertThrows(IllegalStateException.class, () -> first.rx().side().available(1));
      assertTrue(next.descriptor() > 0);
    }
  }

  @Test
  void wrongPlacesAreNamed() {
    String queue = refused(Errno.EINVAL, () -> onA(7)).getMessage();
    assertTrue(queue.contains("queue 7 of va") && queue.contains("fewer queues"), queue);
    XskWish gone = new XskWish("gone", 999, 0, RING, RING, RING, false, Poll.SOFTIRQ, 0);
    refused(Errno.ENODEV, () -> XskSocket.open(pair.a, gone, umem));
    assertThrows(
        NetException.class, () -> new XskWish("va", 1, 0, RING, 100, RING, false, Poll.SOFTIRQ, 0));
    assertThrows(
        NetException.class,
        () -> new XskWish("va", 1, -1, RING, RING, RING, false, Poll.SOFTIRQ, 0));
    assertThrows(NetException.class, () -> Umem.create("isle-test", 3));
  }

  @Test
  void readersOfTheFramesCannotMapThemForWriting() {
    int reader = umem.reopenReadOnly();
    try (Arena arena = Arena.ofShared()) {
      umem.memory().set(JAVA_BYTE, 5, (byte) 7);
      long bytes = (long) umem.frames() * Umem.FRAME_BYTES;
      assertEquals(7, Mapping.readOnly(reader, 0, bytes, arena).get(JAVA_BYTE, 5));
      PosixException refused =
          assertThrows(PosixException.class, () -> Mapping.writable(reader, 0, bytes, arena));
      assertEquals(Errno.EACCES, refused.code());
    } finally {
      assertEquals(0, new Sockets().close(reader));
    }
    assertEquals(-SocketErrors.EBADF, XdpWake.transmit(reader));
  }
}
