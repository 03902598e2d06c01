package io.isle.net.tile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.net.tile.RxLinkMemory;
import io.isle.api.net.tile.Tile;
import io.isle.lib.packet.NetSig;
import io.isle.lib.packet.Udp;
import io.isle.lib.packet.UdpFrame;
import io.isle.lib.tango.Frag;
import io.isle.lib.tango.Mcache;
import io.isle.lib.tile.Ledger;
import io.isle.lib.tile.RxDrop;
import io.isle.lib.tile.TileState;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TileRxTest {
  private static final int SOURCE = 10 << 24 | 9;

  private final World world = new World();
  private final TestKernel kernel = world.kernels.get(0);
  private final MemorySegment umem = world.umem;

  private void datagram(long at, int source, int port, int payload) {
    UdpFrame.write(umem, at, source, 4000, FakeRoutes.SOURCE, port, payload);
  }

  private long dropped(RxDrop reason) {
    return world.state.get(TileState.port(0, TileState.RX_DROPS + reason.ordinal()));
  }

  @Test
  void aFrameLiesInTheUmemWithTheSignatureOfItsSender() {
    Tile tile = world.open();
    kernel.receive(World.FIRST_PORT + 1, 0x1122_3344_5566L);
    assertEquals(1, tile.cycle(0xAB_CDEF_0123L));

    Frag frag = new Frag();
    Mcache link = world.rxLinks.get(1);
    assertEquals(0, link.read(link.seq0(), frag));
    assertEquals(58, frag.size());
    long at = (frag.chunk() << 6) + (frag.ctl() & 63);
    assertEquals(256, at % World.FRAME);
    assertEquals(0x1122_3344_5566L, umem.get(ValueLayout.JAVA_LONG_UNALIGNED, at + TestApp.NUMBER));
    assertEquals(NetSig.of(SOURCE, SOURCE, 4000, 1, 42), frag.sig());
    assertEquals(0xCDEF_0123, frag.tspub());
    assertEquals(link.seq0() + 1, link.produced());
    assertEquals(0, world.rxLinks.get(0).next() - world.rxLinks.get(0).seq0());
  }

  /** Low bits of the offset of a frame that the driver put at an odd place. */
  @Test
  void ctlHasTheLowBitsOfTheOffset() {
    Tile tile = world.open();
    long frame = kernel.rings().takeFill();
    long at = frame + 300;
    datagram(at, SOURCE, World.FIRST_PORT, 16);
    kernel.rings().enterRx(at, 58);
    tile.cycle(0);
    Frag frag = new Frag();
    assertEquals(0, world.rxLinks.get(0).read(0, frag));
    assertEquals(300 & 63, frag.ctl());
    assertEquals(at, (frag.chunk() << 6) + frag.ctl());
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "INVALID")
  void everyReasonHasItsCounterAndGivesTheFrameBack(RxDrop reason) {
    world.dropBadChecksums();
    Tile tile = world.open();
    int length = reason == RxDrop.UNDERSIZE ? 41 : 58;
    assertTrue(kernel.receive(length, at -> broken(at, reason)));
    assertEquals(1, tile.cycle(0));

    assertEquals(1, dropped(reason));
    assertEquals(1, world.state.rxDropped(0));
    assertEquals(1, world.state.get(TileState.port(0, TileState.SEEN)));
    assertEquals(0, world.state.get(TileState.port(0, TileState.RX_PASSED)));
    assertEquals(World.RX_FRAMES, kernel.receiving().size());
  }

  private void broken(long at, RxDrop reason) {
    boolean group = reason == RxDrop.MULTICAST_SOURCE;
    int port = reason == RxDrop.NO_APP ? 1 : World.FIRST_PORT;
    datagram(at, group ? 224 << 24 | 1 : SOURCE, port, 16);
    switch (reason) {
      case NOT_IPV4 -> umem.set(ValueLayout.JAVA_BYTE, at + 13, (byte) 6);
      case BAD_IHL -> umem.set(ValueLayout.JAVA_BYTE, at + 14, (byte) 0x44);
      case NOT_UDP -> umem.set(ValueLayout.JAVA_BYTE, at + 23, (byte) 6);
      case FRAGMENT -> umem.set(ValueLayout.JAVA_BYTE, at + 20, (byte) 0x20);
      case BAD_UDP_LENGTH -> umem.set(ValueLayout.JAVA_BYTE, at + 39, (byte) 25);
      case CHECKSUM -> Udp.checksum(umem, at + 34, 1);
      default -> {
        // the address, port or length is enough
      }
    }
  }

  @Test
  void checksumsDoNotMatterUnlessWanted() {
    Tile tile = world.open();
    kernel.receive(58, at -> broken(at, RxDrop.CHECKSUM));
    tile.cycle(0);
    assertEquals(0, world.state.rxDropped(0));
    assertEquals(1, world.state.get(TileState.port(0, TileState.RX_PASSED)));
  }

  /** Addresses outside, over the end of a frame, and of frames that the kernel does not have. */
  @Test
  void memoryThatTheKernelDoesNotHaveIsLeftAlone() {
    Tile tile = world.open();
    long[] wrong = {-1, Long.MAX_VALUE, (long) World.FRAMES * World.FRAME, World.FRAME - 10};
    for (long address : wrong) {
      kernel.rings().enterRx(address, 58);
    }
    int linked = 0;
    while (world.ledger.state(linked) != Ledger.LINK) {
      linked++;
    }
    kernel.rings().enterRx((long) linked * World.FRAME, 58);
    assertEquals(5, tile.cycle(0));
    assertEquals(5, dropped(RxDrop.INVALID));
    assertEquals(World.RX_FRAMES, kernel.receiving().size());
    assertEquals(Ledger.LINK, world.ledger.state(linked));
  }

  @Test
  void portsChangeUnderTheTile() {
    Tile tile = world.open();
    world.apps.replace(Map.of(53, 1));
    kernel.receive(World.FIRST_PORT, 1);
    kernel.receive(53, 2);
    tile.cycle(0);
    assertEquals(1, dropped(RxDrop.NO_APP));
    assertEquals(1, world.rxLinks.get(1).next() - world.rxLinks.get(1).seq0());
  }

  /** All frames of a flow go to one instance, and flows to all instances. */
  @Test
  void instancesShareFlowsByHash() {
    List<RxLinkMemory> links = new ArrayList<>();
    List<Mcache> shares = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      MemorySegment memory = Arena.ofAuto().allocate(Mcache.footprint(128, 0), Mcache.ALIGN);
      shares.add(Mcache.create(memory, 128, 0, 0));
      links.add(new RxLinkMemory(0, i, memory));
    }
    Tile tile = Opening.open(world.memory(links), world.routes, world);
    for (int flow = 0; flow < 32; flow++) {
      for (int i = 0; i < 2; i++) {
        int source = SOURCE + flow;
        assertTrue(kernel.receive(58, at -> datagram(at, source, World.FIRST_PORT, 16)));
      }
      tile.cycle(0);
    }
    long first = shares.get(0).next();
    assertEquals(64, first + shares.get(1).next());
    assertTrue(first > 8 && first < 56, first + " of 64");
    assertEquals(0, first % 2);
  }

  /** A link that nobody reads costs nobody else a frame: its oldest frames are displaced. */
  @Test
  void manyMoreFramesThanLinesPassOn() {
    Tile tile = world.open();
    for (int i = 0; i < 1000; i++) {
      assertTrue(kernel.receive(World.FIRST_PORT, i), "frame " + i);
      tile.cycle(i);
    }
    assertEquals(1000, world.rxLinks.get(0).next());
    assertEquals(World.RX_FRAMES, kernel.receiving().size());
  }
}
