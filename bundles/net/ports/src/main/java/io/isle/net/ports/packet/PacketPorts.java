package io.isle.net.ports.packet;

import io.isle.api.net.port.FramePortFactory;
import io.isle.api.net.port.OpenPort;
import io.isle.api.net.port.PortOptions;
import io.isle.net.ports.port.OpenPorts;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;

/** Scheme {@code packet:[NETNS:]INTERFACE}: an interface of the kernel. */
@Component(immediate = true, property = FramePortFactory.SCHEME + "=" + PacketPorts.NAME)
public final class PacketPorts implements FramePortFactory {
  static final String NAME = "packet";

  private final OpenPorts ports = new OpenPorts();

  @Activate
  public PacketPorts() {}

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
    return ports.open(() -> PacketPort.open(address, options));
  }
}
