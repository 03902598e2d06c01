package io.isle.net.xdp.net;

import io.isle.api.base.Setting;
import io.isle.api.net.AppInfo;
import io.isle.api.net.NetApp;
import io.isle.api.net.NetCounter;
import io.isle.api.net.NetException;
import io.isle.lib.agent.AgentHost;
import io.isle.net.xdp.settings.AppSettings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;

/** The apps as their files, kinds and nets come and go. Belongs to the executor of the nets. */
final class AppSet {
  private static final System.Logger LOG = System.getLogger(AppSet.class.getName());

  private final AgentHost host;
  private final Function<String, Net> nets;
  private final Map<String, App> apps = new ConcurrentSkipListMap<>();
  private final Map<String, NetApp> kinds = new HashMap<>();
  private final Map<String, String> refused = new HashMap<>();

  /**
   * @param nets finds a net; null without it
   */
  AppSet(AgentHost host, Function<String, Net> nets) {
    this.host = host;
    this.nets = nets;
  }

  /** An app; any thread. */
  Optional<App> find(String name) {
    return Optional.ofNullable(apps.get(name));
  }

  List<AppInfo> infos() {
    return apps.values().stream().map(App::info).toList();
  }

  /** Counters of all apps on a net. */
  List<NetCounter> counters(Net net) {
    return apps.values().stream().flatMap(app -> app.counters(net).stream()).toList();
  }

  /** Follows the files: a bad value leaves the settings of before in force, as a whole. */
  void follow(Map<String, Map<String, String>> files) {
    List<String> gone = new ArrayList<>(apps.keySet());
    gone.removeAll(files.keySet());
    gone.forEach(this::end);
    refused.keySet().retainAll(files.keySet());
    files.forEach(this::apply);
    attach();
  }

  /**
   * Checks settings, also the keys of a kind that is there.
   *
   * @throws NetException EINVAL with the key and its limit
   */
  AppSettings checked(Map<String, String> given) {
    AppSettings settings = AppSettings.of(given);
    NetApp kind = kinds.get(settings.kind());
    if (kind != null) {
      settings.check(kind.settings());
    }
    return settings;
  }

  /** The kinds that are there, with their keys. */
  Map<String, List<Setting>> kinds() {
    Map<String, List<Setting>> keys = new TreeMap<>();
    kinds.forEach((name, kind) -> keys.put(name, kind.settings()));
    return keys;
  }

  private void end(String name) {
    App app = apps.remove(name);
    if (app != null) {
      app.leaveAll();
      for (String net : app.settings().nets()) {
        Net found = nets.apply(net);
        if (found != null) {
          found.endProcesses(name);
        }
      }
    }
  }

  private void apply(String name, Map<String, String> given) {
    try {
      AppSettings settings = checked(given);
      refused.remove(name);
      App app = apps.get(name);
      if (app == null || !app.settings().equals(settings)) {
        end(name);
        apps.put(name, new App(name, settings, host));
      }
    } catch (NetException e) {
      if (!e.getMessage().equals(refused.put(name, e.getMessage()))) {
        LOG.log(
            System.Logger.Level.WARNING,
            "{0}-{1}.cfg: {2}; {3}",
            AppSettings.FACTORY_PID,
            name,
            e.getMessage(),
            apps.containsKey(name)
                ? "the last good settings stay in force"
                : "there is no app " + name);
      }
    }
  }

  private void attach() {
    apps.values().forEach(app -> app.attach(kinds.get(app.settings().kind()), nets));
  }

  /** A kind has come; one of the same name is an earlier version and is not used any more. */
  void add(String kind, NetApp service) {
    if (kinds.put(kind, service) != null) {
      leave(kind);
    }
    attach();
  }

  /** A kind goes. */
  void remove(String kind, NetApp service) {
    if (kinds.remove(kind, service)) {
      leave(kind);
      attach();
    }
  }

  private void leave(String kind) {
    apps.values().stream().filter(app -> app.settings().kind().equals(kind)).forEach(App::leaveAll);
  }

  /** A net has sockets: its apps attach. */
  void opened(Net net) {
    attach();
  }

  /** Which app of a net is not there yet, or why none has frames; empty if all are there. */
  String waiting(Net net) {
    List<App> ours =
        apps.values().stream().filter(app -> app.settings().nets().contains(net.name())).toList();
    if (ours.stream().allMatch(app -> app.settings().ports().isEmpty())) {
      return "no app has a port; see net:app-create";
    }
    return ours.stream()
        .filter(app -> !app.isOn(net))
        .findFirst()
        .map(app -> "the app " + app.info().name() + " is not there: " + app.info().reason())
        .orElse("");
  }

  /** A net closes its sockets. */
  void ended(Net net) {
    apps.values().forEach(app -> app.leave(net));
  }

  void close() {
    apps.values().forEach(App::leaveAll);
    apps.clear();
  }
}
