package io.isle.net.xdp.bpf;

import io.isle.api.net.FrameMatch;
import io.isle.lib.packet.Ethernet;
import io.isle.lib.packet.Gre;
import io.isle.lib.packet.Ipv4;
import io.isle.lib.packet.Udp;

/**
 * The program of a net: frames that match go to the socket of their queue, all others to the
 * kernel. It looks at the type, the header lengths of IPv4, the protocols, the destination and the
 * port; the rest is for the tile.
 */
public final class RedirectProgram {
  /** Verdict that gives a frame to the kernel; also the flag for a queue without a socket. */
  private static final int PASS = 2;

  private static final int LOOKUP = 1;
  private static final int REDIRECT_MAP = 51;

  // of struct xdp_md
  private static final int DATA = 0;
  private static final int DATA_END = 4;
  private static final int QUEUE = 16;

  private static final int TYPE = 12;
  private static final int PROTOCOL = 9;
  private static final int DESTINATION = 16;
  private static final int PORT = 2;

  private static final String TO_KERNEL = "pass";
  private static final String TO_SOCKET = "redirect";
  private static final String DATAGRAM = "udp";
  private static final String END = "end";

  private RedirectProgram() {}

  /**
   * A program whose only map is that of the sockets.
   *
   * @param sockets descriptor of an XSKMAP by queue
   */
  public static long[] of(FrameMatch match, int sockets) {
    Assembler to = classify(match);
    return redirect(to, sockets).exit().assemble();
  }

  /**
   * A program that counts matching frames of queues without a socket.
   *
   * @param sockets descriptor of an XSKMAP by queue
   * @param misses descriptor of an array of 64-bit counters by queue
   * @param queues counters; a queue beyond the last counter counts there
   */
  public static long[] counting(FrameMatch match, int sockets, int misses, int queues) {
    Assembler to = classify(match);
    to.load(Op.W, Register.R6, Register.R1, QUEUE);
    return redirect(to, sockets)
        .jumpIf(Op.JNE, Register.R0, PASS, END)
        .jumpIf(Op.JLT, Register.R6, queues, "known")
        .move(Register.R6, queues - 1)
        .label("known")
        .store(Op.W, Register.R10, -4, Register.R6)
        .move(Register.R2, Register.R10)
        .add(Register.R2, -4)
        .loadMap(Register.R1, misses)
        .call(LOOKUP)
        .jumpIf(Op.JEQ, Register.R0, 0, "counted")
        .move(Register.R1, 1)
        .atomicAdd(Register.R0, 0, Register.R1)
        .label("counted")
        .move(Register.R0, PASS)
        .label(END)
        .exit()
        .assemble();
  }

  /** r1: the context. Ends behind the label of the redirect. */
  private static Assembler classify(FrameMatch match) {
    Assembler to =
        new Assembler()
            .load(Op.W, Register.R2, Register.R1, DATA)
            .load(Op.W, Register.R3, Register.R1, DATA_END);
    within(to, Register.R2, Ethernet.HEADER_BYTES + Ipv4.MIN_HEADER_BYTES)
        .load(Op.H, Register.R5, Register.R2, TYPE)
        .jumpIf(Op.JNE, Register.R5, network16(Ethernet.TYPE_IPV4), TO_KERNEL)
        .add(Register.R2, Ethernet.HEADER_BYTES);
    behindHeader(to).load(Op.B, Register.R5, Register.R2, PROTOCOL);
    if (match.gre()) {
      to.jumpIf(Op.JEQ, Register.R5, Ipv4.PROTOCOL_UDP, DATAGRAM)
          .jumpIf(Op.JNE, Register.R5, Ipv4.PROTOCOL_GRE, TO_KERNEL);
      innerHeader(to).load(Op.B, Register.R5, Register.R2, PROTOCOL);
    }
    to.jumpIf(Op.JNE, Register.R5, Ipv4.PROTOCOL_UDP, TO_KERNEL).label(DATAGRAM);
    match
        .address()
        .ifPresent(
            address ->
                to.load(Op.W, Register.R5, Register.R2, DESTINATION)
                    .jumpIf32(Op.JNE, Register.R5, Integer.reverseBytes(address), TO_KERNEL));
    within(to, Register.R4, Udp.HEADER_BYTES).load(Op.H, Register.R5, Register.R4, PORT);
    for (int port : match.ports()) {
      to.jumpIf(Op.JEQ, Register.R5, network16(port), TO_SOCKET);
    }
    return to.label(TO_KERNEL).move(Register.R0, PASS).exit().label(TO_SOCKET);
  }

  /** r4: the header of GRE. Afterwards r2 is that of the inner IPv4, and r4 behind it. */
  private static Assembler innerHeader(Assembler to) {
    within(to, Register.R4, Gre.HEADER_BYTES + Ipv4.MIN_HEADER_BYTES)
        // flags and version are 0, and IPv4 follows
        .load(Op.H, Register.R5, Register.R4, 0)
        .jumpIf(Op.JNE, Register.R5, 0, TO_KERNEL)
        .load(Op.H, Register.R5, Register.R4, 2)
        .jumpIf(Op.JNE, Register.R5, network16(Ethernet.TYPE_IPV4), TO_KERNEL)
        .move(Register.R2, Register.R4)
        .add(Register.R2, Gre.HEADER_BYTES);
    return behindHeader(to);
  }

  /** r2: a header of IPv4, behind which r4 points then. */
  private static Assembler behindHeader(Assembler to) {
    return to.load(Op.B, Register.R4, Register.R2, 0)
        .and(Register.R4, 0xF)
        .jumpIf(Op.JLT, Register.R4, Ipv4.MIN_HEADER_BYTES / 4, TO_KERNEL)
        .shiftLeft(Register.R4, 2)
        .add(Register.R4, Register.R2);
  }

  /** r3: the end of the frame. Afterwards the verifier permits to read so many bytes. */
  private static Assembler within(Assembler to, Register begin, int bytes) {
    return to.move(Register.R5, begin)
        .add(Register.R5, bytes)
        .jumpIf(Op.JGT, Register.R5, Register.R3, TO_KERNEL);
  }

  /** r1: the context. Afterwards r0 is the verdict. */
  private static Assembler redirect(Assembler to, int sockets) {
    return to.load(Op.W, Register.R2, Register.R1, QUEUE)
        .loadMap(Register.R1, sockets)
        .move(Register.R3, PASS)
        .call(REDIRECT_MAP);
  }

  /** A 16-bit number of the network, as a little-endian machine loads it. */
  private static int network16(int value) {
    return Short.toUnsignedInt(Short.reverseBytes((short) value));
  }
}
