package io.isle.net.xdp.net;

import io.isle.api.base.Errno;
import io.isle.api.net.AppInfo;
import io.isle.api.net.FramePort;
import io.isle.api.net.NetCounter;
import io.isle.api.net.NetException;
import io.isle.api.tenancy.Capability;
import io.isle.lib.agent.SerialExecutor;
import io.isle.net.xdp.settings.AppSettings;
import io.isle.net.xdp.tap.Overruns;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** The ports of tenants. Belongs to the executor of the nets, but for {@link #revoked}. */
final class TenantPorts {
  private static final String KIND = "tenant";

  private final SerialExecutor executor;
  private final Map<TenantPort, AppSettings> ports = new ConcurrentHashMap<>();

  TenantPorts(SerialExecutor executor) {
    this.executor = executor;
  }

  /**
   * As {@link io.isle.api.net.Nets#attach}, behind the check of the capability.
   *
   * @throws io.isle.api.net.NetException as that
   */
  FramePort attach(
      Capability capability, Net net, List<Integer> taken, int depth, Consumer<FramePort> ended) {
    AppSettings settings =
        AppSettings.of(
            Map.of(
                "kind", KIND,
                "nets", net.name(),
                "ports", taken.stream().map(String::valueOf).collect(Collectors.joining(",")),
                "depth", Integer.toString(depth)));
    if (settings.ports().isEmpty()) {
      throw new NetException(Errno.EINVAL, "ports: none are given; a tenant has 1 to 16");
    }
    AppFeed feed = LinkFeed.of(net, name(capability), settings).getFirst();
    return opened(new TenantPort(net, capability, feed, this::close, ended), settings);
  }

  /** As {@link io.isle.api.net.Nets#capture}, behind the check of the capability. */
  FramePort capture(Capability capability, Net net, Consumer<FramePort> ended) {
    AppSettings settings = AppSettings.of(Map.of("kind", KIND, "nets", net.name()));
    return opened(new TenantPort(net, capability, new TapFeed(net), this::close, ended), settings);
  }

  private FramePort opened(TenantPort port, AppSettings settings) {
    ports.put(port, settings);
    // a tenant has a thread of its own, which nothing wakes
    port.feed().begin(Optional.empty(), Optional.empty());
    if (!port.capability().valid()) {
      // it was revoked behind the check
      end(port);
    }
    return port;
  }

  private static String name(Capability capability) {
    return KIND + ":" + capability.tenant();
  }

  private void close(TenantPort port) {
    boolean ignored = executor.post(() -> end(port));
  }

  private void end(TenantPort port) {
    if (ports.remove(port) != null) {
      port.end();
    }
  }

  /** A net closes its sockets. */
  void ended(Net net) {
    List.copyOf(ports.keySet()).stream().filter(one -> one.net() == net).forEach(this::end);
  }

  /** The ports of these capabilities end soon; any thread. */
  void revoked(List<Capability> capabilities) {
    for (TenantPort port : ports.keySet()) {
      if (capabilities.stream().anyMatch(one -> one.id() == port.capability().id())) {
        port.close();
      }
    }
  }

  void close() {
    List.copyOf(ports.keySet()).forEach(this::end);
  }

  List<AppInfo> infos() {
    return ports.entrySet().stream()
        .map(one -> info(one.getKey(), one.getValue()))
        .sorted((a, b) -> a.name().compareTo(b.name()))
        .toList();
  }

  private static AppInfo info(TenantPort port, AppSettings settings) {
    Overruns lost = port.feed().lost();
    return new AppInfo(
        name(port.capability()),
        KIND,
        settings.nets(),
        settings.ports(),
        settings.instances(),
        true,
        "",
        port.feed().received(),
        port.feed().sent(),
        lost.polling(),
        lost.reading());
  }

  /** Counters of all tenants on a net. */
  List<NetCounter> counters(Net net) {
    return ports.keySet().stream()
        .filter(one -> one.net() == net)
        .flatMap(
            one ->
                AppCounters.of(net.name(), name(one.capability()), one.feed(), Map.of()).stream())
        .toList();
  }
}
