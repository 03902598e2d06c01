package io.isle.net.apps;

import io.isle.api.base.Errno;
import io.isle.api.net.FramePort;
import io.isle.api.net.FrameSource;
import io.isle.api.net.NetAppTask;
import io.isle.lib.packet.Drop;
import io.isle.lib.packet.Ethernet;
import io.isle.lib.packet.InternetChecksum;
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
    int sender = Ipv4.source(memory, ip);
    int receiver = Ipv4.destination(memory, ip);
    // an answer to a group has no address of its own to come from
    if (Ipv4.isMulticast(receiver) || receiver == -1) {
      return IGNORED;
    }
    if (Udp.checksum(memory, udp) == begun(sender, receiver, Udp.length(memory, udp))) {
      Udp.checksum(memory, udp, Udp.computed(memory, ip, udp));
    }
    Ethernet.addresses(memory, at, Ethernet.source(memory, at), Ethernet.destination(memory, at));
    // the sums of both checksums do not depend on the order
    Ipv4.source(memory, ip, receiver);
    Ipv4.destination(memory, ip, sender);
    int senderPort = Udp.sourcePort(memory, udp);
    int checksum = Udp.checksum(memory, udp);
    int receiverPort = Udp.destinationPort(memory, udp);
    Udp.write(memory, udp, receiverPort, senderPort, Udp.length(memory, udp));
    Udp.checksum(memory, udp, checksum);
    length = bytes;
    signature = NetSig.of(sender, sender, senderPort, 0, (int) (udp - at) + Udp.HEADER_BYTES);
    return SENT;
  }

  /**
   * A checksum of addresses, protocol and length alone: a sender of this machine leaves the rest to
   * a device. A right checksum of the same number is computed again, and stays.
   */
  private static int begun(int source, int destination, int datagram) {
    int sum = halves(source) + halves(destination) + Ipv4.PROTOCOL_UDP + datagram;
    return ~InternetChecksum.finish(sum) & 0xFFFF;
  }

  private static int halves(int address) {
    return (address >>> Short.SIZE) + (address & 0xFFFF);
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
