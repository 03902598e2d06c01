package io.isle.net.xdp.net;

import io.isle.api.net.AppInfo;
import io.isle.api.net.NetApp;
import io.isle.api.net.NetException;
import io.isle.lib.agent.AgentHost;
import io.isle.net.xdp.settings.AppSettings;
import java.util.ArrayList;
import java.util.List;
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
  private final List<Attachment> attachments = new ArrayList<>();
  private volatile String reason = "no net is there";

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
    if (kind == null) {
      say("kind: no bundle offers '" + settings.kind() + "'");
      return;
    }
    String why = "";
    for (String name : settings.nets()) {
      Net net = nets.apply(name);
      if (net == null) {
        why = "nets: there is no net " + name;
      } else if (attachments.stream().noneMatch(one -> one.net() == net)) {
        why = attach(kind, net, why);
      }
    }
    say(why);
  }

  private String attach(NetApp kind, Net net, String why) {
    try {
      attachments.add(new Attachment(name, settings, kind, net, host));
      return why;
    } catch (NetException e) {
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
    attachments.removeIf(
        one -> {
          if (one.net() == net) {
            one.close();
            return true;
          }
          return false;
        });
  }

  /** The bundle of the kind goes, or the app. */
  void leaveAll() {
    attachments.forEach(Attachment::close);
    attachments.clear();
  }

  AppInfo info() {
    String failure =
        attachments.stream()
            .map(Attachment::failure)
            .filter(text -> !text.isEmpty())
            .findFirst()
            .orElse(reason);
    return new AppInfo(
        name,
        settings.kind(),
        settings.nets(),
        settings.ports(),
        failure.isEmpty() && attachments.size() == settings.nets().size(),
        failure,
        attachments.stream().mapToLong(Attachment::received).sum(),
        attachments.stream().mapToLong(Attachment::sent).sum(),
        attachments.stream().mapToLong(Attachment::overruns).sum());
  }
}
