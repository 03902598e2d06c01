package io.isle.lib.tile;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.isle.lib.tile.RouteTable.Kind;
import io.isle.lib.tile.RouteTable.Layout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * Looks addresses up in the memory of a {@link RouteTable}, which may be mapped for reading only.
 * Answers are kept until the table changes, for some hundred addresses. Allocates nothing after
 * construction. One thread at a time; any number of readers on one memory.
 */
public final class RouteReader implements Routes {
  private static final int KEPT = 256;
  private static final int TRIES = 64;
  private static final int UNICAST = Kind.UNICAST.ordinal();
  private static final int LOCAL = Kind.LOCAL.ordinal();
  private static final int REFUSES = Kind.REFUSES.ordinal();
  private static final int THROW = Kind.THROW.ordinal();

  private final MemorySegment memory;

  // the kept answers, by the hash of the address
  private final long[] versions = new long[KEPT];
  private final int[] destinations = new int[KEPT];
  private final int[] outcomes = new int[KEPT];
  private final int[] interfaces = new int[KEPT];
  private final int[] sources = new int[KEPT];
  private final int[] hops = new int[KEPT];
  private final long[] neighbors = new long[KEPT];
  private final long[] stations = new long[KEPT];
  private int current;

  /**
   * A reader without kept answers.
   *
   * @throws IllegalArgumentException for memory that no {@link RouteTable} has begun
   */
  public RouteReader(MemorySegment memory) {
    if (memory.byteSize() < RouteTable.BYTES
        || memory.get(JAVA_LONG, Layout.MAGIC_AT) != Layout.MAGIC) {
      throw new IllegalArgumentException("the memory is no table of routes");
    }
    this.memory = memory;
    Arrays.fill(versions, -1);
  }

  @Override
  public int lookup(int destination) {
    current = (destination * 0x9E3779B9) >>> 24;
    long version = Layout.version(memory);
    if (versions[current] == version && destinations[current] == destination) {
      return outcomes[current];
    }
    destinations[current] = destination;
    for (int i = 0; i < TRIES; i++) {
      int outcome = find(Layout.half(version), destination);
      VarHandle.acquireFence();
      long now = Layout.version(memory);
      if (now == version) {
        versions[current] = version;
        outcomes[current] = outcome;
        return outcome;
      }
      version = now;
    }
    versions[current] = -1;
    return NO_ROUTE;
  }

  @Override
  public int interfaceIndex() {
    return interfaces[current];
  }

  @Override
  public long neighbor() {
    return neighbors[current];
  }

  @Override
  public long station() {
    return stations[current];
  }

  @Override
  public int source() {
    return sources[current];
  }

  /** Reads one half, which the writer may be replacing: every index stays inside of it. */
  private int find(long half, int destination) {
    int count = Math.clamp(memory.get(JAVA_INT, half + Layout.ROUTE_COUNT), 0, RouteTable.ROUTES);
    int skipped = -1;
    for (int i = 0; i < count; i++) {
      long route = half + Layout.route(i);
      int mask = memory.get(JAVA_INT, route + Layout.MASK);
      if ((destination & mask) != memory.get(JAVA_INT, route + Layout.DESTINATION)) {
        continue;
      }
      int table = memory.get(JAVA_INT, route + Layout.TABLE);
      int kind = memory.get(JAVA_INT, route + Layout.KIND);
      if (table == skipped) {
        continue;
      }
      if (kind == THROW) {
        skipped = table;
        continue;
      }
      return kind == UNICAST || kind == LOCAL
          ? sends(half, route, destination)
          : kind == REFUSES ? NO_ROUTE : ROUTE_TYPE;
    }
    return NO_ROUTE;
  }

  private int sends(long half, long route, int destination) {
    int index = memory.get(JAVA_INT, route + Layout.INTERFACE);
    int gateway = memory.get(JAVA_INT, route + Layout.GATEWAY);
    interfaces[current] = index;
    sources[current] = memory.get(JAVA_INT, route + Layout.SOURCE);
    neighbors[current] = 0;
    hops[current] = gateway == 0 ? destination : gateway;
    int count =
        Math.clamp(memory.get(JAVA_INT, half + Layout.INTERFACE_COUNT), 0, RouteTable.INTERFACES);
    for (int i = 0; i < count; i++) {
      long station = half + Layout.station(i);
      if (memory.get(JAVA_INT, station + Layout.INDEX) == index) {
        stations[current] = memory.get(JAVA_LONG, station + Layout.STATION);
        return memory.get(JAVA_INT, station + Layout.RESOLVES) == 0
            ? SENDS
            : resolve(half, index, hops[current]);
      }
    }
    return NO_ROUTE;
  }

  private int resolve(long half, int index, int address) {
    int slot = Layout.slot(index, address);
    for (int i = 0; i < 2 * RouteTable.NEIGHBORS; i++) {
      long at = half + Layout.neighbor(slot);
      long station = memory.get(JAVA_LONG, at + Layout.STATION);
      if (station == 0) {
        return NO_NEIGHBOR;
      }
      if (Layout.isNeighbor(memory, at, index, address)) {
        neighbors[current] = station & ~Layout.USED;
        return SENDS;
      }
      slot = Layout.next(slot);
    }
    return NO_NEIGHBOR;
  }

  /**
   * The address on the link whose hardware address the last look-up needed: the gateway, or the
   * destination itself. Behind {@link #NO_NEIGHBOR}, the kernel is asked for this address.
   */
  @Override
  public int nextHop() {
    return hops[current];
  }
}
