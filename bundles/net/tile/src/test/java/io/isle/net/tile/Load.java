package io.isle.net.tile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.net.tile.Tile;
import io.isle.lib.packet.NetSig;
import io.isle.lib.tango.Frag;
import io.isle.lib.tango.Mcache;
import io.isle.lib.tile.Ledger;
import io.isle.lib.tile.RxDrop;
import io.isle.lib.tile.TileState;
import io.isle.lib.tile.TxDrop;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Load on a tile that crashes, and what must have become of each frame. A frame's number has its
 * source in the high half: the port of a received frame, the app of one to send.
 */
final class Load {
  /** Destinations of apps, and how each ends. */
  private static final int[] DESTINATIONS = {
    FakeRoutes.SENT,
    FakeRoutes.LOOPED,
    FakeRoutes.SENT,
    FakeRoutes.UNKNOWN,
    FakeRoutes.SPECIAL,
    FakeRoutes.SILENT,
    FakeRoutes.ELSEWHERE,
    FakeRoutes.NAMELESS,
  };

  private final World world = new World();
  private final CrashLoader loader;
  private final Map<Long, List<Long>> expected = new HashMap<>();
  private final Map<Long, List<Long>> found = new HashMap<>();
  private final long[] read = new long[World.APPS];
  private final long[][] rxDrops = new long[TileState.PORTS][RxDrop.values().length];
  private final long[][] txDrops = new long[World.APPS][TxDrop.values().length];
  private Tile tile;
  private long number;
  private long nowNs;

  /** A new net; the openings before the first one that lives crash behind these stores. */
  Load(CrashLoader loader, long... openings) {
    this.loader = loader;
    for (int app = 0; app < World.APPS; app++) {
      read[app] = world.rxLinks.get(app).seq0();
    }
    for (long opening : openings) {
      lives(opening, () -> tile = open());
    }
    tile = open();
    audit();
  }

  World world() {
    return world;
  }

  private Tile open() {
    return loader.open(world.memory(), world.routes, world);
  }

  private static long way(int direction, int from, int to) {
    return (long) direction << 40 | (long) from << 20 | to;
  }

  /** A frame arrives: for an app, for none, or as no UDP. */
  void receive(int port, int kind) {
    TestKernel kernel = world.kernels.get(port);
    long id = (long) port << 32 | number++;
    int to = kind % 4;
    if (to < World.APPS) {
      if (kernel.receive(World.FIRST_PORT + to, id)) {
        expect(way(0, port, to), id);
      }
    } else if (to == 2) {
      rxDrops[port][RxDrop.NO_APP.ordinal()] += kernel.receive(1, id) ? 1 : 0;
    } else {
      boolean there = kernel.receive(60, at -> world.umem.asSlice(at, 60).fill((byte) 0));
      rxDrops[port][RxDrop.NOT_IPV4.ordinal()] += there ? 1 : 0;
    }
  }

  /** An app sends a frame. */
  void send(int app, int kind) {
    int destination = DESTINATIONS[kind % DESTINATIONS.length];
    long id = (long) app << 32 | number;
    if (!world.txApps.get(app).send(destination, id)) {
      return;
    }
    number++;
    switch (destination) {
      case FakeRoutes.SENT -> expect(way(1, app, 0), id);
      case FakeRoutes.LOOPED -> expect(way(1, app, 1), id);
      case FakeRoutes.UNKNOWN -> txDrops[app][TxDrop.NO_ROUTE.ordinal()]++;
      case FakeRoutes.SPECIAL -> txDrops[app][TxDrop.ROUTE_TYPE.ordinal()]++;
      case FakeRoutes.SILENT -> txDrops[app][TxDrop.NO_NEIGHBOR.ordinal()]++;
      case FakeRoutes.ELSEWHERE -> txDrops[app][TxDrop.INTERFACE.ordinal()]++;
      default -> txDrops[app][TxDrop.NO_SOURCE.ordinal()]++;
    }
  }

  private void expect(long way, long id) {
    expected.computeIfAbsent(way, key -> new ArrayList<>()).add(id);
  }

  void cycle() {
    nowNs += 1000;
    tile.cycle(nowNs);
    audit();
  }

  /** The owner updates the tile. */
  void reopen() {
    tile.close();
    tile = open();
    audit();
  }

  /**
   * The tile crashes behind a store, its successors in their opening, and the last one lives.
   *
   * @return whether the first crash happened before the end of the cycle
   */
  boolean crash(long stores, long... openings) {
    boolean crashed = !lives(stores, () -> tile.cycle(nowNs += 1000));
    for (long opening : openings) {
      if (lives(opening, () -> tile = open())) {
        audit();
      }
    }
    tile = open();
    audit();
    return crashed;
  }

