package io.isle.spin.jobs.ping.place;

import io.isle.lib.ffi.NetNamespace;
import io.isle.lib.ffi.PollSet;
import io.isle.lib.ffi.PosixException;
import io.isle.lib.ffi.SockAddr;
import io.isle.lib.ffi.SocketIo;
import io.isle.lib.ffi.Sockets;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The program of the host that sends each datagram back, on a thread of its own. */
final class UdpEcho implements AutoCloseable {
  private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(50);

  private final Sockets sockets = new Sockets();
  private final SocketIo io = new SocketIo();
  private final PollSet poll = new PollSet(1);
  private final SockAddr peer = new SockAddr();
  private final MemorySegment memory = Arena.ofAuto().allocate(1 << 16, 8);
  private final int descriptor;
  private final int port;
  private final Thread thread;
  private volatile boolean over;

  /**
   * @param netns path of the network namespace; empty for that of the process
   * @param port 0 for a free one
   * @param name of the step, for the thread
   * @throws PosixException with the code of the socket
   */
  UdpEcho(Optional<Path> netns, int address, int port, String name) {
    descriptor = check("socket of the host", open(netns));
    try {
      SockAddr own = new SockAddr();
      own.ipv4(address, port);
      int _ = check("bind of the host to " + own, sockets.bind(descriptor, own));
      int _ = check("address of the host", sockets.localAddress(descriptor, own));
      this.port = own.port();
    } catch (RuntimeException e) {
      int _ = sockets.close(descriptor);
      throw e;
    }
    poll.set(0, descriptor, PollSet.POLLIN);
    thread = Thread.ofPlatform().daemon().name("isle-" + name + "-echo").start(this::run);
  }

  private int open(Optional<Path> netns) {
    if (netns.isEmpty()) {
      return sockets.socket(Sockets.AF_INET, Sockets.SOCK_DGRAM);
    }
    try (NetNamespace space = NetNamespace.ofPath(netns.get())) {
      return space.call(() -> sockets.socket(Sockets.AF_INET, Sockets.SOCK_DGRAM));
    }
  }

  private static int check(String call, int code) {
    if (code < 0) {
      throw new PosixException(call, code);
    }
    return code;
  }

  int port() {
    return port;
  }

  private void run() {
    while (!over) {
      long length = io.receiveFrom(descriptor, memory, 0, memory.byteSize(), 0, peer);
      if (length >= 0) {
        long _ = io.sendTo(descriptor, memory, 0, length, 0, peer);
      } else {
        int _ = poll.await(1, LOOK_NS);
      }
    }
  }

  @Override
  public void close() {
    over = true;
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    int _ = sockets.close(descriptor);
  }
}
