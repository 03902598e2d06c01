package io.isle.lib.leap.isle;

import io.isle.lib.leap.Packets;
import java.lang.foreign.MemorySegment;

/**
 * The first frame each way of a path: the connecting side sends it, the accepting side replies.
 * Immutable.
 *
 * @param reply whether this is the reply of the accepting side
 * @param ring name of the ring
 * @param node name of the sending node
 * @param role 0 master, 1 worker, 2 tail, 3 relay
 * @param session of the sender, drawn at its start; not 0
 * @param peerSession last session of the receiver that the sender knows; 0 for none
 * @param delivered number of the last frame of {@code peerSession} that was delivered
 * @param packetBytes bytes of the ring's packets
 * @param window most frames that the sender receives without an acknowledgement, 1 to 64
 * @param heartbeatMs time between two heartbeats of the sender, 1 to 60000
 * @param address address that the sender listens on; may be empty
 */
public record Hello(
    boolean reply,
    String ring,
    String node,
    int role,
    long session,
    long peerSession,
    long delivered,
    int packetBytes,
    int window,
    int heartbeatMs,
    String address) {
  /** Bytes of the payload. */
  public static final int BYTES = 176;

  /** Largest window. */
  public static final int MAX_WINDOW = 64;

  /** Longest time between heartbeats. */
  public static final int MAX_HEARTBEAT_MS = 60_000;

  private static final long RING = 0;
  private static final long NODE = 32;
  private static final long SESSION = 64;
  private static final long PEER_SESSION = 72;
  private static final long DELIVERED = 80;
  private static final long PACKET_BYTES = 88;
  private static final long WINDOW = 92;
  private static final long HEARTBEAT_MS = 96;
  private static final long ROLE = 100;
  private static final long REPLY = 101;
  private static final long ZERO = 102;
  private static final long ADDRESS = 104;
  private static final long END = 168;

  public Hello {
    Fields.requireName("ring", ring);
    Fields.requireName("node", node);
    Fields.requireAddress("address", address);
    if (session == 0) {
      throw new FrameException("session is 0");
    }
  }

  /**
   * Reads a payload of {@link #BYTES}.
   *
   * @throws FrameException with the field and its limit
   */
  public static Hello read(MemorySegment from, long offset) {
    Fields.zero("reserved field of HELLO", from, offset + ZERO, 2);
    Fields.zero("end of HELLO", from, offset + END, (int) (BYTES - END));
    return new Hello(
        Fields.u8("reply", from, offset + REPLY, 1) == 1,
        Fields.name("ring", from, offset + RING),
        Fields.name("node", from, offset + NODE),
        Fields.u8("role", from, offset + ROLE, Fields.MAX_ROLE),
        from.get(IsleFrame.U64, offset + SESSION),
        from.get(IsleFrame.U64, offset + PEER_SESSION),
        Fields.u63("delivered", from, offset + DELIVERED),
        Fields.u32("packet_bytes", from, offset + PACKET_BYTES, 1, Packets.MAX_BYTES),
        Fields.u32("window", from, offset + WINDOW, 1, MAX_WINDOW),
        Fields.u32("heartbeat_ms", from, offset + HEARTBEAT_MS, 1, MAX_HEARTBEAT_MS),
        Fields.address("address", from, offset + ADDRESS));
  }

  /** Writes the payload. */
  public void write(MemorySegment to, long offset) {
    to.asSlice(offset, BYTES).fill((byte) 0);
    Fields.text(to, offset + RING, Fields.NAME_BYTES, ring);
    Fields.text(to, offset + NODE, Fields.NAME_BYTES, node);
    to.set(IsleFrame.U64, offset + SESSION, session);
    to.set(IsleFrame.U64, offset + PEER_SESSION, peerSession);
    to.set(IsleFrame.U64, offset + DELIVERED, delivered);
    to.set(IsleFrame.U32, offset + PACKET_BYTES, packetBytes);
    to.set(IsleFrame.U32, offset + WINDOW, window);
    to.set(IsleFrame.U32, offset + HEARTBEAT_MS, heartbeatMs);
    to.set(IsleFrame.U8, offset + ROLE, (byte) role);
    to.set(IsleFrame.U8, offset + REPLY, (byte) (reply ? 1 : 0));
    Fields.text(to, offset + ADDRESS, Fields.ADDRESS_BYTES, address);
  }

  /**
   * Why two nodes cannot be neighbours.
   *
   * @param theirs the peer's HELLO
   * @return empty if they can; else the field and both values
   */
  public String mismatch(Hello theirs) {
    if (!ring.equals(theirs.ring)) {
      return both("ring", ring, theirs.ring);
    }
    if (packetBytes != theirs.packetBytes) {
      return both("packet_bytes", packetBytes, theirs.packetBytes);
    }
    if (session == theirs.session) {
      return "the node is its own neighbour: its address is its own";
    }
    if (node.equals(theirs.node)) {
      return both("node", node, theirs.node) + "; names in a ring are different";
    }
    if (reply == theirs.reply) {
      return reply ? "both sides replied to a HELLO" : "both sides connected";
    }
    return "";
  }

  private static String both(String field, Object ours, Object theirs) {
    return field + ": ours is " + ours + ", the peer's is " + theirs;
  }
}
