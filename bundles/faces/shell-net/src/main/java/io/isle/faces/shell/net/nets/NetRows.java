package io.isle.faces.shell.net.nets;

import io.isle.api.base.Errno;
import io.isle.api.net.AppInfo;
import io.isle.api.net.NetAdmin;
import io.isle.api.net.NetException;
import io.isle.api.net.NetInfo;
import io.isle.api.net.TileInfo;
import io.isle.faces.shell.Services;
import io.isle.faces.shell.Table;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/** Nets and apps as rows of a table. */
final class NetRows {
  private NetRows() {}

  /**
   * The net of a name, or all.
   *
   * @param name null for all
   */
  static List<NetInfo> named(Services services, String name) {
    return services.with(
        NetAdmin.class,
        admin ->
            name == null
                ? admin.nets()
                : List.of(admin.find(name).orElseThrow(() -> missing(name))));
  }

  private static NetException missing(String name) {
    return new NetException(
        Errno.ENOENT,
        "no net '"
            + (name.length() > 40 ? name.substring(0, 40) + "..." : name)
            + "'; see net:list");
  }

  static Table<NetInfo> list() {
    return new Table<NetInfo>("No nets; net:create NAME interface=IF makes one.")
        .column("net", NetInfo::name)
        .whole()
        .column("interface", NetInfo::interfaceName)
        .whole()
        .column("netns", net -> net.namespace().isEmpty() ? null : net.namespace())
        .spare()
        .column("state", net -> net.state().text())
        .whole()
        .column("mode", net -> net.mode().isEmpty() ? null : net.mode())
        .column("placement", ProcessRows::placement)
        .column("tiles", net -> net.tiles().size())
        .column("ports", "ports", NetInfo::ports, any -> ports(any))
        .column("seen", net -> sum(net, TileInfo::seen))
        .column("passed", net -> sum(net, TileInfo::passed))
        .column("dropped", net -> sum(net, TileInfo::dropped))
        .column("sent", net -> sum(net, TileInfo::sent))
        .column("reason", net -> net.reason().isEmpty() ? null : net.reason());
  }

  private static long sum(NetInfo net, ToLongFunction<TileInfo> figure) {
    return net.tiles().stream().mapToLong(figure).sum();
  }

  private static String ports(Object ports) {
    return ports instanceof List<?> list
        ? list.stream().map(String::valueOf).collect(Collectors.joining(","))
        : "";
  }

  static Table<AppInfo> apps() {
    return new Table<AppInfo>(
            "No apps; net:app-create NAME kind=KIND nets=NET ports=PORT makes one.")
        .column("app", AppInfo::name)
        .whole()
        .column("kind", AppInfo::kind)
        .column("nets", "nets", AppInfo::nets, any -> ports(any))
        .column("ports", "ports", AppInfo::ports, any -> ports(any))
        .column("instances", AppInfo::instances)
        .column(
            "running", "running", AppInfo::running, any -> Boolean.TRUE.equals(any) ? "yes" : "no")
        .column("received", AppInfo::received)
        .column("sent", AppInfo::sent)
        .column("overruns_polling", AppInfo::overrunsPolling)
        .column("overruns_reading", AppInfo::overrunsReading)
        .column("reason", app -> app.reason().isEmpty() ? null : app.reason());
  }
}
