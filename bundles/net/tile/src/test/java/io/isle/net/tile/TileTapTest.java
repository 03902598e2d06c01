package io.isle.net.tile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.net.tile.Tile;
import io.isle.lib.packet.Ethernet;
import io.isle.lib.packet.NetSig;
import io.isle.lib.tango.Chunks;
import io.isle.lib.tango.Frag;
import io.isle.lib.tango.LinkReader;
import io.isle.lib.tango.Mcache;
import io.isle.lib.tile.Tap;
import io.isle.lib.tile.TapMark;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a tile shows on its tap. */
class TileTapTest {
  private static final int DEPTH = 128;
  private static final long NOW = 0x1234_5678_9ABCL;

  private final World world = new World();
  private final TestKernel kernel = world.kernels.get(0);
  private final TestApp app = world.txApps.get(0);
  private final MemorySegment memory = Arena.ofAuto().allocate(Tap.bytes(DEPTH, 2048), 4096);
  private final LinkReader reader;

  TileTapTest() {
    Tap.format(memory, DEPTH, 2048, 9);
    reader = new LinkReader(Mcache.open(memory), 0);
  }

  private Tile open() {
    return Opening.open(world.memory().withTap(memory), world.routes, world);
  }

  /** Direction, reason and number of each frame. */
  private List<String> shown() {
    List<String> all = new ArrayList<>();
    while (reader.poll() == 0) {
      Frag frag = reader.frag();
      long mark = frag.sig();
      long at = Chunks.offset(frag.chunk());
      assertEquals(TapMark.length(mark), frag.size());
      assertEquals(9, TapMark.queue(mark));
      assertEquals(NOW, TapMark.timeNs(mark, NOW + 1_000_000_000));
      long number = memory.get(ValueLayout.JAVA_LONG_UNALIGNED, at + TestApp.NUMBER);
      String way = TapMark.isSent(mark) ? "out " : "in ";
      all.add(way + (TapMark.reasonText(mark) + " ").stripLeading() + number);
      if (TapMark.isSent(mark) && !TapMark.isDropped(mark)) {
        assertEquals(FakeRoutes.NEIGHBOR, Ethernet.destination(memory, at));
      }
      assertEquals(0, reader.take());
    }
    return all;
  }

  @Test
  void framesOfBothDirectionsAreShownOnceWithTheirReasons() {
    Tile tile = open();
    kernel.receive(World.FIRST_PORT, 1);
    kernel.receive(World.FIRST_PORT + 7, 2);
    app.send(FakeRoutes.SENT, 3);
    app.send(FakeRoutes.UNKNOWN, 4);
    app.send(FakeRoutes.SILENT, 5);
    app.send(FakeRoutes.NAMELESS, 6);
    app.send(FakeRoutes.ELSEWHERE, 7);
    assertEquals(7, tile.cycle(NOW));
    assertEquals(
        List.of(
            "in 1",
            "in no_app 2",
            "out 3",
            "out no_route 4",
            "out no_neighbor 5",
            "out no_source 6",
            "out interface 7"),
        shown());
    assertEquals(7, Mcache.open(memory).produced());
    assertEquals(0, tile.cycle(NOW));
    assertEquals(List.of(), shown());
  }

  @Test
  void aWrongPlaceOfAnAppIsNotRead() {
    Tile tile = open();
    app.publish(NetSig.of(FakeRoutes.UNKNOWN, 1, 1, 0, 42), 0xFFFF_FFFFL, 100);
    app.publish(NetSig.of(FakeRoutes.UNKNOWN, 1, 1, 0, 42), app.chunks.chunk0(), 65535);
    app.publish(NetSig.of(FakeRoutes.SENT, 1, 1, 0, 42), 0xFFFF_FFFFL, 100);
    tile.cycle(NOW);
    assertEquals(List.of(), shown());
  }

  @Test
  void aTileWithoutATapGoesOnAndAnotherShowsAgain() {
    Tile first = open();
    kernel.receive(World.FIRST_PORT, 1);
    first.cycle(NOW);
    first.close();
    Tile blind = world.open();
    kernel.receive(World.FIRST_PORT, 2);
    blind.cycle(NOW);
    blind.close();
    Tile last = open();
    kernel.receive(World.FIRST_PORT, 3);
    last.cycle(NOW);
    assertEquals(List.of("in 1", "in 3"), shown());
    assertEquals(3, world.rxLinks.get(0).next() - world.rxLinks.get(0).seq0());
  }

  @Test
  void aTapThatNobodyReadsStopsNothing() {
    Tile tile = open();
    for (int i = 0; i < 3 * DEPTH; i++) {
      assertTrue(kernel.receive(World.FIRST_PORT, i));
      assertEquals(1, tile.cycle(NOW));
    }
    assertEquals(2 * DEPTH, reader.poll());
    assertEquals(DEPTH, shown().size());
  }
}
