package io.isle.lib.tile;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.Comparator;
import java.util.List;

/**
 * The writer of a table of routes, neighbors and interfaces in memory that {@link RouteReader}s
 * read. One writer at a time; a further writer on the same memory goes on with the versions.
 *
 * <p>The memory has a version and two halves. Version v shows half v modulo 2; the writer fills the
 * other half, then counts the version up. A reader that sees the same version behind its look-up
 * has read no torn half. So readers never wait for a writer, and a writer that ends half-way harms
 * nobody.
 */
public final class RouteTable {
  /** Bytes of the memory. */
  public static final long BYTES = Layout.HALVES + 2 * Layout.HALF_BYTES;

  /** Most routes. */
  public static final int ROUTES = 1024;

  /** Most neighbors. */
  public static final int NEIGHBORS = 1024;

  /** Most interfaces. */
  public static final int INTERFACES = 64;

  /** What a route does with a packet. */
  public enum Kind {
    /** Sends by an interface, maybe by a gateway. */
    UNICAST,
    /** Passes to the machine itself, by the loopback interface. */
    LOCAL,
    /** Refuses: blackhole, unreachable, prohibit. */
    REFUSES,
    /** Something that tiles do not serve, such as multicast. */
    OTHER,
    /** Goes on with the next table. */
    THROW
  }

  /**
   * A route. Addresses are IPv4, first number highest.
   *
   * @param table 0 is looked up first, then 1, and so on; 0 to 255
   * @param destination without bits behind the prefix
   * @param prefix bits, 0 to 32
   * @param metric among routes with one destination, the lowest wins; unsigned
   * @param interfaceIndex 0 for a route that does not send
   * @param gateway 0 for a destination on the link
   * @param source for packets that name none; 0 without one
   */
  public record Route(
      int table,
      int destination,
      int prefix,
      int metric,
      Kind kind,
      int interfaceIndex,
      int gateway,
      int source) {}

  /**
   * The hardware address of a host on a link.
   *
   * @param station 48 bits, first byte highest
   */
  public record Neighbor(int interfaceIndex, int address, long station) {}

  /**
   * An interface that is up.
   *
   * @param station its hardware address, 48 bits, first byte highest
   * @param resolves whether packets need the hardware address of a neighbor; else that address is 0
   */
  public record Interface(int index, long station, boolean resolves) {}

  private static final Comparator<Route> ORDER =
      Comparator.comparingInt(Route::table)
          .thenComparing(Comparator.comparingInt(Route::prefix).reversed())
          .thenComparing(Route::metric, Integer::compareUnsigned);

  private final MemorySegment memory;
  private long version;

  /**
   * A writer on new memory, or on that of an earlier writer.
   *
   * @param memory native, aligned to 8 bytes, zero when new
   * @throws IllegalArgumentException for memory of another size or use
   */
  public RouteTable(MemorySegment memory) {
    if (memory.byteSize() < BYTES) {
      throw new IllegalArgumentException(
          "a table of routes needs " + BYTES + " bytes, the memory has " + memory.byteSize());
    }
    long magic = memory.get(JAVA_LONG, Layout.MAGIC_AT);
    if (magic != 0 && magic != Layout.MAGIC) {
      throw new IllegalArgumentException("the memory belongs to something else than routes");
    }
    this.memory = memory;
    memory.set(JAVA_LONG, Layout.MAGIC_AT, Layout.MAGIC);
    version = Layout.version(memory);
  }

  /** Counts the replacements. */
  public long version() {
    return version;
  }

  /**
   * Replaces the table: readers see all of the old one or all of the new one.
   *
   * @throws IllegalArgumentException beyond {@link #ROUTES}, {@link #NEIGHBORS}, {@link
   *     #INTERFACES}, or for a wrong entry; the old table stays
   */
  public void replace(List<Route> routes, List<Neighbor> neighbors, List<Interface> interfaces) {
    limit("routes", routes.size(), ROUTES);
    limit("neighbors", neighbors.size(), NEIGHBORS);
    limit("interfaces", interfaces.size(), INTERFACES);
    routes.forEach(RouteTable::check);
    long next = version + 1;
    // a reader that begins with the last version has left this half
    VarHandle.fullFence();
    MemorySegment half = memory.asSlice(Layout.half(next), Layout.HALF_BYTES);
    half.fill((byte) 0);
    List<Route> sorted = routes.stream().sorted(ORDER).toList();
    for (int i = 0; i < sorted.size(); i++) {
      write(half, Layout.route(i), sorted.get(i));
    }
    neighbors.forEach(neighbor -> insert(half, neighbor));
    for (int i = 0; i < interfaces.size(); i++) {
      write(half, Layout.station(i), interfaces.get(i));
    }
    half.set(JAVA_INT, Layout.ROUTE_COUNT, sorted.size());
    half.set(JAVA_INT, Layout.INTERFACE_COUNT, interfaces.size());
    version = next;
    Layout.publish(memory, next);
  }

  private static void limit(String what, int count, int most) {
    if (count > most) {
      throw new IllegalArgumentException(count + " " + what + " are more than " + most);
    }
  }

