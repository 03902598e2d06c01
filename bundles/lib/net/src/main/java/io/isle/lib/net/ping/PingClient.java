package io.isle.lib.net.ping;

import io.isle.api.base.Errno;
import io.isle.lib.ffi.NetNamespace;
import io.isle.lib.ffi.PollSet;
import io.isle.lib.ffi.PosixException;
import io.isle.lib.ffi.SockAddr;
import io.isle.lib.ffi.SocketErrors;
import io.isle.lib.ffi.SocketIo;
import io.isle.lib.ffi.Sockets;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Sends echo requests with numbers to one address, checks each byte of the answers, and measures
 * when they come. Waits only where a method has a limit of time. Requests may be on their way at
 * once; an answer counts whenever it comes. One thread at a time.
 */
public final class PingClient implements AutoCloseable {
  /** Fewest bytes of a payload, which has a mark and a number. */
  public static final int MIN_BYTES = PingPayload.MIN_BYTES;

  /** Most bytes of a payload. */
  public static final int MAX_BYTES = 65535 - 28;

  /** Most requests of a client. */
  public static final int MAX_REQUESTS = 1 << 20;

  /** Answers to others arrive, too: so many end a wait. */
  private static final int MOST_FOREIGN = 10_000;

  private static final int REFUSED = -SocketErrors.ECONNREFUSED;

  private final Sockets sockets = new Sockets();
  private final SocketIo io = new SocketIo();
  private final PollSet poll = new PollSet(1);
  private final MemorySegment out = Arena.ofAuto().allocate(1 << 16, 8);
  private final MemorySegment in = Arena.ofAuto().allocate(1 << 16, 8);
  private final PingBook book;
  private final boolean icmp;
  private final int id = ThreadLocalRandom.current().nextInt(1 << 16);
  private final int mark = ThreadLocalRandom.current().nextInt();
  private final int descriptor;

  private PingClient(Optional<Path> netns, boolean icmp, SockAddr peer, int most) {
    if (most < 1 || most > MAX_REQUESTS) {
      throw new IllegalArgumentException(most + " requests; 1 to " + MAX_REQUESTS + " can be");
    }
    this.icmp = icmp;
    book = new PingBook(most);
    descriptor = open(netns);
    int code = sockets.connect(descriptor, peer);
    if (code < 0) {
      close();
      throw new PosixException("connect to " + peer, code);
    }
    poll.set(0, descriptor, PollSet.POLLIN);
  }

  /**
   * Echo requests of ICMP, by a raw socket.
   *
   * @param netns path of the network namespace; empty for that of the process
   * @param peer address of IPv4, first number highest
   * @param most requests, 1 to {@link #MAX_REQUESTS}
   * @throws PosixException EPERM without root; ENOENT without the namespace; ENETUNREACH
   */
  public static PingClient icmp(Optional<Path> netns, int peer, int most) {
    SockAddr address = new SockAddr();
    address.ipv4(peer, 0);
    return new PingClient(netns, true, address, most);
  }

  /**
   * Datagrams of UDP from a free port. Parameters and failures are as of {@link #icmp}; a socket of
   * the own namespace needs no rights.
   */
  public static PingClient udp(Optional<Path> netns, int peer, int port, int most) {
    SockAddr address = new SockAddr();
    address.ipv4(peer, port);
    return new PingClient(netns, false, address, most);
  }

  private int open(Optional<Path> netns) {
    int fd;
    if (netns.isPresent()) {
      try (NetNamespace space = NetNamespace.ofPath(netns.get())) {
        fd = space.call(this::socket);
      }
    } else {
      fd = socket();
    }
    if (fd == -Errno.EPERM && icmp) {
      throw new PosixException("raw socket for echo requests, which need root (CAP_NET_RAW)", fd);
    }
    if (fd < 0) {
      throw new PosixException("socket for echo requests", fd);
    }
    return fd;
  }

  private int socket() {
    // a socket of datagrams of ICMP is shut to root, too, by the kernel's own ping_group_range
    return icmp
        ? sockets.socket(Sockets.AF_INET, Sockets.SOCK_RAW, Sockets.IPPROTO_ICMP)
        : sockets.socket(Sockets.AF_INET, Sockets.SOCK_DGRAM);
  }

