package io.isle.fabric.ring.isle;

import io.isle.api.fabric.BankPort;
import io.isle.api.fabric.DatagramPort;
import io.isle.api.fabric.RingPort;
import io.isle.api.fabric.StreamPort;
import io.isle.fabric.ring.link.LinkMeter;
import java.lang.foreign.Arena;

/** The wire of each kind of port. */
final class Wires {
  private Wires() {}

  /** A wire for a port; the one of before if it fits. */
  static Wire of(RingPort port, Wire before, IsleSpec spec, Arena arena, LinkMeter meter) {
    return switch (port) {
      case StreamPort stream -> before instanceof StreamWire ? before : new StreamWire(spec, arena);
      case BankPort banks -> before instanceof BankWire ? before : new BankWire(spec, arena);
      case DatagramPort datagrams ->
          before instanceof DatagramWire ? before : new DatagramWire(spec, meter, arena);
    };
  }
}