  private static void check(Route route) {
    if (route.prefix < 0 || route.prefix > 32 || route.table < 0 || route.table > 255) {
      throw new IllegalArgumentException("prefix or table of " + route + " is out of range");
    }
    if ((route.destination & ~Layout.mask(route.prefix)) != 0) {
      throw new IllegalArgumentException("destination of " + route + " has bits behind the prefix");
    }
  }

  private static void write(MemorySegment half, long at, Route route) {
    half.set(JAVA_INT, at + Layout.DESTINATION, route.destination);
    half.set(JAVA_INT, at + Layout.MASK, Layout.mask(route.prefix));
    half.set(JAVA_INT, at + Layout.KIND, route.kind.ordinal());
    half.set(JAVA_INT, at + Layout.INTERFACE, route.interfaceIndex);
    half.set(JAVA_INT, at + Layout.GATEWAY, route.gateway);
    half.set(JAVA_INT, at + Layout.SOURCE, route.source);
    half.set(JAVA_INT, at + Layout.TABLE, route.table);
  }

  private static void write(MemorySegment half, long at, Interface one) {
    half.set(JAVA_INT, at + Layout.INDEX, one.index);
    half.set(JAVA_INT, at + Layout.RESOLVES, one.resolves ? 1 : 0);
    half.set(JAVA_LONG, at + Layout.STATION, one.station);
  }

  /** The first free slot, or that of the same neighbor. */
  private static void insert(MemorySegment half, Neighbor neighbor) {
    int slot = Layout.slot(neighbor.interfaceIndex, neighbor.address);
    while (true) {
      long at = Layout.neighbor(slot);
      boolean free = half.get(JAVA_LONG, at + Layout.STATION) == 0;
      if (free || Layout.isNeighbor(half, at, neighbor.interfaceIndex, neighbor.address)) {
        half.set(JAVA_INT, at + Layout.INDEX, neighbor.interfaceIndex);
        half.set(JAVA_INT, at + Layout.ADDRESS, neighbor.address);
        half.set(JAVA_LONG, at + Layout.STATION, neighbor.station | Layout.USED);
        return;
      }
      slot = Layout.next(slot);
    }
  }

  /** Offsets of the memory. */
  static final class Layout {
    static final long MAGIC_AT = 0;
    static final long MAGIC = 0x31544554_554F5249L;
    static final long HALVES = 64;

    // a half: counts, routes, slots of neighbors, interfaces
    static final long ROUTE_COUNT = 0;
    static final long INTERFACE_COUNT = 4;

    static final long DESTINATION = 0;
    static final long MASK = 4;
    static final long KIND = 8;
    static final long INTERFACE = 12;
    static final long GATEWAY = 16;
    static final long SOURCE = 20;
    static final long TABLE = 24;

    static final long INDEX = 0;
    static final long ADDRESS = 4;
    static final long RESOLVES = 4;
    static final long STATION = 8;

    /** Tells a neighbor whose hardware address is 0 from a free slot. */
    static final long USED = 1L << 63;

    private static final int SLOTS = 2 * NEIGHBORS;
    private static final long ROUTE_BYTES = 32;
    private static final long ENTRY_BYTES = 16;
    private static final long ROUTES_AT = 64;
    private static final long NEIGHBORS_AT = ROUTES_AT + ROUTES * ROUTE_BYTES;
    private static final long INTERFACES_AT = NEIGHBORS_AT + SLOTS * ENTRY_BYTES;
    static final long HALF_BYTES = INTERFACES_AT + INTERFACES * ENTRY_BYTES;

    private static final long VERSION_AT = 8;
    private static final VarHandle VERSION = JAVA_LONG.varHandle();

    private Layout() {}

    static long version(MemorySegment memory) {
      return (long) VERSION.getAcquire(memory, VERSION_AT);
    }

    static void publish(MemorySegment memory, long version) {
      VERSION.setRelease(memory, VERSION_AT, version);
    }

    static long half(long version) {
      return HALVES + (version & 1) * HALF_BYTES;
    }

    static long route(int index) {
      return ROUTES_AT + index * ROUTE_BYTES;
    }

    static long neighbor(int slot) {
      return NEIGHBORS_AT + slot * ENTRY_BYTES;
    }

    static long station(int index) {
      return INTERFACES_AT + index * ENTRY_BYTES;
    }

    static int mask(int prefix) {
      return prefix == 0 ? 0 : -1 << (32 - prefix);
    }

    static int slot(int interfaceIndex, int address) {
      int hash = (address ^ interfaceIndex * 0x9E3779B9) * 0x85EBCA6B;
      return (hash ^ hash >>> 16) & (SLOTS - 1);
    }

    static int next(int slot) {
      return slot + 1 & (SLOTS - 1);
    }

    static boolean isNeighbor(MemorySegment memory, long at, int interfaceIndex, int address) {
      return memory.get(JAVA_INT, at + INDEX) == interfaceIndex
          && memory.get(JAVA_INT, at + ADDRESS) == address;
    }
  }
}
