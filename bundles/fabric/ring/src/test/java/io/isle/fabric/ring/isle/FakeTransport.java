package io.isle.fabric.ring.isle;

import io.isle.api.fabric.ParkedPort;
import io.isle.api.fabric.PortSpec;
import io.isle.api.fabric.RingPort;
import io.isle.api.fabric.RingTransport;
import java.util.Map;
import java.util.Optional;

/**
 * A version of a transport in virtual time.
 *
 * @param paths by the address of the listening side
 * @param adopts whether this version knows the format of what the one before has parked
 */
record FakeTransport(Map<String, FakePath> paths, boolean adopts) implements RingTransport {
  @Override
  public RingPort open(PortSpec spec) {
    FakePort port = port(spec);
    port.reopen();
    return port.kind();
  }

  @Override
  public Optional<RingPort> adopt(PortSpec spec, ParkedPort parked) {
    return adopts && parked.format().equals(FakePort.FORMAT)
        ? Optional.of(port(spec).kind())
        : Optional.empty();
  }

  private FakePort port(PortSpec spec) {
    return paths.get(spec.address()).port(spec.side());
  }
}
