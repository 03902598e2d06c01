package io.isle.faces.shell.net.nets;

import io.isle.api.net.NetInfo;
import io.isle.api.net.TileInfo;
import io.isle.api.net.TileProcessInfo;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** What users see of tiles in processes. */
final class ProcessRows {
  private static final String NOT_APPLIED = ": not applied";

  private ProcessRows() {}

  /** Where the tiles of a net are; null without tiles. */
  static String placement(NetInfo net) {
    return net.tiles().isEmpty() ? null : placement(net.tiles().getFirst());
  }

  private static String placement(TileInfo tile) {
    return tile.process().isPresent() ? "process" : "agent";
  }

  /** Adds the keys of a tile; without a process, those of the process are null. */
  static void add(Map<String, Object> object, TileInfo tile) {
    Optional<TileProcessInfo> process = tile.process();
    object.put("placement", placement(tile));
    object.put("host_pid", process.map(one -> number(one.pid())).orElse(null));
    object.put("standby_pid", process.map(one -> number(one.standby())).orElse(null));
    object.put("starts", process.map(TileProcessInfo::starts).orElse(null));
    object.put("last_end", process.map(TileProcessInfo::reason).orElse(null));
    object.put("sandbox", process.map(TileProcessInfo::sandbox).orElse(List.of()));
  }

  private static Long number(OptionalLong pid) {
    return pid.isPresent() ? pid.getAsLong() : null;
  }

  /** Such as {@code 4711, start 2, standby 4712}. */
  static String text(TileProcessInfo process) {
    String runs = process.pid().isPresent() ? Long.toString(process.pid().getAsLong()) : "none";
    String standby =
        process.standby().isPresent() ? ", standby " + process.standby().getAsLong() : "";
    return runs + ", start " + process.starts() + standby;
  }

  /** Parts of the sandbox that the machine does not allow. */
  static List<String> missing(TileProcessInfo process) {
    return process.sandbox().stream().filter(line -> line.contains(NOT_APPLIED)).toList();
  }
}
