package io.isle.net.xdp.net;

import io.isle.api.base.ConfigFiles;
import io.isle.api.base.Errno;
import io.isle.api.base.Setting;
import io.isle.api.net.AppInfo;
import io.isle.api.net.FramePort;
import io.isle.api.net.NetAdmin;
import io.isle.api.net.NetApp;
import io.isle.api.net.NetConfigure;
import io.isle.api.net.NetCounter;
import io.isle.api.net.NetException;
import io.isle.api.net.NetFinding;
import io.isle.api.net.NetInfo;
import io.isle.api.net.NetRoute;
import io.isle.api.net.tile.Tiles;
import io.isle.api.observe.AuditTrail;
import io.isle.api.observe.Metric;
import io.isle.api.tenancy.Capability;
import io.isle.lib.agent.AgentHost;
import io.isle.lib.agent.BoundedWait;
import io.isle.lib.agent.SerialExecutor;
import io.isle.net.xdp.host.TileHosts;
import io.isle.net.xdp.lab.NetSpaces;
import io.isle.net.xdp.settings.AppSettings;
import io.isle.net.xdp.settings.NetSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

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
  private final AppBook appBook;
  private final NetSet nets;
  private final AppSet apps;
  private final TileHosts tileHosts;
  private final TenantPorts tenants = new TenantPorts(executor);
  private final OfferedTiles tiles = new OfferedTiles(executor);
  private volatile NetConfigure configure;

  /**
   * @param folder of the socket files of nets
   * @param trail records who attaches
   * @param hosts that do not exist; what an earlier platform has left behind is removed
   * @param tileHosts for tiles in processes
   */
  NetCore(
      ConfigFiles configs,
      AgentHost host,
      NetSpaces spaces,
      Path folder,
      AuditTrail trail,
      HostFile hosts,
      TileHosts tileHosts) {
    hosts.clean(spaces);
    this.tileHosts = tileHosts;
    files = new Files(configs, NetSettings.FACTORY_PID, "net", "net:list", this::checkNet);
    apps = new AppSet(host, this::net);
    appBook =
        new AppBook(new Files(configs, AppSettings.FACTORY_PID, "app", "net:apps", this::checkApp));
    nets =
        new NetSet(
            new NetPlatform(
                host,
                executor,
                spaces,
                tiles::get,
                tileHosts,
                new NetPlatform.Sockets(folder, trail, apps::find),
                hosts,
                new Preparation.Work(() -> configure, this::settings),
                this::opened,
                apps::waiting,
                this::ended));
  }

  private void checkNet(String name, Map<String, String> given) {
    PlacementRule.check(name, NetSettings.of(given), appBook.all());
  }

  private void checkApp(String name, Map<String, String> given) {
    PlacementRule.check(apps.checked(given), files.all());
  }

  private List<NetSettings> settings() {
    return nets.all().stream().filter(net -> !net.isClosed()).map(Net::settings).toList();
  }

  private Net net(String name) {
    return nets.find(name).orElse(null);
  }

  /** Behind the making of the net, so that its apps find it. */
  private void opened(Net net) {
    boolean ignored = executor.post(() -> apps.opened(net));
  }

  /** Before the sockets go. */
  private void ended(Net net) {
    apps.ended(net);
    tenants.ended(net);
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
      wanted = appBook.all();
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

  /** Nets prepare their interfaces by this service from now on. */
  void add(NetConfigure service) {
    configure = service;
  }

  /** The bundle of tiles has come, maybe in another version: its tiles take over. */
  void add(Tiles service) {
    boolean ignored = executor.post(() -> tiles.come(service, nets));
  }

  /** The bundle of tiles goes: its tiles end soon, unless another version takes over. */
  void remove(Tiles service) {
    leave("the end of the tiles", () -> tiles.go(service, nets));
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
              net.again();
              return true;
            });
  }

  List<NetCounter> counters(String name) {
    return of(name, this::counters);
  }

  private List<NetCounter> counters(Net net) {
    List<NetCounter> all = new ArrayList<>();
    net.opened()
        .ifPresent(
            open -> {
              all.addAll(Counters.of(net.name(), open));
              all.addAll(open.published().rows());
            });
    all.addAll(apps.counters(net));
    all.addAll(tenants.counters(net));
    return Counters.merged(all);
  }

  /** Figures of all nets for monitoring. */
  List<Metric> metrics() {
    return call(
        "metrics of the nets",
        () ->
            NetMetrics.of(
                nets.all().stream().map(Net::now).toList(),
                nets.all().stream().flatMap(net -> counters(net).stream()).toList()));
  }

  List<NetRoute> routes(String name) {
    return of(name, net -> net.opened().map(open -> RouteRows.of(open.view())).orElse(List.of()));
  }

  List<NetFinding> explain(String name) {
    return of(
        name,
        net ->
            Stream.concat(
                    new Explanation(net.now(), net.settings(), net.opened(), net.waiting())
                        .findings().stream(),
                    net.prepared().stream())
                .toList());
  }

  List<AppInfo> apps() {
    return call(
        "list of the apps",
        () -> Stream.concat(apps.infos().stream(), tenants.infos().stream()).toList());
  }

  /** A port of a tenant, whose capability is checked. */
  FramePort attach(
      Capability capability,
      String name,
      List<Integer> ports,
      int depth,
      Consumer<FramePort> ended) {
    return of(name, net -> tenants.attach(capability, net, ports, depth, ended));
  }

  /** A port of a tenant, whose capability is checked, for the frames of all apps. */
  FramePort capture(Capability capability, String name, Consumer<FramePort> ended) {
    return of(name, net -> tenants.capture(capability, net, ended));
  }

  /** Capabilities are not valid any more; any thread. */
  void revoked(List<Capability> capabilities) {
    tenants.revoked(capabilities);
  }

  void createApp(String name, Map<String, String> given) {
    change("create " + name, () -> appBook.create(name, given, APPS));
  }

  void startApp(String name, Map<String, String> given) {
    change("start " + name, () -> appBook.start(name, given, APPS));
  }

  void setApp(String name, Map<String, String> changes) {
    change("set " + name, () -> appBook.set(name, changes));
  }

  Map<String, List<Setting>> kinds() {
    return call("kinds of apps", apps::kinds);
  }

  boolean hasApp(String name) {
    return call("find " + name, () -> appBook.all().containsKey(name));
  }

  boolean removeApp(String name) {
    return call(
        "remove " + name,
        () -> {
          boolean deleted = appBook.remove(name);
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
              tenants.close();
              nets.close();
              tileHosts.release();
              return true;
            });
    executor.close();
  }
}
