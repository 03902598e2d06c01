package io.isle.net.xdp.net;

import io.isle.api.net.NetApp;
import io.isle.api.net.NetAppTask;
import io.isle.lib.agent.AgentHost;
import io.isle.lib.shm.AgentBells;
import io.isle.net.xdp.settings.AppSettings;
import java.lang.foreign.Arena;
import java.util.Optional;

/** An app of the platform at work on one net. Belongs to the executor of the nets. */
final class Attachment implements AutoCloseable {
  private static final int PAGE = 4096;

  private final Arena arena = Arena.ofShared();
  private final Net net;
  private final AppLinks links;
  private final AppPort port;
  private final NetAppTask task;
  private final AppAgent agent;
  private final Optional<AgentHost.Placement> placement;

  /**
   * Begins a task, and lets frames come to it.
   *
   * @throws io.isle.api.net.NetException as {@link Net#links} and {@link NetApp#open}
   */
  Attachment(String app, AppSettings settings, NetApp kind, Net net, AgentHost host) {
    this.net = net;
    links = net.links(app, settings.ports(), settings.depth());
    boolean begun = false;
    try {
      port = links.port(net.opened().orElseThrow().parts());
      task = kind.open(port, settings.own());
      begun = true;
    } finally {
      if (!begun) {
        links.close();
        arena.close();
      }
    }
    agent = new AppAgent("netapp-" + app + "-" + net.name(), task);
    if (settings.onTile()) {
      placement = Optional.empty();
      net.attach(new NetApps.Attached(links, Optional.of(agent), Optional.empty()));
    } else {
      AgentBells bells = new AgentBells(arena.allocate(PAGE, PAGE), arena);
      placement = Optional.of(host.start(agent, bells));
      net.attach(new NetApps.Attached(links, Optional.empty(), Optional.of(bells::ring)));
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
    return port.received();
  }

  long sent() {
    return port.sent();
  }

  long overruns() {
    return port.overruns();
  }

  /** Ends the task; the tiles do not use the links any more. */
  @Override
  public void close() {
    net.detach(links);
    placement.ifPresent(AgentHost.Placement::close);
    task.close();
    port.close();
    links.close();
    arena.close();
  }
}
