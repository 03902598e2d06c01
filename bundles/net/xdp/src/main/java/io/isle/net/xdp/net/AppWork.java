package io.isle.net.xdp.net;

import io.isle.api.net.NetApp;
import io.isle.api.net.NetAppTask;
import io.isle.lib.agent.AgentHost;
import io.isle.net.xdp.settings.AppSettings;
import java.util.Optional;

/** An app of the platform at work on one net. Belongs to the executor of the nets. */
final class AppWork implements AutoCloseable {
  private final AppBell bell = new AppBell();
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
        bell.close();
      }
    }
    agent = new AppAgent("netapp-" + app + "-" + net.name(), task);
    if (settings.onTile()) {
      placement = Optional.empty();
      feed.begin(Optional.of(agent), Optional.empty());
    } else {
      placement = Optional.of(host.start(agent, bell.bells()));
      feed.begin(Optional.empty(), Optional.of(bell));
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

  long overruns() {
    return feed.port().overruns();
  }

  /** Ends the task; the tiles do not use the links any more. */
  @Override
  public void close() {
    feed.end();
    placement.ifPresent(AgentHost.Placement::close);
    task.close();
    feed.port().close();
    feed.close();
    bell.close();
  }
}
