package io.isle.net.xdp.net;

import io.isle.api.net.AppInfo;
import io.isle.api.net.NetApp;
import io.isle.api.net.NetCounter;
import io.isle.api.net.NetException;
import io.isle.lib.agent.AgentHost;
import io.isle.net.xdp.settings.AppSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * An app of the platform, on each of its nets. Belongs to the executor of the nets; {@link #info}
 * is for any thread.
 */
final class App {
  private static final System.Logger LOG = System.getLogger(App.class.getName());

  private final String name;
  private final AppSettings settings;
  private final AgentHost host;
  private final List<AppWork> attachments = new ArrayList<>();
  private volatile String reason = "no net is there";
  private final AtomicInteger processes = new AtomicInteger();

  App(String name, AppSettings settings, AgentHost host) {
    this.name = name;
    this.settings = settings;
    this.host = host;
  }

  AppSettings settings() {
    return settings;
  }

  /**
   * Attaches to all nets of the app that are there, and to which the app is not attached yet.
   *
   * @param kind null while no bundle offers the kind
   * @param nets finds a net; null without it
   */
  void attach(NetApp kind, Function<String, Net> nets) {
    if (settings.uid() >= 0) {
      say("");
      return;
    }
    if (kind == null) {
      say("kind: no bundle offers '" + settings.kind() + "'");
      return;
    }
    String wrong = wrong(kind);
    if (!wrong.isEmpty()) {
      say(wrong);
      return;
    }
    String why = "";
    for (String name : settings.nets()) {
      Net net = nets.apply(name);
      if (net == null) {
        why = "nets: there is no net " + name;
      } else if (settings.onTile() && net.settings().inProcess()) {
        why = PlacementRule.refused(name).getMessage();
      } else if (attachments.stream().noneMatch(one -> one.net() == net)) {
        why = attach(kind, net, why);
      }
    }
    say(why);
  }

  /** What the settings have that does not go with the kind; empty if all does. */
  private String wrong(NetApp kind) {
    if (!kind.isTap()) {
      return settings.ports().isEmpty() && !kind.isSource()
          ? "ports: none are given; an app of kind " + settings.kind() + " has 1 to 16"
          : "";
    }
    if (!settings.ports().isEmpty()) {
      return "ports: an app of kind " + settings.kind() + " sees the frames of all apps; remove it";
    }
    if (settings.instances() > 1) {
      return "instances: an app of kind " + settings.kind() + " has 1";
    }
    return settings.onTile()
        ? "thread: an app of kind " + settings.kind() + " has a thread of its own; set own"
        : "";
  }

  private String attach(NetApp kind, Net net, String why) {
    try {
      kind.fakeHost(settings.own())
          .ifPresent(host -> net.opened().ifPresent(open -> open.withHost(name, host)));
      List<AppWork> works = AppWork.open(name, settings, kind, net);
      net.wiring().together(() -> works.forEach(work -> work.begin(host)));
      if (net.opened().isEmpty()) {
        works.forEach(AppWork::close);
        return "nets: " + net.name() + " has failed: " + net.now().reason();
      }
      attachments.addAll(works);
      return why;
    } catch (NetException e) {
      net.opened().ifPresent(open -> open.withoutHost(name));
      return e.getMessage();
    }
  }

  private void say(String why) {
    if (!why.isEmpty() && !why.equals(reason)) {
      LOG.log(System.Logger.Level.WARNING, "app {0}: {1}", name, why);
    }
    reason = why;
  }

  /** A net ends, or is opened anew. */
  void leave(Net net) {
    List<AppWork> gone = attachments.stream().filter(one -> one.net() == net).toList();
    attachments.removeAll(gone);
    net.wiring().together(() -> gone.forEach(AppWork::close));
    net.opened().ifPresent(open -> open.withoutHost(name));
  }

  /** The bundle of the kind goes, or the app. */
  void leaveAll() {
    attachments.stream().map(AppWork::net).distinct().toList().forEach(this::leave);
  }

  /** Processes of the app have attached, or left. */
  void processes(int more) {
    int ignored = processes.addAndGet(more);
  }

  /** Whether all instances have attached to a net. */
  boolean isOn(Net net) {
    long attached =
        settings.uid() >= 0
            ? net.wiring().instances(name)
            : attachments.stream().filter(one -> one.net() == net).count();
    return attached == settings.instances();
  }

  /** Counters of the app on a net; none of processes, which count for themselves. */
  List<NetCounter> counters(Net net) {
    return attachments.stream()
        .filter(one -> one.net() == net)
        .flatMap(one -> one.counters(name).stream())
        .toList();
  }

  private String missing(int attached, int all) {
    return attached == 0
        ? "no process of user " + settings.uid() + " has attached"
        : attached + " of " + all + " processes have attached";
  }

  AppInfo info() {
    String failure =
        attachments.stream()
            .map(AppWork::failure)
            .filter(text -> !text.isEmpty())
            .findFirst()
            .orElse(reason);
    boolean foreign = settings.uid() >= 0;
    int attached = foreign ? processes.get() : attachments.size();
    int all = settings.nets().size() * settings.instances();
    return new AppInfo(
        name,
        foreign ? "process" : settings.kind(),
        settings.nets(),
        settings.ports(),
        settings.instances(),
        failure.isEmpty() && attached == all,
        foreign && attached < all ? missing(attached, all) : failure,
        attachments.stream().mapToLong(AppWork::received).sum(),
        attachments.stream().mapToLong(AppWork::sent).sum(),
        attachments.stream().mapToLong(one -> one.lost().polling()).sum(),
        attachments.stream().mapToLong(one -> one.lost().reading()).sum());
  }
}
