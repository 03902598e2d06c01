package io.isle.net.xdp.bpf;

import io.isle.api.net.FrameMatch;

/** Which frames a net takes from the kernel, in plain words. */
final class FrameModel {
  private FrameModel() {}

  static boolean matches(byte[] frame, FrameMatch match) {
    if (frame.length < 34 || u16(frame, 12) != 0x0800) {
      return false;
    }
    int ip = 14;
    int next = behind(frame, ip);
    if (next >= 0 && match.gre() && (frame[ip + 9] & 0xFF) == 47) {
      if (frame.length < next + 24 || u16(frame, next) != 0 || u16(frame, next + 2) != 0x0800) {
        return false;
      }
      ip = next + 4;
      next = behind(frame, ip);
    }
    if (next < 0 || (frame[ip + 9] & 0xFF) != 17 || frame.length < next + 8) {
      return false;
    }
    int destination = u16(frame, ip + 16) << 16 | u16(frame, ip + 18);
    return (match.address().isEmpty() || match.address().getAsInt() == destination)
        && match.ports().contains(u16(frame, next + 2));
  }

  /** Offset behind a header of IPv4; -1 for a header that is too short. */
  private static int behind(byte[] frame, int ip) {
    int words = frame[ip] & 0xF;
    return words < 5 ? -1 : ip + 4 * words;
  }

  private static int u16(byte[] frame, int at) {
    return (frame[at] & 0xFF) << 8 | frame[at + 1] & 0xFF;
  }
}