  private static boolean lives(long stores, Runnable work) {
    CrashPoint.arm(stores);
    try {
      work.run();
      return true;
    } catch (CrashPoint.Crash e) {
      return false;
    } finally {
      CrashPoint.disarm();
    }
  }

  /** Runs until nothing is left to do, and looks at everything. */
  void finish() {
    for (int work = 1; work > 0; ) {
      work = tile.cycle(nowNs += 50_000);
      for (TestKernel kernel : world.kernels) {
        kernel.takeTx(World.TX_QUEUE);
        kernel.complete(World.TX_QUEUE);
        work += kernel.sending().size();
      }
      readLinks();
    }
    audit();
    assertEquals(expected, found, "frames that arrived");
    for (int app = 0; app < World.APPS; app++) {
      TestApp from = world.txApps.get(app);
      int slot = from.link().slot();
      assertEquals(from.sent(), world.state.taken(slot), "outcomes of app " + app);
      for (TxDrop reason : TxDrop.values()) {
        long at = TileState.link(slot, TileState.TX_DROPS + reason.ordinal());
        assertEquals(txDrops[app][reason.ordinal()], world.state.get(at), reason + " of " + app);
      }
    }
    for (int port = 0; port < TileState.PORTS; port++) {
      for (RxDrop reason : RxDrop.values()) {
        long at = TileState.port(port, TileState.RX_DROPS + reason.ordinal());
        assertEquals(rxDrops[port][reason.ordinal()], world.state.get(at), reason + " of " + port);
      }
      long seen = world.state.get(TileState.port(port, TileState.SEEN));
      assertEquals(world.kernels.get(port).entered(), seen, "frames of port " + port);
    }
  }

  /** Each frame is in one place, the ledger names the place, and each counter is the sum. */
  private void audit() {
    readLinks();
    readSent();
    Map<Integer, Byte> places = new HashMap<>();
    for (TestKernel kernel : world.kernels) {
      kernel.receiving().forEach(frame -> place(places, frame, Ledger.FILL));
      kernel.sending().forEach(frame -> place(places, frame, Ledger.TX));
    }
    world.memory().rxLinks().stream()
        .map(RxLink::new)
        .forEach(
            link -> {
              for (int line = 0; line < link.depth(); line++) {
                place(places, (int) (link.address(line) / World.FRAME), Ledger.LINK);
              }
            });
    // written, and not yet handed over
    for (int port = 0; port < TileState.PORTS; port++) {
      Port rings = new Port(port, world.memory().ports().get(port), world.state);
      for (int i = 0; i < rings.txPending(); i++) {
        place(places, (int) (rings.tx.written(i) / World.FRAME), Ledger.TX);
      }
      assertEquals(0, rings.fillPending());
    }
    for (int frame = 0; frame < World.FRAMES; frame++) {
      byte place = places.getOrDefault(frame, Ledger.FREE);
      assertEquals(place, world.ledger.state(frame), "place of frame " + frame);
    }
    for (int port = 0; port < TileState.PORTS; port++) {
      long seen = world.state.get(TileState.port(port, TileState.SEEN));
      assertEquals(world.state.received(port), seen, "seen = passed on + dropped");
      long filled = world.state.get(TileState.port(port, TileState.FILLED));
      assertEquals(World.RX_FRAMES, filled - seen, "frames for receiving of port " + port);
    }
    for (TestApp app : world.txApps) {
      int slot = app.link().slot();
      long start = world.state.get(TileState.link(slot, TileState.START));
      long next = world.state.get(TileState.link(slot, TileState.NEXT));
      assertEquals(next - start, world.state.taken(slot), "seen = passed on + dropped + skipped");
    }
  }

  private static void place(Map<Integer, Byte> places, int frame, byte place) {
    Byte before = places.put(frame, place);
    assertTrue(before == null, "frame " + frame + " is in two places: " + before + ", " + place);
  }

  private void readLinks() {
    Frag frag = new Frag();
    for (int app = 0; app < World.APPS; app++) {
      Mcache link = world.rxLinks.get(app);
      for (long next = link.next(); read[app] != next; read[app]++) {
        assertEquals(0, link.read(read[app], frag), "line " + read[app]);
        assertEquals(app, NetSig.protocol(frag.sig()));
        long at = (frag.chunk() << 6) + (frag.ctl() & 63) + TestApp.NUMBER;
        long id = world.umem.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
        found.computeIfAbsent(way(0, (int) (id >>> 32), app), key -> new ArrayList<>()).add(id);
      }
    }
  }

  private void readSent() {
    for (int port = 0; port < TileState.PORTS; port++) {
      List<Long> sent = world.kernels.get(port).sent();
      for (long id : sent) {
        found.computeIfAbsent(way(1, (int) (id >>> 32), port), key -> new ArrayList<>()).add(id);
      }
      sent.clear();
    }
  }
}
