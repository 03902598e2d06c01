package io.isle.net.xdp.net;

import io.isle.api.net.AppInfo;
import io.isle.api.net.NetCounter;
import io.isle.api.net.NetFinding;
import io.isle.api.net.NetInfo;
import io.isle.api.net.NetRoute;
import io.isle.api.observe.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What users and monitoring see of nets, apps and tenants. Belongs to {@link NetThread}. */
final class NetFigures {
  private final NetSet nets;
  private final AppSet apps;
  private final TenantPorts tenants;

  NetFigures(NetSet nets, AppSet apps, TenantPorts tenants) {
    this.nets = nets;
    this.apps = apps;
    this.tenants = tenants;
  }

  List<NetInfo> infos() {
    return nets.all().stream().map(Net::now).toList();
  }

  List<NetCounter> counters(Net net) {
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

  List<Metric> metrics() {
    return NetMetrics.of(
        infos(), nets.all().stream().flatMap(net -> counters(net).stream()).toList());
  }

  static List<NetRoute> routes(Net net) {
    return net.opened().map(open -> RouteRows.of(open.view())).orElse(List.of());
  }

  static List<NetFinding> explain(Net net) {
    return Stream.concat(
            new Explanation(net.now(), net.settings(), net.opened(), net.waiting())
                .findings().stream(),
            net.prepared().stream())
        .toList();
  }

  List<AppInfo> apps() {
    return Stream.concat(apps.infos().stream(), tenants.infos().stream()).toList();
  }
}
