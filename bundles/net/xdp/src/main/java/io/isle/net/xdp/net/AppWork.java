package io.isle.net.xdp.net;

import io.isle.api.net.NetApp;
import io.isle.api.net.NetAppTask;
import io.isle.lib.agent.AgentHost;
import io.isle.lib.shm.AgentBells;
import io.isle.net.xdp.settings.AppSettings;
import io.isle.net.xdp.tap.Overruns;
import java.lang.foreign.Arena;
import java.util.Map;
import java.util.Optional;

/** An app of the platform at work on one net. Belongs to the executor of the nets. */
final class AppWork implements AutoCloseable {
  private static final int PAGE = 4096;

  private final Arena arena = Arena.ofShared();
  private final Net net;
  private final AppFeed feed;
  private final NetAppTask task;
  private final AppAgent agent;
  private final Optional<AgentHost.Placement> placement;

  /**
   * Begins a task, and lets frames come to it.
   *
   * @throws io.isle.api.net.NetException as {@link Net#links}, {@link Net#tap} and {@link
   *     NetApp#open}
   */
  AppWork(String app, AppSettings settings, NetApp kind, Net net, AgentHost host) {
    this.net = net;
    feed = kind.isTap() ? new TapFeed(net) : new LinkFeed(net, app, settings);
    boolean begun = false;
    try {
      task = kind.open(feed.port(), settings.own());
      begun = true;
    } finally {
      if (!begun) {
        feed.close();
        arena.close();
      }
    }
    agent = new AppAgent("netapp-" + app + "-" + net.name(), task);
    if (settings.onTile()) {
      placement = Optional.empty();
      feed.begin(Optional.of(agent), Optional.empty());
    } else {
      AgentBells bells = new AgentBells(arena.allocate(PAGE, PAGE), arena);
      placement = Optional.of(host.start(agent, bells));
      feed.begin(Optional.empty(), Optional.of(bells::ring));
    }
  }

  Net net() {
    return net;
  }

  /** Why the task has failed; empty while it works. */
  String failure() {
    return agent.failure().isEmpty() ? task.failure() : agent.failure();
  }

  long received() {
    return feed.received();
  }

  long sent() {
    return feed.sent();
  }

  Overruns lost() {
    return feed.lost();
  }

  /** Counters of the kind. */
  Map<String, Long> counters() {
    return task.counters();
  }

  /** Ends the task; the tiles do not use the links any more. */
  @Override
  public void close() {
    feed.end();
    placement.ifPresent(AgentHost.Placement::close);
    task.close();
    feed.port().close();
    feed.close();
    arena.close();
  }
}
