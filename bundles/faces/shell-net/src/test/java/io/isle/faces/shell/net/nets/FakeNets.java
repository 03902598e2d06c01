package io.isle.faces.shell.net.nets;

import io.isle.api.base.Errno;
import io.isle.api.base.Setting;
import io.isle.api.net.AppInfo;
import io.isle.api.net.NetAdmin;
import io.isle.api.net.NetCounter;
import io.isle.api.net.NetException;
import io.isle.api.net.NetFinding;
import io.isle.api.net.NetInfo;
import io.isle.api.net.NetRoute;
import io.isle.api.net.NetState;
import io.isle.api.net.TileInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Nets that remember their calls. */
final class FakeNets implements NetAdmin {
  final List<String> calls = new ArrayList<>();
  final List<NetInfo> nets = new ArrayList<>();
  final List<AppInfo> apps = new ArrayList<>();

  static NetInfo net(String name, long seen) {
    TileInfo tile =
        new TileInfo(
            0,
            3,
            true,
            false,
            "softirq",
            4096,
            64,
            2,
            seen,
            seen - 1,
            1,
            5,
            0.25,
            List.of(2, 3),
            Optional.empty());
    return new NetInfo(
        name,
        NetState.RUNNING,
        "",
        "eth0",
        "",
        List.of(9000, 9001),
        "auto",
        true,
        "auto",
        "auto",
        "skb",
        List.of(tile),
        List.of("zero_copy: the driver cannot"));
  }

  /** Of apps that are made; empty for apps that run. */
  String reason = "no net";

  private AppInfo app(String name) {
    return new AppInfo(
        name, "echo", List.of("n"), List.of(9000), 3, reason.isEmpty(), reason, 1, 2, 2, 1);
  }

  @Override
  public List<NetInfo> nets() {
    return nets;
  }

  @Override
  public Optional<NetInfo> find(String net) {
    return nets.stream().filter(one -> one.name().equals(net)).findFirst();
  }

  @Override
  public List<String> keys() {
    return List.of("interface", "tiles");
  }

  @Override
  public void create(String net, Map<String, String> settings) {
    calls.add("create " + net + " " + settings);
    nets.add(net(net, 10));
  }

  @Override
  public void set(String net, Map<String, String> changes) {
    calls.add("set " + net + " " + changes);
  }

  @Override
  public boolean remove(String net) {
    calls.add("remove " + net);
    return nets.removeIf(one -> one.name().equals(net));
  }

  @Override
  public void reload(String net) {
    calls.add("reload " + net);
  }

  private void require(String net) {
    if (find(net).isEmpty()) {
      throw new NetException(Errno.ENOENT, "no net '" + net + "'");
    }
  }

  @Override
  public List<NetCounter> counters(String net) {
    require(net);
    List<NetCounter> rows =
        List.of(
            new NetCounter(net, 0, "", "rx", "seen", 10),
            new NetCounter(net, 0, "", "rx", "bad_ihl", 0),
            new NetCounter(net, -1, "back", "app", "overrun_polling", 4));
    List<NetCounter> all = new ArrayList<>(rows);
    for (AppInfo one : apps) {
      all.add(new NetCounter(net, -1, one.name(), "kind", "sent", 7));
      all.add(new NetCounter(net, -1, one.name(), "kind", "elapsed_ns", 2_000));
      all.add(new NetCounter(net, 0, one.name(), "app_tx", "seen", 7));
      all.add(new NetCounter(net, 0, one.name(), "app_tx", "passed", 3));
      all.add(new NetCounter(net, 0, one.name(), "app_tx", "skipped", 2));
      all.add(new NetCounter(net, 0, one.name(), "app_tx", "no_route", 2));
      all.add(new NetCounter(net, 1, one.name(), "app_tx", "passed", 2));
      all.add(new NetCounter(net, 1, one.name(), "app_tx", "interface", 0));
    }
    return all;
  }

  @Override
  public List<NetRoute> routes(String net) {
    require(net);
    return List.of(new NetRoute("main", "198.18.0.0/24", 0, "unicast", "eth0", "", "198.18.0.1"));
  }

  @Override
  public List<NetFinding> explain(String net) {
    require(net);
    return List.of(new NetFinding(false, "link", "eth0 is down"));
  }

  @Override
  public List<AppInfo> apps() {
    return apps;
  }

  @Override
  public List<String> appKeys() {
    return List.of("kind", "nets");
  }

  @Override
  public Map<String, List<Setting>> kinds() {
    return Map.of(
        "echo", List.of(), "pktgen", List.of(Setting.integer("rate", 0, 10, 0, "frames a second")));
  }

  @Override
  public void createApp(String app, Map<String, String> settings) {
    calls.add("createApp " + app + " " + settings);
    apps.add(app(app));
  }

  @Override
  public void startApp(String app, Map<String, String> settings) {
    calls.add("startApp " + app + " " + settings);
    apps.add(app(app));
  }

  @Override
  public void setApp(String app, Map<String, String> changes) {
    calls.add("setApp " + app + " " + changes);
  }

  @Override
  public boolean removeApp(String app) {
    calls.add("removeApp " + app);
    return apps.removeIf(one -> one.name().equals(app));
  }
}
