package io.isle.fabric.udp;

import io.isle.api.fabric.Dialect;
import io.isle.api.fabric.ParkedPort;
import io.isle.api.fabric.PortSpec;
import io.isle.api.fabric.RingPort;
import io.isle.api.fabric.RingSide;
import io.isle.api.fabric.RingTransport;
import io.isle.lib.ffi.HostPort;
import io.isle.lib.net.Backoff;
import io.isle.lib.net.Lookup;
import io.isle.lib.net.Names;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;

/** The transport {@code udp}. Thread-safe; its ports are not. */
@Component(
    service = RingTransport.class,
    property = RingTransport.NAME_PROPERTY + "=" + UdpTransport.NAME)
public final class UdpTransport implements RingTransport {
  static final String NAME = "udp";

  /** A node and the address where it listens. */
  private record Place(String node, HostPort address) {}

  private final Names names;
  private final Supplier<Datagrams> calls;
  private final Map<Place, NodeSocket> sockets = new HashMap<>();

  /** A transport of this machine. */
  @Activate
  public UdpTransport() {
    this(Names.SYSTEM, KernelDatagrams::new);
  }

  UdpTransport(Names names, Supplier<Datagrams> calls) {
    this.names = names;
    this.calls = calls;
  }

  @Override
  public RingPort open(PortSpec spec) {
    UdpSettings settings = UdpSettings.of(spec);
    return spec.side() == RingSide.PREV ? previous(settings) : next(settings);
  }

  @Override
  public Optional<RingPort> adopt(PortSpec spec, ParkedPort parked) {
    UdpSettings settings = UdpSettings.of(spec);
    if (spec.side() == RingSide.PREV) {
      PreviousPort port = previous(settings);
      return kept(port, port.adopt(parked));
    }
    NextPort port = next(settings);
    return kept(port, port.adopt(parked));
  }

  private static Optional<RingPort> kept(UdpPort port, boolean adopted) {
    if (!adopted) {
      port.close();
    }
    return adopted ? Optional.of(port) : Optional.empty();
  }

  private PreviousPort previous(UdpSettings settings) {
    Optional<Lookup> only = settings.source().map(host -> lookup(settings, host));
    return new PreviousPort(
        settings,
        new UdpKernel(calls.get()),
        socket(settings, settings.address()),
        new Source(settings, only, backoff()));
  }

  private NextPort next(UdpSettings settings) {
    UdpKernel kernel = new UdpKernel(calls.get());
    Optional<HostPort> shared = settings.local().filter(any -> settings.dialect() == Dialect.LEAP);
    Target target =
        new Target(
            settings.address(), settings.rules(), lookup(settings, settings.address()), backoff());
    NextSocket socket =
        new NextSocket(shared.map(local -> socket(settings, local)), kernel, settings);
    return new NextPort(settings, kernel, socket, target, backoff());
  }

  /** The socket of a node, which the port that asks has joined. */
  private NodeSocket socket(UdpSettings settings, HostPort local) {
    Place place = new Place(settings.node(), local);
    synchronized (sockets) {
      NodeSocket socket =
          sockets.computeIfAbsent(
              place,
              any ->
                  new NodeSocket(
                      local, lookup(settings, local), backoff(), calls.get(), this::forget));
      socket.join(settings);
      return socket;
    }
  }

  /** The last port of a node has gone. */
  private void forget(NodeSocket socket) {
    synchronized (sockets) {
      sockets.values().removeIf(any -> any == socket && any.isUnused());
    }
  }

  private Lookup lookup(UdpSettings settings, HostPort host) {
    return new Lookup(host, names, "isle-fabric-lookup-" + settings.node());
  }

  private static Backoff backoff() {
    return new Backoff(new SplittableRandom());
  }
}
