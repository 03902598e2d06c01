package io.isle.fabric.shm;

import io.isle.api.fabric.ParkedPort;
import io.isle.api.fabric.PortSpec;
import io.isle.api.fabric.RingPort;
import io.isle.api.fabric.RingSide;
import io.isle.api.fabric.RingTransport;
import io.isle.lib.net.Backoff;
import java.util.Optional;
import java.util.SplittableRandom;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;

/** The transport {@code shm}. Thread-safe; its ports are not. */
@Component(
    service = RingTransport.class,
    property = RingTransport.NAME_PROPERTY + "=" + ShmTransport.NAME)
public final class ShmTransport implements RingTransport {
  static final String NAME = "shm";

  private final Users users;

  /** A transport of this machine. */
  @Activate
  public ShmTransport() {
    this(Users.SYSTEM);
  }

  ShmTransport(Users users) {
    this.users = users;
  }

  @Override
  public RingPort open(PortSpec spec) {
    ShmSettings settings = ShmSettings.of(spec);
    return settings.side() == RingSide.PREV ? listener(settings) : connector(settings);
  }

  @Override
  public Optional<RingPort> adopt(PortSpec spec, ParkedPort parked) {
    ShmSettings settings = ShmSettings.of(spec);
    if (settings.side() == RingSide.PREV) {
      ShmListener port = listener(settings);
      return port.adopt(parked) ? Optional.of(port) : Optional.empty();
    }
    ShmConnector port = connector(settings);
    return port.adopt(parked) ? Optional.of(port) : Optional.empty();
  }

  private ShmListener listener(ShmSettings settings) {
    ShmKernel kernel = new ShmKernel(users);
    return new ShmListener(settings, kernel, backoff(), handshake(settings, kernel));
  }

  private ShmConnector connector(ShmSettings settings) {
    ShmKernel kernel = new ShmKernel(users);
    return new ShmConnector(settings, kernel, backoff(), handshake(settings, kernel));
  }

  private static Handshake handshake(ShmSettings settings, ShmKernel kernel) {
    return new Handshake(settings, kernel, new SplittableRandom().nextLong());
  }

  private static Backoff backoff() {
    return new Backoff(new SplittableRandom());
  }
}
