package io.isle.net.ports.pcap;

import io.isle.api.net.port.FramePortFactory;
import io.isle.api.net.port.OpenPort;
import io.isle.api.net.port.PortOptions;
import io.isle.net.ports.port.OpenPorts;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;

/** Scheme {@code pcap:FILE}: the frames of a capture file. */
@Component(immediate = true, property = FramePortFactory.SCHEME + "=" + PcapPorts.NAME)
public final class PcapPorts implements FramePortFactory {
  static final String NAME = "pcap";

  private final OpenPorts ports = new OpenPorts();

  @Activate
  public PcapPorts() {}

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
    return ports.open(() -> PcapPort.open(address, options));
  }
}
