package io.isle.net.apps;

import io.isle.api.base.Errno;
import io.isle.api.net.FramePort;
import io.isle.api.net.FrameSource;
import io.isle.api.net.NetAppTask;
import io.isle.lib.packet.Drop;
import io.isle.lib.packet.Ipv4;
import io.isle.lib.packet.NetSig;
import io.isle.lib.packet.Udp;
import io.isle.lib.packet.UdpFrame;
import java.lang.foreign.MemorySegment;
import java.util.Map;

/**
 * Sends datagrams back. A frame is copied once, from its place to where it is sent from. No frame
 * is taken while none can be sent.
 */
final class EchoTask implements NetAppTask {
  private static final int BURST = 64;
  private static final int NOTHING = -1;

  private static final int RECEIVED = 0;
  private static final int SENT = 1;
  private static final int IGNORED = 2;
  private static final int TOO_LONG = 3;

  private final FramePort port;
  private final MemorySegment memory;
  private final Tally tally = new Tally("received", "sent", "ignored", "too_long");
  private final FrameSource.PlaceHandler handler = new Echo();
  private int outcome = NOTHING;
  private int length;
  private long signature;
  private boolean closed;

  EchoTask(FramePort port) {
    this.port = port;
    this.memory = port.memory();
  }

  @Override
  public int cycle(long nowNs) {
    if (closed) {
      return -Errno.ECLOSED;
    }
    int taken = 0;
    int sent = 0;
    while (taken < BURST) {
      long room = port.claim(port.mtu());
      int got = room < 0 ? (int) room : port.pollInPlace(handler, 1);
      if (got <= 0) {
        closed = got == -Errno.ECLOSED;
        break;
      }
      taken++;
      sent += outcome == SENT ? send() : 0;
    }
    if (sent > 0) {
      closed |= port.flush() == -Errno.ECLOSED;
    }
    return closed && taken == 0 ? -Errno.ECLOSED : taken;
  }

  private int send() {
    int code = port.publish(length, signature);
    closed |= code == -Errno.ECLOSED;
    return code == 0 ? 1 : 0;
  }

  /** Copies a frame and turns the copy around; what was copied counts only when it was whole. */
  private final class Echo implements FrameSource.PlaceHandler {
    @Override
    public void frame(MemorySegment from, long offset, int bytes, long mark) {
      outcome = bytes > port.mtu() ? TOO_LONG : bytes < UdpFrame.MIN_BYTES ? IGNORED : SENT;
      if (outcome != SENT) {
        return;
      }
      long at = port.claim(bytes);
      MemorySegment.copy(from, offset, memory, at, bytes);
      outcome = turn(at, bytes);
    }

    @Override
    public void valid() {
      tally.add(RECEIVED, 1);
      tally.add(outcome, 1);
    }

    @Override
    public void overrun() {
      outcome = NOTHING;
    }
  }

  private int turn(long at, int bytes) {
    if (UdpFrame.check(memory, at, bytes, false) != Drop.NONE) {
      return IGNORED;
    }
    long ip = UdpFrame.ip(at);
    long udp = UdpFrame.udp(memory, at);
    long addresses = Turn.addresses(memory, ip);
    int receiver = (int) addresses;
    // an answer to a group has no address of its own to come from
    if (Ipv4.isMulticast(receiver) || receiver == -1) {
      return IGNORED;
    }
    // a right checksum of the same number is computed again, and stays
    if (Udp.checksum(memory, udp) == Turn.begun(addresses, Udp.length(memory, udp))) {
      Udp.checksum(memory, udp, Udp.computed(memory, ip, udp));
    }
    Turn.stations(memory, at);
    Turn.addresses(memory, ip, addresses);
    int senderPort = Turn.ports(memory, udp);
    int sender = (int) (addresses >>> Integer.SIZE);
    length = bytes;
    signature = NetSig.of(sender, sender, senderPort, 0, (int) (udp - at) + Udp.HEADER_BYTES);
    return SENT;
  }

  @Override
  public Map<String, Long> counters() {
    Map<String, Long> counters = tally.map();
    counters.put("overruns", port.overruns());
    return counters;
  }

  @Override
  public void close() {
    closed = true;
  }
}