  /**
   * Sends the next request. One that the kernel cannot send just now is lost.
   *
   * @param bytes of the payload, {@link #MIN_BYTES} to {@link #MAX_BYTES}
   * @return its number, from 0
   * @throws PosixException with the code of the socket
   */
  public int send(int bytes) {
    if (bytes < MIN_BYTES || bytes > MAX_BYTES) {
      throw new IllegalArgumentException(
          bytes + " bytes; " + MIN_BYTES + " to " + MAX_BYTES + " can be");
    }
    int number = book.next();
    int head = icmp ? IcmpEcho.HEADER_BYTES : 0;
    PingPayload.write(out, head, bytes, mark, number);
    if (icmp) {
      IcmpEcho.write(out, head + bytes, id, number);
    }
    book.sent(bytes, System.nanoTime());
    long code = io.send(descriptor, out, 0, head + bytes, 0);
    if (code == REFUSED) {
      // an earlier datagram was refused, which the kernel tells now
      code = io.send(descriptor, out, 0, head + bytes, 0);
    }
    if (code < 0 && !isPassing((int) -code)) {
      throw new PosixException("send of " + bytes + " bytes", (int) code);
    }
    return number;
  }

  private static boolean isPassing(int code) {
    return switch (code) {
      case Errno.EAGAIN,
          SocketErrors.ENOBUFS,
          SocketErrors.ECONNREFUSED,
          SocketErrors.EHOSTUNREACH,
          SocketErrors.ENETUNREACH,
          SocketErrors.ENETDOWN ->
          true;
      default -> false;
    };
  }

  /**
   * Waits for one answer and counts it.
   *
   * @param timeoutNs 0 or less does not wait
   * @return false if none has come
   * @throws PosixException with the code of the socket
   */
  public boolean receive(long timeoutNs) {
    long begin = System.nanoTime();
    for (int foreign = 0; foreign < MOST_FOREIGN; foreign++) {
      long code = io.receive(descriptor, in, 0, in.byteSize(), 0);
      if (code >= 0 && take((int) code, System.nanoTime())) {
        return true;
      }
      if (code < 0 && !isPassing((int) -code)) {
        throw new PosixException("receive", (int) code);
      }
      long rest = timeoutNs - (System.nanoTime() - begin);
      if (code == -Errno.EAGAIN && (rest <= 0 || poll.await(1, rest) == 0)) {
        return false;
      }
    }
    return false;
  }

  /** Counts what was received, unless it is no answer to this client. */
  private boolean take(int length, long nowNs) {
    int header = icmp ? IcmpEcho.find(in, length, id) : 0;
    if (header < 0) {
      return false;
    }
    int at = header + (icmp ? IcmpEcho.HEADER_BYTES : 0);
    int bytes = length - at;
    if (!PingPayload.isOf(in, at, bytes, mark)) {
      return false;
    }
    int number = PingPayload.number(in, at);
    if (book.has(number, bytes)
        && PingPayload.isIntact(in, at, bytes, number)
        && (!icmp || IcmpEcho.isIntact(in, header, length - header, number))) {
      book.answered(number, nowNs);
    } else {
      book.wrong();
    }
    return true;
  }

  /**
   * Sends a request and waits for its right answer; others are counted meanwhile.
   *
   * @return the time from the request to the answer in nanoseconds; -1 if none has come
   */
  public long ping(int bytes, long timeoutNs) {
    int number = send(bytes);
    long begin = System.nanoTime();
    while (book.rttNs(number) < 0) {
      if (!receive(timeoutNs - (System.nanoTime() - begin))) {
        return -1;
      }
    }
    return book.rttNs(number);
  }

  /** Time from a request to its first right answer in nanoseconds; -1 without one. */
  public long rttNs(int number) {
    return book.rttNs(number);
  }

  /** What became of the requests up to now. */
  public PingTally tally() {
    return book.tally();
  }

  @Override
  public void close() {
    int _ = sockets.close(descriptor);
  }
}
