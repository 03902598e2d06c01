package io.isle.net.xdp.host.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.api.net.tile.PollMode;
import io.isle.api.net.tile.PortMemory;
import io.isle.api.net.tile.RingMemory;
import io.isle.api.net.tile.RxLinkMemory;
import io.isle.api.net.tile.TileMemory;
import io.isle.api.net.tile.TxLinkMemory;
import io.isle.lib.ffi.MemoryFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is written of an order is what is read, and memory is the same memory. */
class OrderTest {
  private static final long BYTES = 16 * 4096;

  private final Arena arena = Arena.ofShared();
  private final MemoryFile file = MemoryFile.create("order-test", BYTES);
  private final MemorySegment memory = file.map(arena);
  private final TileFile shared = new TileFile(memory, file.descriptor(), TileFile.Access.WRITE);

  @AfterEach
  void close() {
    arena.close();
    file.close();
  }

  private MemorySegment part(int index) {
    return memory.asSlice(index * 4096L + 64, 128);
  }

  private TileMemory tile(MemorySegment tap, int links) {
    RingMemory ring = new RingMemory(part(4), 8, 16, 24, 32, 4);
    return new TileMemory(
        1,
        3,
        part(1),
        2048,
        7,
        part(2),
        part(3),
        List.of(new PortMemory(9, ring, ring, ring, ring, 5, 6, PollMode.PREFBUSY)),
        11,
        List.of(new RxLinkMemory(2, 1, part(5))),
        Collections.nCopies(
            links, new TxLinkMemory(4, -5, part(6), 8, 128, -9, 64, 4096, 1500, part(7))),
        part(8),
        part(9),
        20_000,
        true,
        tap);
  }

  private TileOrder order(TileMemory tile) {
    return new TileOrder(
        List.of(shared),
        tile,
        List.of(77),
        78,
        part(10),
        List.of(79),
        List.of(part(11)),
        List.of(new BellPages(part(12), part(13))),
        Set.of(0, 3));
  }

  @Test
  void anOrderIsReadAsItWasWritten() {
    TileMemory tile = tile(part(14), 2);
    OrderWriter.Message message = OrderWriter.open(42, order(tile));
    ByteBuffer bytes = ByteBuffer.wrap(message.bytes()).order(ByteOrder.LITTLE_ENDIAN);
    assertEquals(Orders.OPEN, bytes.getInt());
    assertEquals(42, bytes.getInt());
    TileOrder read = OrderReader.open(bytes, index -> message.descriptors()[index], arena);
    assertEquals(0, bytes.remaining());
    assertEquals(List.of(77), read.sockets());
    assertEquals(78, read.wake());
    assertEquals(List.of(79), read.bells());
    same(part(10), read.asleep());
    same(part(11), read.told().getFirst());
    same(part(12), read.woken().getFirst().bell());
    same(part(13), read.woken().getFirst().agent());
    assertEquals(Set.of(0, 3), read.processors());
    same(tile, read.memory());
  }

  private void same(TileMemory tile, TileMemory read) {
    assertEquals(tile.tile(), read.tile());
    assertEquals(tile.tiles(), read.tiles());
    assertEquals(tile.frameBytes(), read.frameBytes());
    assertEquals(tile.frames(), read.frames());
    assertEquals(tile.loopbackIndex(), read.loopbackIndex());
    assertEquals(tile.flushNs(), read.flushNs());
    assertEquals(tile.dropBadChecksums(), read.dropBadChecksums());
    same(tile.umem(), read.umem());
    same(tile.ledger(), read.ledger());
    same(tile.state(), read.state());
    same(tile.apps(), read.apps());
    same(tile.routes(), read.routes());
    same(tile.tap(), read.tap());
    PortMemory port = read.ports().getFirst();
    assertEquals(9, port.interfaceIndex());
    assertEquals(5, port.rxFrames());
    assertEquals(6, port.txFrames());
    assertEquals(PollMode.PREFBUSY, port.poll());
    for (RingMemory ring : List.of(port.fill(), port.rx(), port.tx(), port.completion())) {
      same(part(4), ring.memory());
      assertEquals(new RingMemory(ring.memory(), 8, 16, 24, 32, 4), ring);
    }
    RxLinkMemory rx = read.rxLinks().getFirst();
    same(part(5), rx.mcache());
    assertEquals(new RxLinkMemory(2, 1, rx.mcache()), rx);
    assertEquals(2, read.txLinks().size());
    TxLinkMemory tx = read.txLinks().getLast();
    same(part(6), tx.memory());
    same(part(7), tx.progress());
    assertEquals(
        new TxLinkMemory(4, -5, tx.memory(), 8, 128, -9, 64, 4096, 1500, tx.progress()), tx);
  }

  /** Two mappings of the same bytes. */
  private static void same(MemorySegment written, MemorySegment read) {
    assertEquals(written.byteSize(), read.byteSize());
    assertTrue(written.address() != read.address());
    for (long mark : new long[] {1, -1}) {
      written.set(ValueLayout.JAVA_LONG, 0, mark);
      assertEquals(mark, read.get(ValueLayout.JAVA_LONG, 0));
    }
  }

  @Test
  void aTapIsOptional() {
    OrderWriter.Message message = OrderWriter.open(1, order(tile(null, 1)));
    ByteBuffer bytes = ByteBuffer.wrap(message.bytes(), 8, message.bytes().length - 8);
    assertNull(
        OrderReader.open(bytes.slice(), index -> message.descriptors()[index], arena)
            .memory()
            .tap());
  }

  @Test
  void memoryThatNobodyElseCanMapIsADefect() {
    TileOrder order = order(tile(arena.allocate(64, 8), 1));
    assertThrows(IllegalArgumentException.class, () -> OrderWriter.open(1, order));
  }

  @Test
  void anOrderWithTooManyLinksIsRefused() {
    TileOrder order = order(tile(null, 2000));
    assertEquals(
        Errno.ENOSPC, assertThrows(NetException.class, () -> OrderWriter.open(1, order)).code());
  }
}
