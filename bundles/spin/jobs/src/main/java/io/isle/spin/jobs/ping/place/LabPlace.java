package io.isle.spin.jobs.ping.place;

import io.isle.api.net.LabSide;
import io.isle.api.spin.NicSpec;
import io.isle.lib.net.ping.PingClient;
import io.isle.lib.packet.Ipv4;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A lab with three parts: the client's side, the interface with handlers in the middle, and a host
 * behind it that receives what handlers do not take.
 */
public final class LabPlace implements PingPlace {
  private static final int PORT = 9000;

  private final Closings closings = new Closings();
  private final String name;
  private final Path client;
  private final int host;

  /**
   * Makes the lab and the interface.
   *
   * @throws io.isle.api.net.NetException EPERM without root
   */
  public LabPlace(PingServices services, String name, String device) {
    this.name = name;
    List<LabSide> sides = services.labs().createWithHost(name, 1);
    closings.add(() -> services.labs().delete(name));
    try {
      client = Path.of(side(sides, "a").netns());
      LabSide behind = side(sides, "host");
      host = Ipv4.parse(behind.address());
      closings.add(new UdpEcho(Optional.of(Path.of(behind.netns())), host, PORT, name)::close);
      closings.add(
          StepNic.make(services, new NicSpec(name, device, port("vb"), port("ha")))::close);
    } catch (RuntimeException e) {
      try (closings) {
        throw e;
      }
    }
  }

  private static LabSide side(List<LabSide> sides, String name) {
    return sides.stream().filter(side -> side.side().equals(name)).findFirst().orElseThrow();
  }

  private String port(String interfaceName) {
    return "packet:lab:" + name + ":" + interfaceName;
  }

  @Override
  public boolean isLab() {
    return true;
  }

  @Override
  public String nic() {
    return name;
  }

  @Override
  public PingClient client(PingProtocol protocol, boolean toHost, int most) {
    return protocol == PingProtocol.ICMP
        ? PingClient.icmp(Optional.of(client), host, most)
        : PingClient.udp(Optional.of(client), host, PORT, most);
  }

  @Override
  public void close() {
    closings.close();
  }
}
