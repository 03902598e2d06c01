package io.isle.fabric.shm;

import io.isle.api.base.Errno;
import io.isle.api.fabric.Dialect;
import io.isle.api.fabric.PortSpec;
import io.isle.api.fabric.RingException;
import io.isle.api.fabric.RingSide;
import io.isle.lib.ffi.SockAddr;
import io.isle.lib.leap.banks.BankLayout;
import io.isle.lib.leap.isle.IsleFrame;
import java.util.regex.Pattern;

/**
 * The checked settings of a port. Immutable.
 *
 * @param side whether the port listens or connects
 * @param name the name that the node listens under, or that of the next node
 */
record ShmSettings(RingSide side, String name) {
  /** Most bytes of a packet. */
  static final int MOST_PACKET = BankLayout.BANK_BYTES - IsleFrame.HEADER_BYTES;

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

  static ShmSettings of(PortSpec spec) {
    String key = spec.side() == RingSide.PREV ? "listen" : "next";
    if (!NAME.matcher(spec.address()).matches()) {
      throw new RingException(
          Errno.EINVAL,
          key
              + ": shm://"
              + spec.address()
              + ": the name needs 1 to 64 letters, digits, '.', '_' and '-', a letter or a digit"
              + " first");
    }
    if (spec.dialect() != Dialect.ISLE) {
      String dialect = spec.side() == RingSide.PREV ? "prev.dialect" : "next.dialect";
      throw new RingException(
          Errno.ENOTSUP,
          key + ": shared memory has no dialect leap; set " + dialect + " = isle on both nodes");
    }
    if (spec.packetBytes() > MOST_PACKET) {
      throw new RingException(
          Errno.EMSGSIZE,
          key
              + ": packets of "
              + spec.packetBytes()
              + " B are too large for shared memory, which carries "
              + MOST_PACKET
              + " B; use tcp:// or udp://");
    }
    return new ShmSettings(spec.side(), spec.address());
  }

  /** The address as in the setting. */
  String address() {
    return "shm://" + name;
  }

  /**
   * The address of the listening socket, in the abstract namespace: no file stays behind a killed
   * process, and nodes of several instances find each other without a common folder.
   */
  SockAddr socket(int user) {
    SockAddr address = new SockAddr();
    address.unix("isle-ring-" + Integer.toUnsignedString(user) + "-" + name);
    return address;
  }
}
