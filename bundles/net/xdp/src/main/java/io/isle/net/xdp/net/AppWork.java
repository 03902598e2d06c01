package io.isle.net.xdp.net;

import io.isle.api.net.NetApp;
import io.isle.api.net.NetAppTask;
import io.isle.api.net.NetCounter;
import io.isle.lib.agent.AgentHost;
import io.isle.net.xdp.settings.AppSettings;
import io.isle.net.xdp.tap.Overruns;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An instance of an app of the platform at work on one net. Belongs to the executor of the nets.
 */
final class AppWork implements AutoCloseable {
  private final AppBell bell = new AppBell();
  private final Net net;
  private final AppFeed feed;
  private final NetAppTask task;
  private final AppAgent agent;
  private final boolean onTile;
  private Optional<AgentHost.Placement> placement = Optional.empty();

  /**
   * Opens a task for each instance of an app, which {@link #begin} starts.
   *
   * @throws io.isle.api.net.NetException as {@link NetWiring#links}, {@link NetWiring#tap} and
   *     {@link NetApp#open}
   */
  static List<AppWork> open(String app, AppSettings settings, NetApp kind, Net net) {
    List<AppFeed> feeds =
        kind.isTap() ? List.of(new TapFeed(net)) : LinkFeed.of(net, app, settings);
    List<AppWork> works = new ArrayList<>();
    String name = "netapp-" + app + "-" + net.name();
    int tried = 0;
    try {
      for (AppFeed feed : feeds) {
        tried++;
        String own = feeds.size() == 1 ? name : name + "-" + works.size();
        works.add(new AppWork(own, settings, kind, net, feed));
      }
      return works;
    } finally {
      if (works.size() < feeds.size()) {
        works.forEach(AppWork::close);
        feeds.subList(tried, feeds.size()).forEach(AppFeed::close);
      }
    }
  }

  /**
   * Opens a task, which {@link #begin} starts.
   *
   * @param name of the agent
   * @param feed is closed with this object, also when it cannot be made
   * @throws io.isle.api.net.NetException as {@link NetApp#open}
   */
  private AppWork(String name, AppSettings settings, NetApp kind, Net net, AppFeed feed) {
    this.net = net;
    this.feed = feed;
    onTile = settings.onTile();
    boolean opened = false;
    try {
      task = kind.open(feed.port(), settings.own());
      opened = true;
    } finally {
      if (!opened) {
        feed.close();
        bell.close();
      }
    }
    agent = new AppAgent(name, task);
  }

  /** Lets frames come to the task. */
  void begin(AgentHost host) {
    if (onTile) {
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

  Overruns lost() {
    return feed.lost();
  }

  /** All counters of the app on the net. */
  List<NetCounter> counters(String app) {
    return AppCounters.of(net.name(), app, feed, task.counters());
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
