package io.isle.net.tile;

import io.isle.lib.tile.Routes;

/** Routes by the last number of an address. */
final class FakeRoutes implements Routes {
  static final int WIRE = 7;
  static final int LOOPBACK = 1;
  static final int SENT = 10 << 24 | 1;
  static final int LOOPED = 10 << 24 | 2;
  static final int UNKNOWN = 10 << 24 | 3;
  static final int SPECIAL = 10 << 24 | 4;
  static final int SILENT = 10 << 24 | 5;
  static final int ELSEWHERE = 10 << 24 | 6;
  static final int NAMELESS = 10 << 24 | 7;
  static final long NEIGHBOR = 0x0202_0304_0506L;
  static final long STATION = 0x0212_1314_1516L;
  static final int SOURCE = 198 << 24 | 18 << 16 | 1;

  private int destination;

  @Override
  public int lookup(int to) {
    destination = to;
    return switch (to) {
      case UNKNOWN -> NO_ROUTE;
      case SPECIAL -> ROUTE_TYPE;
      case SILENT -> NO_NEIGHBOR;
      default -> SENDS;
    };
  }

  @Override
  public int interfaceIndex() {
    return switch (destination) {
      case LOOPED -> LOOPBACK;
      case ELSEWHERE -> 99;
      default -> WIRE;
    };
  }

  @Override
  public long neighbor() {
    return NEIGHBOR;
  }

  @Override
  public long station() {
    return STATION;
  }

  @Override
  public int source() {
    return destination == NAMELESS ? 0 : SOURCE;
  }

  @Override
  public int nextHop() {
    return destination;
  }
}
