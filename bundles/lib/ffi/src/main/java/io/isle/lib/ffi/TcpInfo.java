package io.isle.lib.ffi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The kernel's view of a TCP connection, to be read again and again by {@link
 * SocketOptions#tcpInfo}. A field that the kernel does not have is -1. Allocates nothing after
 * construction. One thread at a time.
 */
public final class TcpInfo {
  /** {@link #state} of a connection in use. */
  public static final int TCP_ESTABLISHED = 1;

  /** {@link #state} of an unanswered connect. */
  public static final int TCP_SYN_SENT = 2;

  /** {@link #state} of an ended connection. */
  public static final int TCP_CLOSE = 7;

  /** {@link #state} after the peer's end, before ours. */
  public static final int TCP_CLOSE_WAIT = 8;

  /** {@link #state} of a listener. */
  public static final int TCP_LISTEN = 10;

  /** Up to and with the window of the peer. */
  static final int BYTES = 232;

  private final MemorySegment memory = SocketLib.memory(BYTES);
  private int length;

  MemorySegment memory() {
    return memory;
  }

  void length(int bytes) {
    length = Math.min(bytes, BYTES);
  }

  /** Such as {@link #TCP_ESTABLISHED}. */
  public int state() {
    return octet(0);
  }

  /** Repetitions, not answered so far, of what was sent. */
  public int retransmits() {
    return octet(2);
  }

  /** Probes, not answered so far, of an idle connection or of a closed window. */
  public int probes() {
    return octet(3);
  }

  /** Doublings of the time until the next repetition. */
  public int backoff() {
    return octet(4);
  }

  /** Time until a repetition, in microseconds. */
  public long retransmitTimeout() {
    return number(8);
  }

  /** Largest segment to send, in bytes. */
  public long sendSegment() {
    return number(16);
  }

  /** Segments that are sent and not acknowledged; of a listener, connections that wait. */
  public long unacknowledged() {
    return number(24);
  }

  /** Segments that are taken for lost. */
  public long lost() {
    return number(32);
  }

  /** Milliseconds since data was last sent. */
  public long sinceSent() {
    return number(44);
  }

  /** Milliseconds since data was last received. */
  public long sinceReceived() {
    return number(52);
  }

  /** Milliseconds since the last acknowledgement. */
  public long sinceAcknowledged() {
    return number(56);
  }

  /** Path MTU in bytes. */
  public long pathMtu() {
    return number(60);
  }

  /** Smoothed round trip in microseconds. */
  public long roundTrip() {
    return number(68);
  }

  /** Mean deviation of the round trip in microseconds. */
  public long roundTripDeviation() {
    return number(72);
  }

  /** Congestion window in segments. */
  public long congestionWindow() {
    return number(80);
  }

  /** All repetitions of the connection. */
  public long totalRetransmits() {
    return number(100);
  }

  /** Bytes that the peer has acknowledged. */
  public long bytesAcknowledged() {
    return wide(120);
  }

  /** Bytes that have arrived in order. */
  public long bytesReceived() {
    return wide(128);
  }

  /** Bytes that wait in the socket and were never sent. */
  public long notSentBytes() {
    return number(144);
  }

  /** Least round trip in microseconds. */
  public long leastRoundTrip() {
    return number(148);
  }

  /** Bytes that the peer has room for; 0: a full window. */
  public long peerWindow() {
    return number(228);
  }

  private int octet(int at) {
    return at < length ? Byte.toUnsignedInt(memory.get(ValueLayout.JAVA_BYTE, at)) : -1;
  }

  private long number(int at) {
    return at + 4 <= length ? Integer.toUnsignedLong(memory.get(ValueLayout.JAVA_INT, at)) : -1;
  }

  private long wide(int at) {
    return at + 8 <= length ? memory.get(ValueLayout.JAVA_LONG, at) : -1;
  }
}
