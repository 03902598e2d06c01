package io.isle.net.jobs;

import io.isle.api.base.Errno;
import io.isle.api.jobs.ActionMistake;
import io.isle.api.jobs.ActionParameter;
import io.isle.api.jobs.ActionValues;
import io.isle.api.jobs.SetupEvent;
import io.isle.api.jobs.SetupResource;
import io.isle.api.net.NetAdmin;
import io.isle.api.net.NetException;
import io.isle.api.net.TileProcessInfo;
import io.isle.lib.ffi.ChildProcess;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** Faults and changes of the nets of jobs. Thread-safe. */
final class NetEvents {
  static final String UPDATE = "update";
  static final String RELOAD = "reload";
  static final String KILL = "kill";
  static final String TILE = "tile";

  static final List<SetupEvent> EVENTS =
      List.of(
          new SetupEvent(UPDATE, false, List.of()),
          new SetupEvent(RELOAD, false, List.of()),
          new SetupEvent(
              KILL, true, List.of(ActionParameter.whole(TILE, 0, NetAdmin.TILES - 1).orElse("0"))));

  private static final long BACK_NS = TimeUnit.SECONDS.toNanos(20);
  private static final long LOOK_MS = 2;

  private final NetAdmin nets;
  private final EventBook book;
  private final TileBundle tiles;

  NetEvents(NetAdmin nets, EventBook book, TileBundle tiles) {
    this.nets = nets;
    this.book = book;
    this.tiles = tiles;
  }

  /** Checks an event of a net before the job begins. */
  static Optional<ActionMistake> check(SetupResource net, String event, ActionValues values) {
    if (!event.equals(KILL)) {
      return Optional.empty();
    }
    if (!net.values().text(NetSetup.PLACEMENT).equals(NetSetup.PROCESS)) {
      return Optional.of(new ActionMistake("", "a kill needs a net with 'placement: process'"));
    }
    long count = net.values().whole(NetSetup.TILES);
    return values.whole(TILE) < count
        ? Optional.empty()
        : Optional.of(new ActionMistake(TILE, "the net has the tiles 0 to " + (count - 1)));
  }

  /**
   * Brings an event about, and waits until the net runs again.
   *
   * @throws io.isle.api.base.IsleException if it is impossible
   */
  void happen(String net, String name, ActionValues values) throws InterruptedException {
    Event event = new Event(name, System.nanoTime());
    switch (name) {
      case UPDATE -> {
        book.addToAll(event);
        update();
      }
      case RELOAD -> {
        book.add(net, event);
        nets.reload(net);
      }
      case KILL -> {
        kill(net, (int) values.whole(TILE));
        return;
      }
      default -> throw new IllegalStateException("nets have no event " + name);
    }
    NetSetup.awaitRunning(nets, net, BACK_NS);
    event.end(System.nanoTime());
  }

  /** Updates the tiles of all nets; those of processes are in other processes then. */
  private void update() throws InterruptedException {
    Map<String, List<TileProcessInfo>> before = new LinkedHashMap<>();
    for (String net : book.nets()) {
      before.put(net, processes(net));
    }
    tiles.update();
    for (Map.Entry<String, List<TileProcessInfo>> net : before.entrySet()) {
      for (int tile = 0; tile < net.getValue().size(); tile++) {
        awaitOther(net.getKey(), tile, net.getValue().get(tile).pid());
      }
    }
  }

  /** Kills the process of a tile when its standby is there, and waits until the standby runs. */
  private void kill(String net, int tile) throws InterruptedException {
    TileProcessInfo process = ready(net, tile);
    Event event = new Event(KILL, System.nanoTime());
    book.add(net, event);
    if (!ChildProcess.kill(process.pid().orElseThrow())) {
      throw new NetException(
          Errno.ENOENT, place(net, tile) + " has no process to kill; see net:info " + net);
    }
    awaitOther(net, tile, process.pid());
    NetSetup.awaitRunning(nets, net, BACK_NS);
    event.end(System.nanoTime());
  }

  private TileProcessInfo ready(String net, int tile) throws InterruptedException {
    long end = System.nanoTime() + BACK_NS;
    while (true) {
      List<TileProcessInfo> all = processes(net);
      if (tile < all.size()
          && all.get(tile).pid().isPresent()
          && all.get(tile).standby().isPresent()) {
        return all.get(tile);
      }
      if (System.nanoTime() - end >= 0) {
        throw new NetException(
            Errno.ETIMEDOUT,
            place(net, tile) + " has no process with a standby; see net:info " + net);
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
    }
  }

  /** Waits until another process than that of before runs a tile. */
  private void awaitOther(String net, int tile, OptionalLong before) throws InterruptedException {
    long end = System.nanoTime() + BACK_NS;
    for (OptionalLong now = process(net, tile);
        now.isEmpty() || now.equals(before);
        now = process(net, tile)) {
      if (System.nanoTime() - end >= 0) {
        throw new NetException(
            Errno.ETIMEDOUT, place(net, tile) + " got no other process; see net:info " + net);
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
    }
  }

  private static String place(String net, int tile) {
    return "tile " + tile + " of net " + net;
  }

  /** The processes of the tiles of a net; none while the tiles run in the platform. */
  private List<TileProcessInfo> processes(String net) {
    return nets.find(net).stream()
        .flatMap(info -> info.tiles().stream())
        .flatMap(tile -> tile.process().stream())
        .toList();
  }

  private OptionalLong process(String net, int tile) {
    List<TileProcessInfo> all = processes(net);
    return tile < all.size() ? all.get(tile).pid() : OptionalLong.empty();
  }
}
