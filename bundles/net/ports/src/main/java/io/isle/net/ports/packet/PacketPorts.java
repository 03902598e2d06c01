package io.isle.net.ports.packet;

import io.isle.api.base.Errno;
import io.isle.api.net.LabSide;
import io.isle.api.net.Labs;
import io.isle.api.net.NetException;
import io.isle.api.net.port.FramePortFactory;
import io.isle.api.net.port.OpenPort;
import io.isle.api.net.port.PortOptions;
import io.isle.net.ports.port.OpenPorts;
import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/** Scheme {@code packet:[NETNS:]INTERFACE}: an interface of the kernel. */
@Component(immediate = true, property = FramePortFactory.SCHEME + "=" + PacketPorts.NAME)
public final class PacketPorts implements FramePortFactory {
  static final String NAME = "packet";

  private final OpenPorts ports = new OpenPorts();

  @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
  private volatile Labs labs;

  @Activate
  public PacketPorts() {}

  /** With labs, for tests. */
  PacketPorts(Labs labs) {
    this.labs = labs;
  }

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
    String name = NAME + ":" + address;
    PacketAddress place = PacketAddress.parse(name, address);
    PacketAddress found = place.isOfLab() ? place.at(path(name, place)) : place;
    return ports.open(() -> PacketPort.open(name, found, options));
  }

  private String path(String name, PacketAddress place) {
    Labs present = labs;
    List<LabSide> sides = present == null ? List.of() : present.list();
    return sides.stream()
        .filter(side -> side.lab().equals(place.lab()))
        .filter(side -> side.interfaceName().equals(place.interfaceName()))
        .findFirst()
        .map(LabSide::netns)
        .orElseThrow(
            () ->
                new NetException(
                    Errno.ENOENT, name + ": no such interface of a lab; see net:lab list"));
  }
}
