package io.isle.api.net;

import java.util.List;
import java.util.OptionalLong;

/**
 * The process of a tile. Immutable.
 *
 * @param pid of the process that runs the tile; empty without one
 * @param standby process that is ready to take over; empty without one
 * @param starts processes that have run the tile so far
 * @param reason why the last process has ended, or why none runs; empty if nothing happened
 * @param sandbox what confines the process, a line each
 */
public record TileProcessInfo(
    OptionalLong pid, OptionalLong standby, long starts, String reason, List<String> sandbox) {
  /** Copies the list. */
  public TileProcessInfo {
    sandbox = List.copyOf(sandbox);
  }
}
