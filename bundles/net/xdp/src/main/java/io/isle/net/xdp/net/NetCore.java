package io.isle.net.xdp.net;

import io.isle.api.base.ConfigFiles;
import io.isle.api.base.Errno;
import io.isle.api.net.AppInfo;
import io.isle.api.net.NetAdmin;
import io.isle.api.net.NetApp;
import io.isle.api.net.NetCounter;
import io.isle.api.net.NetException;
import io.isle.api.net.NetFinding;
import io.isle.api.net.NetInfo;
import io.isle.api.net.NetRoute;
import io.isle.api.net.tile.Tiles;
import io.isle.api.observe.AuditTrail;
import io.isle.lib.agent.AgentHost;
import io.isle.lib.agent.BoundedWait;
import io.isle.lib.agent.SerialExecutor;
import io.isle.net.xdp.host.TileHosts;
import io.isle.net.xdp.lab.NetSpaces;
import io.isle.net.xdp.settings.AppSettings;
import io.isle.net.xdp.settings.NetSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;

/** The nets of the platform. All changes run on one thread, in their order. Thread-safe. */
final class NetCore implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(NetCore.class.getName());
  private static final BoundedWait WAIT =
      new BoundedWait(
          Duration.ofSeconds(60), what -> what + ": the nets are stopped", NetException::new);

  /** All nets have as many at most. */
  private static final int APPS = NetAdmin.NETS * NetAdmin.APPS;

  private final SerialExecutor executor = new SerialExecutor("isle-nets");
  private final Files files;
  private final Files appFiles;
  private final NetSet nets;
  private final AppSet apps;
  private final TileHosts hosts;
  private volatile Tiles tiles;

  /**
   * @param hosts of tiles in processes
   * @param folder of the socket files of nets
   * @param trail records who attaches
   */
  NetCore(
      ConfigFiles configs,
      AgentHost host,
      NetSpaces spaces,
      TileHosts hosts,
      Path folder,
      AuditTrail trail) {
    this.hosts = hosts;
    files =
        new Files(
            configs,
            NetSettings.FACTORY_PID,
            "net",
            "net:list",
            this::checkNet);
    appFiles =
        new Files(
            configs,
            AppSettings.FACTORY_PID,
            "app",
            "net:apps",
            this::checkApp);
    apps = new AppSet(host, this::net);
    nets =
        new NetSet(
            new Net.Platform(
                host,
                executor,
                spaces,
                () -> tiles,
                hosts,
                new Net.Sockets(folder, trail, apps::find),
                this::opened,
                apps::ended));
  }

  private void checkNet(String name, Map<String, String> given) {
    PlacementRule.check(name, NetSettings.of(given), appFiles.all());
  }

  private void checkApp(String name, Map<String, String> given) {
    PlacementRule.check(AppSettings.of(given), files.all());
  }

  private Net net(String name) {
    return nets.find(name).orElse(null);
  }

  /** Behind the making of the net, so that its apps find it. */
  private void opened(Net net) {
    boolean ignored = executor.post(() -> apps.opened(net));
  }

  private <T> T call(String what, Callable<T> work) {
    return WAIT.result(what, executor.submit(work));
  }

  /** The files may have changed. */
  void filesChanged() {
    boolean ignored = executor.post(this::refresh);
  }

  private void refresh() {
    Map<String, Map<String, String>> now;
    Map<String, Map<String, String>> wanted;
    try {
      now = files.all();
      wanted = appFiles.all();
    } catch (RuntimeException e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "the settings of nets cannot be read; the last good settings stay in force",
          e);
      return;
    }
    nets.follow(now);
    apps.follow(wanted);
  }

  /** A kind of apps has come. */
  void add(String kind, NetApp service) {
    boolean ignored = executor.post(() -> apps.add(kind, service));
  }

  /** A kind of apps goes: no task of it runs when the call returns. */
  void remove(String kind, NetApp service) {
    leave("the end of the apps " + kind, () -> apps.remove(kind, service));
  }

  /** The bundle of tiles has come; an earlier version of it is not used any more. */
  void add(Tiles service) {
    boolean ignored =
        executor.post(
            () -> {
              tiles = service;
              nets.reload();
            });
  }

  /** The bundle of tiles goes: no tile of it runs when the call returns. */
  void remove(Tiles service) {
    leave(
        "the end of the tiles",
        () -> {
          if (tiles == service) {
            tiles = null;
            nets.reload();
          }
        });
  }

  /** The end of a service; after the end of the nets, nothing of the service is left here. */
  private void leave(String what, Runnable work) {
    try {
      boolean ignored =
          call(
              what,
              () -> {
                work.run();
                return true;
              });
    } catch (NetException e) {
      if (e.code() != Errno.ECLOSED) {
        throw e;
      }
    }
  }

  List<NetInfo> infos() {
    return call("list of the nets", () -> nets.all().stream().map(Net::now).toList());
  }

  Optional<NetInfo> find(String name) {
    return call("find " + name, () -> nets.find(name).map(Net::now));
  }

  void create(String name, Map<String, String> given) {
    change("create " + name, () -> files.create(name, given, NetAdmin.NETS));
  }

  void set(String name, Map<String, String> changes) {
    change("set " + name, () -> files.set(name, changes));
  }

  private void change(String what, Runnable write) {
    boolean ignored =
        call(
            what,
            () -> {
              write.run();
              refresh();
              return true;
            });
  }

  boolean has(String name) {
    return call("find " + name, () -> files.all().containsKey(name));
  }

  boolean remove(String name) {
    return call(
        "remove " + name,
        () -> {
          boolean deleted = files.remove(name);
          refresh();
          return deleted;
        });
  }

  private <T> T of(String name, Function<Net, T> work) {
    return call(name, () -> work.apply(nets.find(name).orElseThrow(() -> files.missing(name))));
  }

  void reload(String name) {
    boolean ignored =
        of(
            name,
            net -> {
              net.renew();
              return true;
            });
  }

  List<NetCounter> counters(String name) {
    return of(name, net -> net.opened().map(open -> Counters.of(name, open)).orElse(List.of()));
  }

  List<NetRoute> routes(String name) {
    return of(name, net -> net.opened().map(open -> RouteRows.of(open.view())).orElse(List.of()));
  }

  List<NetFinding> explain(String name) {
    return of(name, net -> new Explanation(net.now(), net.settings(), net.opened()).findings());
  }

  List<AppInfo> apps() {
    return call("list of the apps", apps::infos);
  }

  void createApp(String name, Map<String, String> given) {
    change("create " + name, () -> appFiles.create(name, given, APPS));
  }

  void setApp(String name, Map<String, String> changes) {
    change("set " + name, () -> appFiles.set(name, changes));
  }

  boolean hasApp(String name) {
    return call("find " + name, () -> appFiles.all().containsKey(name));
  }

  boolean removeApp(String name) {
    return call(
        "remove " + name,
        () -> {
          boolean deleted = appFiles.remove(name);
          refresh();
          return deleted;
        });
  }

  /** Ends all nets. */
  @Override
  public void close() {
    boolean ignored =
        call(
            "the end of the nets",
            () -> {
              apps.close();
              nets.close();
              hosts.release();
              return true;
            });
    executor.close();
  }
}
