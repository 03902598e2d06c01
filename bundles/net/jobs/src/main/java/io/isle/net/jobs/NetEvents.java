package io.isle.net.jobs;

import io.isle.api.jobs.ActionMistake;
import io.isle.api.jobs.ActionValues;
import io.isle.api.jobs.SetupEvent;
import io.isle.api.jobs.SetupResource;
import io.isle.api.net.NetAdmin;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Faults and changes of the nets of jobs. Thread-safe. */
final class NetEvents {
  static final String UPDATE = "update";
  static final String RELOAD = "reload";
  static final String KILL = "kill";
  static final String TILE = "tile";

  static final List<SetupEvent> EVENTS =
      List.of(new SetupEvent(UPDATE, false, List.of()), new SetupEvent(RELOAD, false, List.of()));

  private static final long BACK_NS = TimeUnit.SECONDS.toNanos(20);

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
        tiles.update();
      }
      case RELOAD -> {
        book.add(net, event);
        nets.reload(net);
      }
      default -> throw new IllegalStateException("nets have no event " + name);
    }
    NetSetup.awaitRunning(nets, net, BACK_NS);
    event.end(System.nanoTime());
  }
}
