package io.isle.net.tile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.net.tile.Tile;
import io.isle.lib.packet.UdpFrame;
import io.isle.lib.tile.RxDrop;
import io.isle.lib.tile.TileState;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Frames of any bytes: each has one outcome, and no store lies outside of the memory. */
class ReceivedBytesTest {
  private static final int MOST = World.FRAME - 256;
  private static final byte[] GOOD = good();

  private static byte[] good() {
    MemorySegment frame = MemorySegment.ofArray(new byte[UdpFrame.MIN_BYTES + 16]);
    UdpFrame.write(frame, 0, 10 << 24 | 9, 4000, FakeRoutes.SOURCE, World.FIRST_PORT, 16);
    return frame.toArray(ValueLayout.JAVA_BYTE);
  }

  /** Any bytes, and good frames with some bytes changed, cut, or made longer. */
  @Provide
  Arbitrary<byte[]> frames() {
    Arbitrary<byte[]> any = Arbitraries.bytes().array(byte[].class).ofMaxSize(128);
    Arbitrary<byte[]> changed =
        Combinators.combine(
                Arbitraries.integers().between(0, UdpFrame.MIN_BYTES - 1).list().ofMaxSize(4),
                Arbitraries.bytes(),
                Arbitraries.integers().between(0, MOST))
            .as(
                (places, value, length) -> {
                  byte[] frame = Arrays.copyOf(GOOD, length % 3 == 0 ? length : GOOD.length);
                  places.stream().filter(at -> at < frame.length).forEach(at -> frame[at] = value);
                  return frame;
                });
    return Arbitraries.frequencyOf(
        net.jqwik.api.Tuple.of(1, any), net.jqwik.api.Tuple.of(4, changed));
  }

  @Property(tries = 1000)
  void eachFrameHasOneOutcome(@ForAll("frames") byte[] bytes) {
    World world = WORLD;
    long seen = port(world, TileState.SEEN);
    long passed = port(world, TileState.RX_PASSED);
    long dropped = dropped(world);
    MemorySegment frame = MemorySegment.ofArray(bytes);
    assertTrue(
        world
            .kernels
            .get(0)
            .receive(
                bytes.length, at -> MemorySegment.copy(frame, 0, world.umem, at, bytes.length)));
    assertEquals(1, TILE.cycle(0));
    assertEquals(seen + 1, port(world, TileState.SEEN));
    assertEquals(1, port(world, TileState.RX_PASSED) - passed + dropped(world) - dropped);
    assertTrue(bytes.length >= UdpFrame.MIN_BYTES || port(world, TileState.RX_PASSED) == passed);
  }

  private static long port(World world, int word) {
    return world.state.get(TileState.port(0, word));
  }

  private static long dropped(World world) {
    long sum = 0;
    for (RxDrop reason : RxDrop.values()) {
      sum += port(world, TileState.RX_DROPS + reason.ordinal());
    }
    return sum;
  }

  private static final World WORLD = new World();
  private static final Tile TILE = WORLD.open();
}
