package io.isle.net.apps;

import io.isle.lib.packet.Ethernet;
import io.isle.lib.packet.Udp;
import io.isle.lib.packet.UdpFrame;
import java.lang.foreign.MemorySegment;

/** Frames of a test. */
final class Frames {
  static final int CLIENT = 0xC6120001;
  static final int SERVER = 0xC6120002;
  static final int CLIENT_PORT = 40_000;
  static final int SERVER_PORT = 9000;
  static final long CLIENT_MAC = 0x02_00_00_00_00_01L;
  static final long SERVER_MAC = 0x02_00_00_00_00_02L;

  private Frames() {}

  /** From the client to the server, with a checksum. */
  static byte[] request(int payload) {
    return request(payload, SERVER);
  }

  static byte[] request(int payload, int destination) {
    byte[] bytes = new byte[UdpFrame.MIN_BYTES + payload];
    MemorySegment frame = MemorySegment.ofArray(bytes);
    for (int i = UdpFrame.MIN_BYTES; i < bytes.length; i++) {
      bytes[i] = (byte) (i * 7);
    }
    UdpFrame.write(frame, 0, CLIENT, CLIENT_PORT, destination, SERVER_PORT, payload);
    Ethernet.addresses(frame, 0, SERVER_MAC, CLIENT_MAC);
    long udp = UdpFrame.udp(frame, 0);
    Udp.checksum(frame, udp, Udp.computed(frame, UdpFrame.ip(0), udp));
    return bytes;
  }
}
