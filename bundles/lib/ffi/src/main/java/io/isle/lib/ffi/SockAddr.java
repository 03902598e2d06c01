package io.isle.lib.ffi;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * The address of a socket in memory of the kernel's layout, to be written and read again and again:
 * IPv4 or IPv6 with a port, or a name in the abstract namespace of unix sockets. An IPv4 address
 * and the same address mapped into IPv6 ({@code ::ffff:a.b.c.d}), which IPv6 sockets show for IPv4
 * peers, count as one: {@link #isIpv4}, {@link #sameAs} and the text do not tell them apart.
 *
 * <p>Allocates nothing after construction, but for text. One thread at a time.
 */
public final class SockAddr {
  /** Bytes of an inet address in a message of a batch: sockaddr_in6, rounded up. */
  static final int INET_BYTES = 32;

  private static final int LARGEST = 112;
  private static final int IN_BYTES = 16;
  private static final int IN6_BYTES = 28;
  private static final int UNIX_PATH = 2;
  private static final int UNIX_NAME = 3;
  private static final int MOST_PATH = 107;
  private static final long MAPPED = 0xFFFF_0000_0000L;

  private static final ValueLayout.OfShort PORT = JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfInt IPV4 = JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfLong IPV6 =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.BIG_ENDIAN);

  private final MemorySegment memory;
  private final MemorySegment lengthCell = SocketLib.memory(4);

  /** An address without a family. */
  public SockAddr() {
    this(SocketLib.memory(LARGEST));
  }

  /** A view; the memory must be 8-byte aligned. */
  SockAddr(MemorySegment memory) {
    this.memory = memory;
  }

  /** Forgets the address: {@link #family} is 0. */
  public void clear() {
    family(0);
    lengthCell.set(JAVA_INT, 0, 0);
  }

  /** As {@link Sockets#AF_INET}, the family of the bytes in memory; 0 without an address. */
  public int family() {
    return Short.toUnsignedInt(memory.get(JAVA_SHORT, 0));
  }

  /**
   * Sets an IPv4 address.
   *
   * @param address {@code a.b.c.d} with {@code a} in the highest byte
   * @param port 0 to 65535
   */
  public void ipv4(int address, int port) {
    memory.fill((byte) 0);
    family(Sockets.AF_INET);
    port(port);
    memory.set(IPV4, 4, address);
  }

  /**
   * Sets an IPv6 address.
   *
   * @param high first 8 bytes, the first one highest
   * @param low last 8 bytes
   * @param scope number of the interface of a link-local address; else 0
   * @param port 0 to 65535
   */
  public void ipv6(long high, long low, int scope, int port) {
    memory.fill((byte) 0);
    family(Sockets.AF_INET6);
    port(port);
    memory.set(IPV6, 8, high);
    memory.set(IPV6, 16, low);
    memory.set(JAVA_INT, 24, scope);
  }

  /**
   * Sets a name in the abstract namespace of unix sockets.
   *
   * @param name 1 to 107 bytes in UTF-8
   */
  public void unix(String name) {
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    if (bytes.length == 0 || UNIX_NAME + bytes.length > Math.min(110, memory.byteSize())) {
      throw new IllegalArgumentException("a socket name has 1 to 107 bytes, not " + bytes.length);
    }
    memory.fill((byte) 0);
    family(Sockets.AF_UNIX);
    MemorySegment.copy(bytes, 0, memory, JAVA_BYTE, UNIX_NAME, bytes.length);
    lengthCell.set(JAVA_INT, 0, UNIX_NAME + bytes.length);
  }

  /**
   * Sets the path of a file that is a unix socket.
   *
   * @param path 1 to 107 bytes in UTF-8, without a zero
   */
  public void unixFile(String path) {
    byte[] bytes = path.getBytes(StandardCharsets.UTF_8);
    if (bytes.length == 0
        || bytes.length > MOST_PATH
        || UNIX_PATH + bytes.length >= memory.byteSize()
        || path.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(
          "the path of a socket has 1 to " + MOST_PATH + " bytes, not " + bytes.length);
    }
    memory.fill((byte) 0);
    family(Sockets.AF_UNIX);
    MemorySegment.copy(bytes, 0, memory, JAVA_BYTE, UNIX_PATH, bytes.length);
    lengthCell.set(JAVA_INT, 0, UNIX_PATH + bytes.length + 1);
  }

  /** Sets the same address as another one. */
  public void copyFrom(SockAddr other) {
    long bytes = Math.min(memory.byteSize(), other.memory.byteSize());
    MemorySegment.copy(other.memory, 0, memory, 0, bytes);
    lengthCell.set(JAVA_INT, 0, other.length());
  }

  /** Turns an IPv4 address into its form for IPv6 sockets; leaves others. */
  public void mapToIpv6() {
    if (family() == Sockets.AF_INET) {
      ipv6(0, low(), 0, port());
    }
  }

  /** Port, 0 to 65535. */
  public int port() {
    return isInet() ? Short.toUnsignedInt(memory.get(PORT, 2)) : 0;
  }

  /** Changes the port only. */
  public void port(int port) {
    if (port < 0 || port > 0xFFFF) {
      throw new IllegalArgumentException("port " + port + " is not in 0..65535");
    }
    memory.set(PORT, 2, (short) port);
  }

  /** First 8 bytes of the address, in IPv6 form. */
  public long high() {
    return family() == Sockets.AF_INET6 ? memory.get(IPV6, 8) : 0;
  }

  /** Last 8 bytes of the address, in IPv6 form. */
  public long low() {
    return switch (family()) {
      case Sockets.AF_INET6 -> memory.get(IPV6, 16);
      case Sockets.AF_INET -> MAPPED | Integer.toUnsignedLong(memory.get(IPV4, 4));
      default -> 0;
    };
  }

  /** Number of the interface of a link-local IPv6 address; else 0. */
  public int scope() {
    return family() == Sockets.AF_INET6 ? memory.get(JAVA_INT, 24) : 0;
  }

  /** Whether this is an IPv4 address, mapped or not. */
  public boolean isIpv4() {
    return isInet() && high() == 0 && low() >>> 32 == MAPPED >>> 32;
  }

  /** Whether the address is 127.0.0.0/8 or ::1. */
  public boolean isLoopback() {
    return isIpv4() ? (low() >>> 24 & 0xFF) == 127 : isInet() && high() == 0 && low() == 1;
  }

  /** Whether the address stands for all of the machine: 0.0.0.0 or ::. */
  public boolean isAny() {
    return isInet() && high() == 0 && (low() == 0 || low() == MAPPED);
  }

  /** Whether host and port, or unix names, are the same. */
  public boolean sameAs(SockAddr other) {
    if (isInet() || other.isInet()) {
      return port() == other.port() && sameHost(other);
    }
    return length() == other.length()
        && MemorySegment.mismatch(
                memory, 0, bounded(length()), other.memory, 0, other.bounded(other.length()))
            < 0;
  }

  /** Whether both are inet addresses of the same host, on any port. */
  public boolean sameHost(SockAddr other) {
    return isInet()
        && other.isInet()
        && high() == other.high()
        && low() == other.low()
        && scope() == other.scope();
  }

  /** {@code 10.0.0.1:9999}, {@code [fe80::1%2]:9999}, {@code unix:NAME}, or {@code none}. */
  @Override
  public String toString() {
    if (isInet()) {
      return IpText.withPort(this);
    }
    return family() == Sockets.AF_UNIX ? "unix:" + unixName() : "none";
  }

  private String unixName() {
    int end = (int) bounded(length());
    if (end > UNIX_NAME && memory.get(JAVA_BYTE, UNIX_PATH) != 0) {
      return memory.getString(UNIX_PATH, StandardCharsets.UTF_8);
    }
    return end <= UNIX_NAME
        ? ""
        : new String(
            memory.asSlice(UNIX_NAME, end - UNIX_NAME).toArray(JAVA_BYTE), StandardCharsets.UTF_8);
  }

  private boolean isInet() {
    int family = family();
    return family == Sockets.AF_INET || family == Sockets.AF_INET6;
  }

  private void family(int family) {
    memory.set(JAVA_SHORT, 0, (short) family);
  }

  private long bounded(long bytes) {
    return Math.min(bytes, memory.byteSize());
  }

  MemorySegment memory() {
    return memory;
  }

  /** The socklen_t that a call reads and writes. */
  MemorySegment lengthCell() {
    return lengthCell;
  }

  /** Size for the kernel; that of an IPv4 address without a family, as connect wants it. */
  int length() {
    return switch (family()) {
      case Sockets.AF_INET6 -> IN6_BYTES;
      case Sockets.AF_UNIX -> lengthCell.get(JAVA_INT, 0);
      default -> IN_BYTES;
    };
  }

  /** Before a call that writes an address, or nothing where there is none. */
  void beginReceive() {
    family(0);
    lengthCell.set(JAVA_INT, 0, (int) memory.byteSize());
  }
}
