package io.isle.fabric.tcp;

import io.isle.api.fabric.ParkedPort;
import io.isle.api.fabric.PortSpec;
import io.isle.api.fabric.RingPort;
import io.isle.api.fabric.RingSide;
import io.isle.api.fabric.RingTransport;
import io.isle.lib.net.Backoff;
import io.isle.lib.net.Lookup;
import io.isle.lib.net.Names;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;

/** The transport {@code tcp}. Thread-safe; its ports are not. */
@Component(
    service = RingTransport.class,
    property = RingTransport.NAME_PROPERTY + "=" + TcpTransport.NAME)
public final class TcpTransport implements RingTransport {
  static final String NAME = "tcp";

  private final Names names;
  private final Supplier<Vitals> vitals;

  /** A transport of this machine. */
  @Activate
  public TcpTransport() {
    this(Names.SYSTEM, KernelVitals::new);
  }

  TcpTransport(Names names, Supplier<Vitals> vitals) {
    this.names = names;
    this.vitals = vitals;
  }

  @Override
  public RingPort open(PortSpec spec) {
    return spec.side() == RingSide.PREV ? listener(spec) : connector(spec);
  }

  @Override
  public Optional<RingPort> adopt(PortSpec spec, ParkedPort parked) {
    if (spec.side() == RingSide.PREV) {
      TcpListener port = listener(spec);
      return port.adopt(parked) ? Optional.of(port) : Optional.empty();
    }
    TcpConnector port = connector(spec);
    return port.adopt(parked) ? Optional.of(port) : Optional.empty();
  }

  private TcpListener listener(PortSpec spec) {
    TcpSettings settings = TcpSettings.of(spec);
    return new TcpListener(settings, new TcpKernel(vitals.get()), lookup(settings), backoff());
  }

  private TcpConnector connector(PortSpec spec) {
    TcpSettings settings = TcpSettings.of(spec);
    return new TcpConnector(settings, new TcpKernel(vitals.get()), lookup(settings), backoff());
  }

  private Lookup lookup(TcpSettings settings) {
    return new Lookup(settings.address(), names, "isle-fabric-lookup-" + settings.node());
  }

  private static Backoff backoff() {
    return new Backoff(new SplittableRandom());
  }
}
