package io.isle.lib.ffi;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Datagrams that {@link MessageIo} sends or receives together, each with a range of one scratch
 * memory, an address, and a segment size: the kernel cuts a message that is sent into datagrams of
 * that size (UDP_SEGMENT), and joins datagrams that arrive (UDP_GRO). The scratch memory belongs to
 * the user of the batch: memory of others enters calls as a segment, not here.
 *
 * <p>For one direction: receiving overwrites the addresses. Allocates nothing after construction.
 * One thread at a time.
 */
public final class MessageBatch {
  private static final int LARGEST = 1024;

  /** Structure mmsghdr: msghdr {name, its length, ranges, count, control, its length, flags}. */
  private static final long HEADER_BYTES = 64;

  private static final long NAME = 0;
  private static final long NAME_LENGTH = 8;
  private static final long RANGES = 16;
  private static final long RANGE_COUNT = 24;
  private static final long CONTROL = 32;
  private static final long CONTROL_LENGTH = 40;
  private static final long FLAGS = 48;
  private static final long LENGTH = 56;

  /** Beside each header: the range {address, length} and the control messages. */
  private static final long RANGE_BYTES = 16;

  private static final long CONTROL_BYTES = 48;
  private static final long STRIDE =
      HEADER_BYTES + RANGE_BYTES + SockAddr.INET_BYTES + CONTROL_BYTES;

  /** Structure cmsghdr {u64 length, int level, int type}, then the data, padded to 8. */
  private static final long CMSG_HEADER = 16;

  private static final long CMSG_SPACE_SEGMENT = 24;
  private static final int SOL_UDP = 17;
  private static final int UDP_SEGMENT = 103;
  private static final int UDP_GRO = 104;
  private static final int SOL_IP = 0;
  private static final int SOL_IPV6 = 41;
  private static final int IP_RECVERR = 11;
  private static final int IPV6_RECVERR = 25;
  private static final int MSG_TRUNC = 0x20;

  private final MemorySegment scratch;
  private final MemorySegment memory;
  private final int capacity;
  private final SockAddr[] addresses;
  private final int[] segmentSizes;

  /**
   * A batch of empty messages without addresses.
   *
   * @param scratch native memory; the batch keeps a reference
   * @param capacity number of messages, 1 to 1024
   */
  public MessageBatch(MemorySegment scratch, int capacity) {
    if (capacity < 1 || capacity > LARGEST) {
      throw new IllegalArgumentException("capacity " + capacity + " is not in 1.." + LARGEST);
    }
    if (!scratch.isNative()) {
      throw new IllegalArgumentException("the scratch memory is on the heap");
    }
    this.scratch = scratch;
    this.capacity = capacity;
    this.memory = SocketLib.memory(capacity * STRIDE);
    this.addresses = new SockAddr[capacity];
    this.segmentSizes = new int[capacity];
    for (int i = 0; i < capacity; i++) {
      addresses[i] = new SockAddr(memory.asSlice(name(i), SockAddr.INET_BYTES));
      long at = i * HEADER_BYTES;
      memory.set(JAVA_LONG, at + RANGES, memory.address() + range(i));
      memory.set(JAVA_LONG, at + RANGE_COUNT, 1);
      set(i, 0, 0);
    }
  }

  /** Number of messages. */
  public int capacity() {
    return capacity;
  }

  /** Sets the range of the scratch memory to send, or to receive into. */
  public void set(int index, long offset, long length) {
    Objects.checkIndex(index, capacity);
    Objects.checkFromIndexSize(offset, length, scratch.byteSize());
    memory.set(JAVA_LONG, range(index), scratch.address() + offset);
    memory.set(JAVA_LONG, range(index) + 8, length);
  }

  /**
   * The address of a message, for changes: the destination, cleared on a connected socket; after
   * receiving, the source.
   */
  public SockAddr address(int index) {
    return addresses[index];
  }

  /**
   * Sets the size of the datagrams that the message is cut into; the last one may be shorter.
   *
   * @param bytes 1 to 65535; 0 for one datagram
   */
  public void segmentSize(int index, int bytes) {
    if (bytes < 0 || bytes > 0xFFFF) {
      throw new IllegalArgumentException("segment size " + bytes + " is not in 0..65535");
    }
    segmentSizes[index] = bytes;
  }

  /** Bytes of a message that was sent or received, at most those of its range. */
  public int length(int index) {
    Objects.checkIndex(index, capacity);
    return memory.get(JAVA_INT, index * HEADER_BYTES + LENGTH);
  }

  /** Whether the received message was larger than its range; the rest is lost. */
  public boolean truncated(int index) {
    Objects.checkIndex(index, capacity);
    return (memory.get(JAVA_INT, index * HEADER_BYTES + FLAGS) & MSG_TRUNC) != 0;
  }

