package io.isle.lib.ffi;

/**
 * Options of sockets with one int as value, under their names in Linux. Switches have 0 and 1.
 * {@link SocketOptions} reads and changes their values.
 */
public enum SocketOption {
  /** Lets a listener take an address while old connections of the address end. */
  SO_REUSEADDR(1, 2),
  /** The pending error as a positive errno, which reading clears; the outcome of a connect. */
  SO_ERROR(1, 4),
  /** Bytes for sending; the kernel grants twice the value, up to net.core.wmem_max. */
  SO_SNDBUF(1, 7),
  /** Bytes for receiving; the kernel grants twice the value, up to net.core.rmem_max. */
  SO_RCVBUF(1, 8),
  /** Probes of an idle connection. */
  SO_KEEPALIVE(1, 9),
  /** Several sockets with one address, which share what arrives. */
  SO_REUSEPORT(1, 15),
  /** Bytes from which on a stream is readable. */
  SO_RCVLOWAT(1, 18),
  /** Whether the socket listens; for reading. */
  SO_ACCEPTCONN(1, 30),
  /** As SO_SNDBUF beyond the limit; for CAP_NET_ADMIN; for writing. */
  SO_SNDBUFFORCE(1, 32),
  /** As SO_RCVBUF beyond the limit; for CAP_NET_ADMIN; for writing. */
  SO_RCVBUFFORCE(1, 33),
  /** Microseconds for which receiving polls the device. */
  SO_BUSY_POLL(1, 46),
  /** Permits MSG_ZEROCOPY. */
  SO_ZEROCOPY(1, 60),
  /** Prefers the polls of SO_BUSY_POLL to interrupts of the device; for CAP_NET_ADMIN. */
  SO_PREFER_BUSY_POLL(1, 69),
  /** Most packets of one poll of SO_BUSY_POLL; more for CAP_NET_ADMIN; for writing. */
  SO_BUSY_POLL_BUDGET(1, 70),

  /** Sends small packets at once. */
  TCP_NODELAY(6, 1),
  /** Largest segment in bytes. */
  TCP_MAXSEG(6, 2),
  /** Seconds until the first probe of SO_KEEPALIVE. */
  TCP_KEEPIDLE(6, 4),
  /** Seconds between probes. */
  TCP_KEEPINTVL(6, 5),
  /** Unanswered probes until the end of the connection. */
  TCP_KEEPCNT(6, 6),
  /** Repeated attempts of a connect. */
  TCP_SYNCNT(6, 7),
  /** Acknowledges at once; the kernel returns to delays by itself. */
  TCP_QUICKACK(6, 12),
  /** Milliseconds of unacknowledged data until the end of the connection; 0: the default. */
  TCP_USER_TIMEOUT(6, 18),
  /** Unsent bytes below which a stream is writable. */
  TCP_NOTSENT_LOWAT(6, 25),

  /** Path MTU discovery on IPv4: 0 never, 1 as the route says, 2 always, 3 probe. */
  IP_MTU_DISCOVER(0, 10),
  /** Tells of datagrams that failed on the way, in the queue of errors; of IPv4. */
  IP_RECVERR(0, 11),
  /** Path MTU of a connected IPv4 socket in bytes; for reading. */
  IP_MTU(0, 14),
  /** Path MTU discovery on IPv6, as IP_MTU_DISCOVER. */
  IPV6_MTU_DISCOVER(41, 23),
  /** As IP_RECVERR, of IPv6. */
  IPV6_RECVERR(41, 25),
  /** Path MTU of a connected IPv6 socket in bytes; for reading. */
  IPV6_MTU(41, 24),
  /** Keeps IPv4 off an IPv6 socket. */
  IPV6_V6ONLY(41, 26),

  /** Cuts what is sent into datagrams of this size in bytes; 0: off. */
  UDP_SEGMENT(17, 103),
  /** Joins datagrams of one size that arrive from one source. */
  UDP_GRO(17, 104);

  private final int level;
  private final int number;

  SocketOption(int level, int number) {
    this.level = level;
    this.number = number;
  }

  int level() {
    return level;
  }

  int number() {
    return number;
  }
}
