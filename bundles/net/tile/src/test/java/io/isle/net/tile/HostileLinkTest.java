package io.isle.net.tile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.net.tile.Tile;
import io.isle.lib.packet.NetSig;
import io.isle.lib.tango.Mcache;
import io.isle.lib.tile.TileState;
import io.isle.lib.tile.TxDrop;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** An app may write anything into its TX link, at any time, and harms only that link. */
class HostileLinkTest {
  private static final CrashLoader LOADER = new CrashLoader(Mutant.NONE);
  private static final long SIGNATURE = NetSig.of(FakeRoutes.SENT, FakeRoutes.SENT, 2000, 0, 42);

  private static final int OVERRUN = TileState.TX_DROPS + TxDrop.OVERRUN.ordinal();

  private final World world = new World();
  private final TestApp hostile = world.txApps.get(0);
  private final TestApp fair = world.txApps.get(1);
  private final TestKernel wire = world.kernels.get(0);
  private long nowNs;

  private long count(int word) {
    return world.state.get(TileState.link(0, word));
  }

  private long dropped(TxDrop reason) {
    return count(TileState.TX_DROPS + reason.ordinal());
  }

  private void cycle(Tile tile) {
    tile.cycle(nowNs += 1000);
    wire.takeTx(World.TX_QUEUE);
    wire.complete(World.TX_QUEUE);
  }

  private void expectFairFrames(Tile tile) {
    long before = world.state.get(TileState.link(5, TileState.TX_PASSED));
    for (int i = 0; i < 10; i++) {
      assertTrue(fair.send(FakeRoutes.SENT, i));
    }
    cycle(tile);
    cycle(tile);
    assertEquals(before + 10, world.state.get(TileState.link(5, TileState.TX_PASSED)));
  }

  private void expectSum() {
    assertEquals(count(TileState.NEXT) - count(TileState.START), world.state.taken(0));
  }

  /** Every place outside of the data region is a breach, and no other place is. */
  @Property(tries = 200)
  void placesAndSizesAreChecked(@ForAll Random random) {
    new HostileLinkTest().placesAndSizes(random);
  }

  private void placesAndSizes(Random random) {
    Tile tile = world.open();
    int outside = 0;
    for (int i = 0; i < 90; i++) {
      int size = random.nextInt(random.nextBoolean() ? 70_000 : 300) & 0xFFFF;
      long last = hostile.chunks.chunk1();
      long chunk = random.nextInt(4) == 0 ? random.nextInt() : last - 8 + random.nextInt(16);
      chunk &= 0xFFFF_FFFFL;
      boolean within =
          size >= 14
              && size <= TestApp.MTU
              && chunk >= hostile.chunks.chunk0()
              && (chunk << 6) + size <= last << 6;
      outside += within ? 0 : 1;
      hostile.publish(SIGNATURE, chunk, size);
    }
    cycle(tile);
    cycle(tile);
    assertEquals(outside, count(TileState.BREACHES));
    assertEquals(90, dropped(TxDrop.INVALID));
    expectSum();
    expectFairFrames(tile);
  }

  @Test
  void aLinkIsCutBehindAHundredBreaches() {
    Tile tile = world.open();
    for (int i = 0; i < 120; i++) {
      hostile.publish(SIGNATURE, 0xFFFF_FFFFL, 60);
    }
    cycle(tile);
    cycle(tile);
    assertEquals(TxLink.MOST_BREACHES, count(TileState.BREACHES));
    assertEquals(TxLink.MOST_BREACHES, dropped(TxDrop.INVALID));
    // a further tile does not look at it either
    tile.close();
    Tile next = world.open();
    cycle(next);
    assertEquals(TxLink.MOST_BREACHES, world.state.taken(0));
    expectFairFrames(next);
  }

  @Test
  void numbersOfNoLineAreBreaches() {
    Tile tile = world.open();
    hostile.memory.set(ValueLayout.JAVA_LONG, 256, 17);
    for (int i = 0; i < 120; i++) {
      cycle(tile);
    }
    assertEquals(TxLink.MOST_BREACHES, count(TileState.BREACHES));
    assertEquals(0, world.state.taken(0));
    expectFairFrames(tile);
  }

  /** A flood without regard for credits: what was overwritten is counted, the rest arrives. */
  @Test
  void aFloodIsAnOverrun() {
    Tile tile = world.open();
    for (int i = 0; i < 1000; i++) {
      hostile.publish(SIGNATURE, hostile.chunks.chunk0(), 60);
    }
    cycle(tile);
    cycle(tile);
    cycle(tile);
    long lost = dropped(TxDrop.OVERRUN);
    assertTrue(lost >= 1000 - TestApp.DEPTH && lost < 1000, lost + " overruns");
    assertEquals(1000, world.state.taken(0));
    assertEquals(0, count(TileState.BREACHES));
    expectFairFrames(tile);
  }

  /**
   * The app writes over the frame behind each store of a cycle in turn: before the tile looks at
   * the line, before it has copied the frame, which takes three stores, and behind that.
   */
  @Test
  void aFrameThatChangesUnderTheCopyIsNotSent() {
    List<Long> overruns = new ArrayList<>();
    for (int store = 1; store <= 7; store++) {
      World one = new World();
      TestApp racing = one.txApps.get(0);
      Tile tile = LOADER.open(one.memory(), one.routes, one);
      racing.send(FakeRoutes.SENT, 4711);
      CrashPoint.arm(
          store,
          () -> {
            CrashPoint.disarm();
            racing.mcache.publish(128, SIGNATURE, 0, 60, 3, 0, 0);
          });
      tile.cycle(1000);
      one.kernels.get(0).takeTx(1);
      long overrun = one.state.get(TileState.link(0, OVERRUN));
      overruns.add(overrun);
      assertEquals(overrun > 0 ? List.of() : List.of(4711L), one.kernels.get(0).sent());
    }
    assertEquals(List.of(128L, 1L, 1L, 1L, 0L, 0L, 0L), overruns);
  }

  /** Random bytes all over the link while the tile runs. */
  @Property(tries = 100)
  void anyBytesAnywhere(@ForAll Random random) {
    new HostileLinkTest().anyBytes(random);
  }

  private void anyBytes(Random random) {
    Tile tile = world.open();
    for (int i = 0; i < 200; i++) {
      long at = random.nextInt((int) hostile.memory.byteSize() / 8) * 8L;
      long line = 256 + random.nextInt(TestApp.DEPTH * 4) * 8L;
      long value = random.nextBoolean() ? random.nextLong() : random.nextInt(600) - 200;
      hostile.memory.set(ValueLayout.JAVA_LONG, random.nextBoolean() ? at : line, value);
      cycle(tile);
      expectSum();
    }
    tile.close();
    expectFairFrames(world.open());
  }

  @Test
  void aBrokenHeadCutsTheLinkAndNothingElse() {
    hostile.memory.set(ValueLayout.JAVA_LONG, 8, Mcache.LEAST_DEPTH * 2L);
    hostile.send(FakeRoutes.SENT, 1);
    Tile tile = world.open();
    cycle(tile);
    assertEquals(0, world.state.taken(0));
    assertEquals(TxLink.MOST_BREACHES, count(TileState.BREACHES));
    expectFairFrames(tile);
  }
}
