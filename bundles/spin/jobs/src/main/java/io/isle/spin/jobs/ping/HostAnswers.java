package io.isle.spin.jobs.ping;

import io.isle.api.spin.ExecutionContext;
import io.isle.api.spin.MemoryRegion;
import io.isle.api.spin.SpinException;
import io.isle.lib.packet.Ethernet;
import io.isle.lib.packet.InternetChecksum;
import io.isle.lib.packet.Ipv4;
import io.isle.spin.jobs.ping.place.PingProtocol;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Completes answers that handlers have turned round: of ICMP type and checksum, of UDP nothing.
 * Closed after its context.
 */
final class HostAnswers implements AutoCloseable {
  private static final int IP = Ethernet.HEADER_BYTES;
  private static final int ICMP_BYTES = 8;
  private static final int TYPE = 0;
  private static final int CHECKSUM = 2;

  private final ExecutionContext context;
  private final PingProtocol protocol;
  private final ExecutorService executor;

  HostAnswers(ExecutionContext context, PingProtocol protocol, String name) {
    this.context = context;
    this.protocol = protocol;
    executor =
        Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("isle-" + name + "-host").factory());
  }

  /** Answers from now on. */
  void begin() {
    context.listen(this::answer, executor);
  }

  private void answer(int hpu, int length) {
    try {
      boolean _ =
          context.respond(hpu, protocol == PingProtocol.ICMP ? complete(hpu, length) : length);
    } catch (SpinException e) {
      // the context recovers or has ended: its packets are lost, as pings without an answer show
      System.getLogger(HostAnswers.class.getName()).log(System.Logger.Level.DEBUG, "no answer", e);
    }
  }

  /** Returns the length of the answer; of what is no request, that of the frame as it is. */
  private int complete(int hpu, int length) {
    byte[] bytes = new byte[length];
    long page = (long) hpu * ExecutionContext.PAGE + ExecutionContext.PAYLOAD;
    context.read(MemoryRegion.HOST, page, bytes);
    MemorySegment frame = MemorySegment.ofArray(bytes);
    int packet = length < IP + Ipv4.MIN_HEADER_BYTES ? 0 : Ipv4.totalLength(frame, IP);
    int icmp = IP + Ipv4.MIN_HEADER_BYTES;
    if (packet < Ipv4.MIN_HEADER_BYTES + ICMP_BYTES || packet > length - IP) {
      return length;
    }
    bytes[icmp + TYPE] = 0;
    bytes[icmp + CHECKSUM] = 0;
    bytes[icmp + CHECKSUM + 1] = 0;
    int checksum = InternetChecksum.of(frame, icmp, packet - Ipv4.MIN_HEADER_BYTES);
    byte[] head = {0, bytes[icmp + 1], (byte) (checksum >>> 8), (byte) checksum};
    context.write(MemoryRegion.HOST, page + icmp, head);
    return IP + packet;
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
