package io.isle.spin.jobs.ping.place;

import io.isle.api.jobs.JobException;
import io.isle.api.spin.NicSpec;
import io.isle.api.spin.TemporaryNic;
import io.isle.lib.net.ping.PingClient;
import java.util.Optional;

/**
 * An interface on a port of UDP, which needs no rights. The host is a socket beside the interface,
 * as such a port passes nothing on.
 */
public final class UdpPlace implements PingPlace {
  private static final int LOOPBACK = 0x7F000001;
  private static final int TRIES = 5;

  private final Closings closings = new Closings();
  private final String name;
  private final int handlers;
  private final int host;

  public UdpPlace(PingServices services, String name, String device) {
    this.name = name;
    UdpEcho echo = new UdpEcho(Optional.empty(), LOOPBACK, 0, name);
    closings.add(echo::close);
    host = echo.port();
    try {
      handlers = make(services, device, TRIES);
    } catch (RuntimeException e) {
      try (closings) {
        throw e;
      }
    }
  }

  /** Makes the interface on a free port, which another process may take before. */
  private int make(PingServices services, String device, int tries) {
    int port = free();
    NicSpec spec = new NicSpec(name, device, "udp:127.0.0.1:" + port, "");
    try {
      TemporaryNic nic = StepNic.make(services, spec);
      closings.add(nic::close);
      return port;
    } catch (JobException e) {
      if (tries == 1) {
        throw e;
      }
      return make(services, device, tries - 1);
    }
  }

  private int free() {
    try (UdpEcho taken = new UdpEcho(Optional.empty(), LOOPBACK, 0, name)) {
      return taken.port();
    }
  }

  @Override
  public boolean isLab() {
    return false;
  }

  @Override
  public String nic() {
    return name;
  }

  @Override
  public PingClient client(PingProtocol protocol, boolean toHost, int most) {
    return PingClient.udp(Optional.empty(), LOOPBACK, toHost ? host : handlers, most);
  }

  @Override
  public void close() {
    closings.close();
  }
}
