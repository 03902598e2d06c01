package io.isle.net.ports.udp;

import io.isle.api.net.port.FramePortFactory;
import io.isle.api.net.port.OpenPort;
import io.isle.api.net.port.PortOptions;
import io.isle.net.ports.port.OpenPorts;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;

/** Scheme {@code udp:ADDRESS:PORT}: datagrams with headers around them. */
@Component(immediate = true, property = FramePortFactory.SCHEME + "=" + UdpPorts.NAME)
public final class UdpPorts implements FramePortFactory {
  static final String NAME = "udp";

  private final OpenPorts ports = new OpenPorts();

  @Activate
  public UdpPorts() {}

  @Deactivate
  void deactivate() {
    ports.end();
  }

  @Override
  public String scheme() {
    return NAME;
  }

  @Override
  public OpenPort open(String address, PortOptions options) {
    return ports.open(() -> UdpPort.open(address, options));
  }
}
