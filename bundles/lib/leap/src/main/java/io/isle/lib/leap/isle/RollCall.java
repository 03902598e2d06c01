package io.isle.lib.leap.isle;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * A piece of the roll of a ring. The master sends an empty one; each node adds itself to the last
 * piece, or begins another where {@link #MAX_ENTRIES} are in it, and sends all pieces on.
 * Immutable.
 *
 * @param roll number that the master gave
 * @param first place of the first entry in the ring, 0 for the node behind the master
 * @param last whether this is the last piece
 * @param entries nodes in the order of the ring
 */
public record RollCall(long roll, int first, boolean last, List<Entry> entries) {
  /** Bytes before the first entry. */
  public static final int HEADER_BYTES = 16;

  /** Bytes of an entry. */
  public static final int ENTRY_BYTES = 128;

  /** Most entries of a piece: what a datagram holds. */
  public static final int MAX_ENTRIES = 10;

  /** Most nodes of a ring. */
  public static final int MAX_NODES = 256;

  /** Bytes of the largest payload. */
  public static final int MAX_BYTES = HEADER_BYTES + MAX_ENTRIES * ENTRY_BYTES;

  private static final long ROLL = 0;
  private static final long FIRST = 8;
  private static final long COUNT = 10;
  private static final long LAST = 12;
  private static final long ZERO = 13;

  public RollCall {
    entries = List.copyOf(entries);
    if (entries.size() > MAX_ENTRIES) {
      throw new FrameException(entries.size() + " entries are more than " + MAX_ENTRIES);
    }
    if (first < 0 || first + entries.size() > MAX_NODES) {
      throw new FrameException(
          "entries from "
              + first
              + " to "
              + (first + entries.size())
              + ": a ring has at most "
              + MAX_NODES
              + " nodes");
    }
  }

  /**
   * A node of the roll. Immutable.
   *
   * @param node its name
   * @param address address that it listens on; may be empty
   * @param session its session
   * @param role 0 master, 1 worker, 2 tail, 3 relay
   * @param state 0 waiting, 1 running, 2 failed, 3 closed
   * @param start first layer
   * @param end the layer behind the last
   * @param tail its tail flag
   * @param resized whether its layers are those of a RESIZE; else those of its settings
   * @param hopNs round trip to its next node; 0 if not known
   */
  public record Entry(
      String node,
      String address,
      long session,
      int role,
      int state,
      int start,
      int end,
      boolean tail,
      boolean resized,
      long hopNs) {
    private static final long NODE = 0;
    private static final long ADDRESS = 32;
    private static final long SESSION = 96;
    private static final long HOP = 104;
    private static final long START = 112;
    private static final long END = 116;
    private static final long ROLE = 120;
    private static final long STATE = 121;
    private static final long TAIL = 122;
    private static final long RESIZED = 123;
    private static final long ZERO = 124;

    public Entry {
      Fields.requireName("node", node);
      Fields.requireAddress("address", address);
      if (start < 0 || start > end || end > Fields.MAX_LAYERS) {
        throw new FrameException(
            "layers "
                + start
                + " to "
                + end
                + " are not within 0 <= start <= end <= "
                + Fields.MAX_LAYERS);
      }
    }

    private static Entry read(MemorySegment from, long at) {
      Fields.zero("end of an entry", from, at + ZERO, (int) (ENTRY_BYTES - ZERO));
      return new Entry(
          Fields.name("node", from, at + NODE),
          Fields.address("address", from, at + ADDRESS),
          from.get(IsleFrame.U64, at + SESSION),
          Fields.u8("role", from, at + ROLE, Fields.MAX_ROLE),
          Fields.u8("state", from, at + STATE, Fields.MAX_STATE),
          from.get(IsleFrame.U32, at + START),
          from.get(IsleFrame.U32, at + END),
          Fields.u8("tail", from, at + TAIL, 1) == 1,
          Fields.u8("resized", from, at + RESIZED, 1) == 1,
          Fields.u63("hop", from, at + HOP));
    }

    private void write(MemorySegment to, long at) {
      to.asSlice(at, ENTRY_BYTES).fill((byte) 0);
      Fields.text(to, at + NODE, Fields.NAME_BYTES, node);
      Fields.text(to, at + ADDRESS, Fields.ADDRESS_BYTES, address);
      to.set(IsleFrame.U64, at + SESSION, session);
      to.set(IsleFrame.U64, at + HOP, hopNs);
      to.set(IsleFrame.U32, at + START, start);
      to.set(IsleFrame.U32, at + END, end);
      to.set(IsleFrame.U8, at + ROLE, (byte) role);
      to.set(IsleFrame.U8, at + STATE, (byte) state);
      to.set(IsleFrame.U8, at + TAIL, (byte) (tail ? 1 : 0));
      to.set(IsleFrame.U8, at + RESIZED, (byte) (resized ? 1 : 0));
    }
  }

  /** Bytes of the payload. */
  public int bytes() {
    return HEADER_BYTES + entries.size() * ENTRY_BYTES;
  }

  /**
   * Reads a payload.
   *
   * @throws FrameException with the field and its limit
   */
  public static RollCall read(MemorySegment from, long offset, int length) {
    int count = Fields.u16(from, offset + COUNT);
    if (count > MAX_ENTRIES || length != HEADER_BYTES + count * ENTRY_BYTES) {
      throw new FrameException(
          "entries " + count + " are above " + MAX_ENTRIES + ", or not of " + length + " bytes");
    }
    Fields.zero("reserved field of ROLL_CALL", from, offset + ZERO, 3);
    List<Entry> entries = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      entries.add(Entry.read(from, offset + HEADER_BYTES + (long) i * ENTRY_BYTES));
    }
    return new RollCall(
        from.get(IsleFrame.U64, offset + ROLL),
        Fields.u16(from, offset + FIRST),
        Fields.u8("last", from, offset + LAST, 1) == 1,
        entries);
  }

  /** Writes the payload of {@link #bytes}. */
  public void write(MemorySegment to, long offset) {
    to.asSlice(offset, HEADER_BYTES).fill((byte) 0);
    to.set(IsleFrame.U64, offset + ROLL, roll);
    to.set(IsleFrame.U16, offset + FIRST, (short) first);
    to.set(IsleFrame.U16, offset + COUNT, (short) entries.size());
    to.set(IsleFrame.U8, offset + LAST, (byte) (last ? 1 : 0));
    for (int i = 0; i < entries.size(); i++) {
      entries.get(i).write(to, offset + HEADER_BYTES + (long) i * ENTRY_BYTES);
    }
  }

  /**
   * What a node sends on in place of this piece.
   *
   * @return one piece, or two where a last piece is full
   * @throws FrameException if the ring has too many nodes
   */
  public List<RollCall> with(Entry node) {
    if (!last) {
      return List.of(this);
    }
    if (entries.size() < MAX_ENTRIES) {
      List<Entry> more = new ArrayList<>(entries);
      more.add(node);
      return List.of(new RollCall(roll, first, true, more));
    }
    return List.of(
        new RollCall(roll, first, false, entries),
        new RollCall(roll, first + entries.size(), true, List.of(node)));
  }
}
