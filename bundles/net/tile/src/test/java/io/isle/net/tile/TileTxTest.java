package io.isle.net.tile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.net.tile.Tile;
import io.isle.lib.packet.Ethernet;
import io.isle.lib.packet.Ipv4;
import io.isle.lib.packet.NetSig;
import io.isle.lib.tile.MemoryKernel;
import io.isle.lib.tile.TileState;
import io.isle.lib.tile.TxDrop;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TileTxTest {
  private final World world = new World();
  private final TestApp app = world.txApps.get(0);
  private final MemoryKernel wire = world.kernels.get(0).rings();
  private final MemoryKernel loopback = world.kernels.get(1).rings();

  private long count(int word) {
    return world.state.get(TileState.link(0, word));
  }

  private long dropped(TxDrop reason) {
    return count(TileState.TX_DROPS + reason.ordinal());
  }

  @Test
  void aFrameWithoutASourceGetsAddressesSourceAndChecksum() {
    Tile tile = world.open();
    app.send(FakeRoutes.SENT, 1);
    tile.cycle(0);
    assertEquals(1, wire.send(this::expectAddressed, 10));
    assertEquals(1, count(TileState.TX_PASSED));
    assertEquals(app.link().seq0() + 1, app.progress.seq());
  }

  private void expectAddressed(MemorySegment umem, long at, int length) {
    assertEquals(58, length);
    assertEquals(FakeRoutes.NEIGHBOR, Ethernet.destination(umem, at));
    assertEquals(FakeRoutes.STATION, Ethernet.source(umem, at));
    assertEquals(FakeRoutes.SOURCE, Ipv4.source(umem, at + 14));
    assertTrue(Ipv4.isSealed(umem, at + 14));
  }

  @Test
  void aSourceAndItsChecksumAreLeftAlone() {
    Tile tile = world.open();
    app.send(FakeRoutes.SENT, 1, 0x0A0B_0C0D);
    long at = app.chunks.chunk0() << 6;
    int checksum = Ipv4.checksum(app.memory, at + 14) ^ 0x5555;
    app.memory.set(
        java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED,
        at + 24,
        Short.reverseBytes((short) checksum));
    tile.cycle(0);
    wire.send(
        (umem, to, length) -> {
          assertEquals(0x0A0B_0C0D, Ipv4.source(umem, to + 14));
          assertEquals(checksum, Ipv4.checksum(umem, to + 14));
          assertEquals(FakeRoutes.NEIGHBOR, Ethernet.destination(umem, to));
        },
        1);
    assertEquals(1, count(TileState.TX_PASSED));
  }

  @Test
  void localAddressesLeaveByTheLoopback() {
    Tile tile = world.open();
    app.send(FakeRoutes.LOOPED, 1);
    tile.cycle(0);
    assertEquals(1, loopback.send((umem, at, length) -> {}, 10));
    assertEquals(0, wire.send((umem, at, length) -> {}, 10));
  }

  @Test
  void aNeighborThatIsMissingIsNamedForTheOwner() {
    Tile tile = world.open();
    app.send(FakeRoutes.SILENT, 1);
    tile.cycle(0);
    assertEquals(1, dropped(TxDrop.NO_NEIGHBOR));
    assertEquals(1, world.state.get(TileState.tile(TileState.UNRESOLVED)));
    assertEquals(
        (long) FakeRoutes.WIRE << 32 | FakeRoutes.SILENT,
        world.state.get(TileState.tile(TileState.NEIGHBORS)));
  }

  @Test
  void bytesThatAreNoPacketAreInvalidAndNoBreach() {
    Tile tile = world.open();
    long signature = NetSig.of(FakeRoutes.SENT, FakeRoutes.SENT, 1, 0, 42);
    app.publish(signature, app.chunks.chunk0(), 60);
    app.publish(signature, app.chunks.chunk0(), 20);
    tile.cycle(0);
    assertEquals(2, dropped(TxDrop.INVALID));
    assertEquals(0, count(TileState.BREACHES));
  }

  /** Each frame is one tile's; what is for the loopback is the first one's. */
  @Test
  void tilesShareFramesByHash() {
    Set<Integer> owners = new HashSet<>();
    for (int destination : new int[] {FakeRoutes.SENT, FakeRoutes.LOOPED}) {
      for (int flow = 0; flow < 20; flow++) {
        int owner = -1;
        for (int tile = 0; tile < 3; tile++) {
          World one = new World();
          one.tiles(tile, 3);
          Tile core = one.open();
          TestApp from = one.txApps.get(0);
          long at = from.chunks.chunk0();
          from.send(destination, 1);
          from.publish(NetSig.of(destination, destination, flow, 0, 42), at, 58);
          core.cycle(0);
          // the first frame only wrote the bytes; its hash is the same in all rounds
          long passed = one.state.get(TileState.link(0, TileState.TX_PASSED));
          long skipped = one.state.get(TileState.link(0, TileState.TX_SKIPPED));
          assertEquals(2, passed + skipped);
          int hash = NetSig.hash(NetSig.of(destination, destination, flow, 0, 42));
          int base = NetSig.hash(NetSig.of(destination, destination, 2000, 0, 42));
          boolean local = destination == FakeRoutes.LOOPED;
          long expected =
              local ? tile == 0 ? 2 : 0 : (hash % 3 == tile ? 1 : 0) + (base % 3 == tile ? 1 : 0);
          assertEquals(expected, passed);
          owner = hash % 3 == tile ? tile : owner;
        }
        owners.add(owner);
      }
    }
    assertEquals(Set.of(0, 1, 2), owners);
  }

  @Test
  void linksTakeTurns() {
    Tile tile = world.open();
    TestApp other = world.txApps.get(1);
    for (int i = 0; i < 100; i++) {
      app.send(FakeRoutes.UNKNOWN, i);
      other.send(FakeRoutes.UNKNOWN, i);
    }
    tile.cycle(0);
    assertEquals(TileCore.TX_BURST, world.state.taken(0));
    assertEquals(TileCore.TX_BURST, world.state.taken(other.link().slot()));
  }

  /** Frames wait in their link, so that a burst costs none; a port that is stuck costs them. */
  @Test
  void aFullPortHoldsFramesUpForAMillisecond() {
    Tile tile = world.open();
    for (int i = 0; i < World.TX_QUEUE + 4; i++) {
      app.send(FakeRoutes.SENT, i);
    }
    tile.cycle(1000);
    assertEquals(World.TX_QUEUE, count(TileState.TX_PASSED));
    tile.cycle(900_000);
    assertEquals(0, dropped(TxDrop.RING_FULL));
    assertEquals(2, wire.send((umem, at, length) -> {}, 2));
    tile.cycle(1_100_000);
    assertEquals(World.TX_QUEUE + 2, count(TileState.TX_PASSED));
    tile.cycle(1_200_000);
    tile.cycle(2_300_000);
    assertEquals(2, dropped(TxDrop.RING_FULL));
    assertEquals(World.TX_QUEUE + 4, world.state.taken(0));
  }

  @Test
  void aCompletionOfAFrameThatWasNotSentIsIgnored() {
    Tile tile = world.open();
    wire.complete(0);
    wire.complete(-7);
    tile.cycle(0);
    assertEquals(2, world.state.get(TileState.port(0, TileState.WRONG_COMPLETIONS)));
  }
}
