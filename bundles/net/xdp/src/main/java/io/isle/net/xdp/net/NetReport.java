package io.isle.net.xdp.net;

import io.isle.api.net.NetInfo;
import io.isle.api.net.NetState;
import io.isle.api.net.TileInfo;
import io.isle.net.xdp.settings.NetSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What users are told of a net. */
final class NetReport {
  private NetReport() {}

  /**
   * A net that has failed.
   *
   * @param reason why
   */
  static NetInfo failed(String name, NetSettings settings, String reason, List<Integer> ports) {
    return of(name, settings, NetState.FAILED, reason, ports, "", List.of(), List.of());
  }

  /**
   * A net with its sockets.
   *
   * @param moving the tiles
   * @param problems of the socket for processes, of files and of the interface's settings
   */
  static NetInfo open(
      String name,
      NetSettings settings,
      OpenNet open,
      NetTiles moving,
      List<Integer> ports,
      List<String> problems) {
    boolean running = moving.areRunning();
    List<TileInfo> tiles = new ArrayList<>();
    for (TilePart part : open.parts()) {
      int tile = tiles.size();
      tiles.add(tile(tile, part, running, moving));
    }
    List<String> notes = new ArrayList<>();
    open.parts().forEach(part -> part.wires().forEach(wire -> notes.addAll(wire.notes())));
    notes.addAll(problems);
    if (!open.routes().problem().isEmpty()) {
      notes.add("routes: " + open.routes().problem());
    }
    Optional<FileMover> ended = open.file().filter(FileMover::hasEnded);
    return of(
        name,
        settings,
        !running ? NetState.WAITING : ended.isPresent() ? NetState.ENDED : NetState.RUNNING,
        running ? ended.map(FileMover::failure).orElse("") : moving.reason(),
        ports,
        open.mode(),
        tiles,
        notes.stream().distinct().toList());
  }

  private static TileInfo tile(int number, TilePart part, boolean running, NetTiles moving) {
    TileFigures figures = part.figures();
    return new TileInfo(
        number,
        part.queue(),
        running,
        part.wire().zeroCopy(),
        part.wire().poll(),
        part.wires().stream().mapToLong(Wire::pinnedBytes).sum(),
        part.umem().frames(),
        figures.opened(),
        figures.seen(),
        figures.passed(),
        figures.dropped(),
        figures.sent(),
        figures.busy(),
        moving.processors(number),
        moving.process(number));
  }

  private static NetInfo of(
      String name,
      NetSettings settings,
      NetState state,
      String reason,
      List<Integer> ports,
      String mode,
      List<TileInfo> tiles,
      List<String> notes) {
    return new NetInfo(
        name,
        state,
        reason,
        settings.interfaceName(),
        settings.namespace(),
        ports,
        settings.mode().name().toLowerCase(Locale.ROOT),
        settings.zeroCopy(),
        settings.poll().name().toLowerCase(Locale.ROOT),
        settings.cpu().text(),
        mode,
        tiles,
        notes);
  }
}
