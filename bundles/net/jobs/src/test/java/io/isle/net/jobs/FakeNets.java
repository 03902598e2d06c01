package io.isle.net.jobs;

import io.isle.api.base.Errno;
import io.isle.api.base.Setting;
import io.isle.api.net.AppInfo;
import io.isle.api.net.LabSide;
import io.isle.api.net.Labs;
import io.isle.api.net.NetAdmin;
import io.isle.api.net.NetCounter;
import io.isle.api.net.NetException;
import io.isle.api.net.NetFinding;
import io.isle.api.net.NetInfo;
import io.isle.api.net.NetRoute;
import io.isle.api.net.NetState;
import io.isle.api.net.TileInfo;
import io.isle.api.net.TileProcessInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Labs, nets and apps that remember their settings. */
final class FakeNets implements NetAdmin, Labs {
  final Map<String, Map<String, String>> nets = new TreeMap<>();
  final Map<String, Map<String, String>> apps = new TreeMap<>();
  final List<String> labs = new ArrayList<>();
  final List<String> reloads = new ArrayList<>();

  /**
   * The process of each tile in a process; null without one. When it has ended, there is another.
   */
  Process process;

  /** Why nets do not run; empty if they do. */
  String reason = "";

  /** Why no lab can be made; empty if one can. */
  String refusal = "";

  @Override
  public List<LabSide> createWithHost(String name, int queues) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<LabSide> create(String name, int queues) {
    if (!refusal.isEmpty()) {
      throw new NetException(Errno.EPERM, refusal);
    }
    labs.add(name);
    return list();
  }

  @Override
  public List<LabSide> list() {
    return labs.stream()
        .map(lab -> new LabSide(lab, "a", "va", "198.18.0.1", 24, "", "/proc/self/ns/net", 1))
        .toList();
  }

  @Override
  public void delete(String name) {
    labs.remove(name);
  }

  @Override
  public List<NetInfo> nets() {
    return nets.keySet().stream().map(this::info).toList();
  }

  private NetInfo info(String net) {
    return new NetInfo(
        net,
        reason.isEmpty() ? NetState.RUNNING : NetState.FAILED,
        reason,
        "vb",
        "",
        List.of(),
        "skb",
        false,
        "auto",
        "",
        "skb",
        tiles(net),
        List.of());
  }

  /** In placement process, a tile. */
  private List<TileInfo> tiles(String net) {
    if (!"process".equals(nets.get(net).get("placement"))) {
      return List.of();
    }
    OptionalLong pid =
        process == null
            ? OptionalLong.empty()
            : process.isAlive() ? OptionalLong.of(process.pid()) : OptionalLong.of(1);
    return List.of(
        new TileInfo(
            0,
            0,
            true,
            false,
            "softirq",
            0,
            64,
            1,
            0,
            0,
            0,
            0,
            0,
            List.of(),
            Optional.of(new TileProcessInfo(pid, OptionalLong.of(2), 1, "", List.of()))));
  }

  @Override
  public Optional<NetInfo> find(String net) {
    return nets.containsKey(net) ? Optional.of(info(net)) : Optional.empty();
  }

  @Override
  public List<String> keys() {
    return List.of();
  }

  @Override
  public void create(String net, Map<String, String> settings) {
    nets.put(net, settings);
  }

  @Override
  public void set(String net, Map<String, String> changes) {
    throw new AssertionError("not used");
  }

  @Override
  public boolean remove(String net) {
    return nets.remove(net) != null;
  }

  @Override
  public void reload(String net) {
    reloads.add(net);
  }

  @Override
  public List<NetCounter> counters(String net) {
    return List.of();
  }

  @Override
  public List<NetRoute> routes(String net) {
    return List.of();
  }

  @Override
  public List<NetFinding> explain(String net) {
    return List.of();
  }

  @Override
  public List<AppInfo> apps() {
    return apps.entrySet().stream()
        .map(
            app ->
                new AppInfo(
                    app.getKey(),
                    app.getValue().get("kind"),
                    List.of(app.getValue().get("nets")),
                    List.of(),
                    1,
                    reason.isEmpty(),
                    reason,
                    0,
                    0,
                    0,
                    0))
        .toList();
  }

  @Override
  public Map<String, List<Setting>> kinds() {
    return Map.of();
  }

  @Override
  public List<String> appKeys() {
    return List.of();
  }

  @Override
  public void createApp(String app, Map<String, String> settings) {
    apps.put(app, settings);
  }

  @Override
  public void startApp(String app, Map<String, String> settings) {
    createApp(app, settings);
  }

  @Override
  public void setApp(String app, Map<String, String> changes) {
    throw new AssertionError("not used");
  }

  @Override
  public boolean removeApp(String app) {
    return apps.remove(app) != null;
  }
}
