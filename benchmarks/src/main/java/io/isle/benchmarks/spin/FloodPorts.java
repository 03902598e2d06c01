package io.isle.benchmarks.spin;

import io.isle.api.net.port.FramePortFactory;
import io.isle.api.net.port.OpenPort;
import io.isle.api.net.port.PortOptions;

/** Ports in memory whose packets never end. */
final class FloodPorts implements FramePortFactory {
  /** How their addresses begin. */
  static final String NAME = "flood";

  @Override
  public String scheme() {
    return NAME;
  }

  @Override
  public OpenPort open(String address, PortOptions options) {
    return new FloodPort(NAME + ":" + address, options.mtu());
  }
}