  /**
   * The size of the datagrams that the kernel joined into the received message, of which the last
   * one may be shorter.
   *
   * @return {@link #length} for one datagram
   */
  public int receivedSegmentSize(int index) {
    Objects.checkIndex(index, capacity);
    long at = find(index, SOL_UDP, UDP_GRO);
    return at < 0 ? length(index) : memory.get(JAVA_INT, at);
  }

  /**
   * Why a datagram failed that came from the queue of errors, see {@link SocketIo#MSG_ERRQUEUE}.
   *
   * @return a positive errno; 0 if the kernel does not tell
   */
  public int queuedError(int index) {
    Objects.checkIndex(index, capacity);
    long at = find(index, SOL_IP, IP_RECVERR);
    at = at < 0 ? find(index, SOL_IPV6, IPV6_RECVERR) : at;
    return at < 0 ? 0 : memory.get(JAVA_INT, at);
  }

  /**
   * The VLAN tag that the kernel took out of a received frame, on a socket of AF_PACKET with
   * PACKET_AUXDATA: the four bytes of the tag, type first.
   *
   * @return -1 without a tag
   */
  public long vlanTag(int index) {
    Objects.checkIndex(index, capacity);
    long at = find(index, PacketAuxiliary.LEVEL, PacketAuxiliary.TYPE);
    return at < 0 ? -1 : PacketAuxiliary.vlanTag(memory, at);
  }

  /** The place of the data of a received control message; -1 without one. */
  private long find(int index, int level, int type) {
    long at = control(index);
    long end =
        at + Math.min(CONTROL_BYTES, memory.get(JAVA_LONG, index * HEADER_BYTES + CONTROL_LENGTH));
    while (at + CMSG_HEADER + 4 <= end) {
      long length = memory.get(JAVA_LONG, at);
      if (memory.get(JAVA_INT, at + 8) == level && memory.get(JAVA_INT, at + 12) == type) {
        return at + CMSG_HEADER;
      }
      if (length < CMSG_HEADER || length > end - at) {
        break;
      }
      at += (length + 7) & -8;
    }
    return -1;
  }

  void beginSend(int index) {
    long at = index * HEADER_BYTES;
    SockAddr to = addresses[index];
    boolean addressed = to.family() != 0;
    memory.set(JAVA_LONG, at + NAME, addressed ? memory.address() + name(index) : 0);
    memory.set(JAVA_INT, at + NAME_LENGTH, addressed ? to.length() : 0);
    int size = segmentSizes[index];
    long control = control(index);
    if (size != 0) {
      memory.set(JAVA_LONG, control, CMSG_HEADER + Short.BYTES);
      memory.set(JAVA_INT, control + 8, SOL_UDP);
      memory.set(JAVA_INT, control + 12, UDP_SEGMENT);
      memory.set(JAVA_SHORT, control + CMSG_HEADER, (short) size);
    }
    memory.set(JAVA_LONG, at + CONTROL, size != 0 ? memory.address() + control : 0);
    memory.set(JAVA_LONG, at + CONTROL_LENGTH, size != 0 ? CMSG_SPACE_SEGMENT : 0);
    memory.set(JAVA_INT, at + FLAGS, 0);
    memory.set(JAVA_INT, at + LENGTH, 0);
  }

  void beginReceive(int index) {
    long at = index * HEADER_BYTES;
    addresses[index].beginReceive();
    memory.set(JAVA_LONG, at + NAME, memory.address() + name(index));
    memory.set(JAVA_INT, at + NAME_LENGTH, SockAddr.INET_BYTES);
    memory.set(JAVA_LONG, at + CONTROL, memory.address() + control(index));
    memory.set(JAVA_LONG, at + CONTROL_LENGTH, CONTROL_BYTES);
    memory.set(JAVA_INT, at + FLAGS, 0);
    memory.set(JAVA_INT, at + LENGTH, 0);
  }

  /** The length of a message that a call moved alone, which leaves no length here. */
  void moved(int index, long bytes) {
    memory.set(JAVA_INT, index * HEADER_BYTES + LENGTH, (int) bytes);
  }

  long header(int index) {
    Objects.checkIndex(index, capacity);
    return memory.address() + index * HEADER_BYTES;
  }

  MemorySegment memory() {
    return memory;
  }

  MemorySegment scratch() {
    return scratch;
  }

  private long range(int index) {
    return capacity * HEADER_BYTES + index * RANGE_BYTES;
  }

  private long name(int index) {
    return capacity * (HEADER_BYTES + RANGE_BYTES) + index * (long) SockAddr.INET_BYTES;
  }

  private long control(int index) {
    return capacity * (HEADER_BYTES + RANGE_BYTES + SockAddr.INET_BYTES) + index * CONTROL_BYTES;
  }
}
