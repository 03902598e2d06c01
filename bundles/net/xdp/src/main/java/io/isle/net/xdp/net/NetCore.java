package io.isle.net.xdp.net;

import io.isle.api.base.ConfigFiles;
import io.isle.api.base.Setting;
import io.isle.api.net.AppInfo;
import io.isle.api.net.FramePort;
import io.isle.api.net.NetApp;
import io.isle.api.net.NetConfigure;
import io.isle.api.net.NetCounter;
import io.isle.api.net.NetFinding;
import io.isle.api.net.NetInfo;
import io.isle.api.net.NetRoute;
import io.isle.api.net.tile.Tiles;
import io.isle.api.observe.AuditTrail;
import io.isle.api.observe.Metric;
import io.isle.api.tenancy.Capability;
import io.isle.lib.agent.AgentHost;
import io.isle.net.xdp.host.TileHosts;
import io.isle.net.xdp.lab.NetSpaces;
import io.isle.net.xdp.settings.NetSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** The nets of the platform. All changes run on one thread, in their order. Thread-safe. */
final class NetCore implements AutoCloseable {
  private final NetThread thread = new NetThread();
  private final TenantPorts tenants = new TenantPorts(thread.executor());
  private final OfferedTiles tiles = new OfferedTiles(thread.executor());
  private final TileHosts tileHosts;
  private final AppSet apps;
  private final NetSet nets;
  private final NetBook book;
  private final NetFigures figures;
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
    apps = new AppSet(host, this::net);
    nets =
        new NetSet(
            new NetPlatform(
                host,
                thread.executor(),
                spaces,
                tiles::get,
                tileHosts,
                new NetPlatform.Sockets(folder, trail, apps::find),
                hosts,
                new Preparation.Work(() -> configure, this::settings),
                // behind the making of the net, so that its apps find it
                net -> thread.post(() -> apps.opened(net)),
                apps::waiting,
                this::ended));
    book = new NetBook(configs, nets, apps);
    figures = new NetFigures(nets, apps, tenants);
  }

  private List<NetSettings> settings() {
    return nets.all().stream().filter(net -> !net.isClosed()).map(Net::settings).toList();
  }

  private Net net(String name) {
    return nets.find(name).orElse(null);
  }

  /** Before the sockets go. */
  private void ended(Net net) {
    apps.ended(net);
    tenants.ended(net);
  }

  /** The files may have changed. */
  void filesChanged() {
    thread.post(book::refresh);
  }

  /** A kind of apps has come. */
  void add(String kind, NetApp service) {
    thread.post(() -> apps.add(kind, service));
  }

  /** A kind of apps goes: no task of it runs when the call returns. */
  void remove(String kind, NetApp service) {
    thread.leave("the end of the apps " + kind, () -> apps.remove(kind, service));
  }

  /** Nets prepare their interfaces by this service from now on. */
  void add(NetConfigure service) {
    configure = service;
  }

  /** The bundle of tiles has come, maybe in another version: its tiles take over. */
  void add(Tiles service) {
    thread.post(() -> tiles.come(service, nets));
  }

  /** The bundle of tiles goes: its tiles end soon, unless another version takes over. */
  void remove(Tiles service) {
    thread.leave("the end of the tiles", () -> tiles.go(service, nets));
  }

  List<NetInfo> infos() {
    return thread.call("list of the nets", figures::infos);
  }

  Optional<NetInfo> find(String name) {
    return thread.call("find " + name, () -> nets.find(name).map(Net::now));
  }

  void create(String name, Map<String, String> given) {
    thread.run("create " + name, () -> book.create(name, given));
  }

  void set(String name, Map<String, String> changes) {
    thread.run("set " + name, () -> book.set(name, changes));
  }

  boolean has(String name) {
    return thread.call("find " + name, () -> book.has(name));
  }

  boolean remove(String name) {
    return thread.call("remove " + name, () -> book.remove(name));
  }

  private Net present(String name) {
    return nets.find(name).orElseThrow(() -> book.missing(name));
  }

  private <T> T of(String name, Function<Net, T> work) {
    return thread.call(name, () -> work.apply(present(name)));
  }

  void reload(String name) {
    thread.run(name, () -> present(name).again());
  }

  List<NetCounter> counters(String name) {
    return of(name, figures::counters);
  }

  /** Figures of all nets for monitoring. */
  List<Metric> metrics() {
    return thread.call("metrics of the nets", figures::metrics);
  }

  List<NetRoute> routes(String name) {
    return of(name, NetFigures::routes);
  }

  List<NetFinding> explain(String name) {
    return of(name, NetFigures::explain);
  }

  List<AppInfo> apps() {
    return thread.call("list of the apps", figures::apps);
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
    thread.run("create " + name, () -> book.createApp(name, given));
  }

  void startApp(String name, Map<String, String> given) {
    thread.run("start " + name, () -> book.startApp(name, given));
  }

  void setApp(String name, Map<String, String> changes) {
    thread.run("set " + name, () -> book.setApp(name, changes));
  }

  Map<String, List<Setting>> kinds() {
    return thread.call("kinds of apps", apps::kinds);
  }

  boolean hasApp(String name) {
    return thread.call("find " + name, () -> book.hasApp(name));
  }

  boolean removeApp(String name) {
    return thread.call("remove " + name, () -> book.removeApp(name));
  }

  /** Ends all nets. */
  @Override
  public void close() {
    thread.run(
        "the end of the nets",
        () -> {
          apps.close();
          tenants.close();
          nets.close();
          tileHosts.release();
        });
    thread.close();
  }
}
