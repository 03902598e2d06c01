package io.isle.net.xdp.netlink;

import io.isle.api.base.Errno;
import io.isle.api.base.IsleException;
import io.isle.api.net.NetException;
import io.isle.lib.ffi.NetNamespace;
import io.isle.lib.ffi.NetlinkSocket;
import io.isle.lib.ffi.PollSet;
import io.isle.lib.ffi.SocketErrors;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Requests to the kernel, one at a time, each with its answer. Thread-safe. */
public final class Rtnetlink implements AutoCloseable {
  private static final long WAIT_NS = TimeUnit.SECONDS.toNanos(5);
  private static final int ROOM = 1 << 20;
  private static final int DUMP_TRIES = 10;

  private final NetlinkSocket socket;
  private final MemorySegment answer = Arena.ofAuto().allocate(NetlinkSocket.LARGEST, 8);
  private final PollSet poll = new PollSet(1);
  private int number;

  private Rtnetlink(NetlinkSocket socket) {
    this.socket = socket;
    poll.set(0, socket.descriptor(), PollSet.POLLIN);
  }

  private static Rtnetlink on(NetlinkSocket socket) {
    try {
      socket.room(ROOM);
      return new Rtnetlink(socket);
    } catch (RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  /**
   * Opens a socket in a namespace, which the socket keeps alive.
   *
   * @throws IsleException EPERM for another namespace without CAP_SYS_ADMIN
   */
  public static Rtnetlink in(NetNamespace space) {
    return on(space.call(() -> NetlinkSocket.open(NetlinkSocket.ROUTE)));
  }

  /**
   * Sends a request that changes something, and waits until the kernel has done it.
   *
   * @param what for the user, such as {@code "new link va"}
   * @throws NetException with the kernel's code and its words
   */
  synchronized void request(MessageWriter message, String what) {
    send(message, what);
    long end = System.nanoTime() + WAIT_NS;
    while (true) {
      for (Message one : receive(what, end)) {
        if (one.number() == number && one.type() == Rtm.ERROR) {
          Answer.check(one, what);
          return;
        }
      }
    }
  }

  /**
   * Reads all objects of a kind, at one time as far as the kernel can.
   *
   * @throws NetException EAGAIN if the objects change faster than they are read
   */
  synchronized <T> List<T> dump(MessageWriter message, int type, Function<Message, T> reader) {
    for (int i = 0; i < DUMP_TRIES; i++) {
      List<T> all = new ArrayList<>();
      if (dumped(message, type, reader, all)) {
        return all;
      }
    }
    throw new NetException(
        Errno.EAGAIN, "the kernel's objects change faster than they are read; try again");
  }

  private <T> boolean dumped(
      MessageWriter message, int type, Function<Message, T> reader, List<T> into) {
    String what = "dump " + type;
    send(message, what);
    long end = System.nanoTime() + WAIT_NS;
    boolean whole = true;
    while (true) {
      for (Message one : receive(what, end)) {
        if (one.number() != number) {
          continue;
        }
        whole &= (one.flags() & Rtm.DUMP_INTR) == 0;
        if (one.type() == Rtm.ERROR || one.type() == Rtm.DONE) {
          Answer.check(one, what);
          return whole;
        }
        if (one.type() == type) {
          into.add(reader.apply(one));
        }
      }
    }
  }

  private void send(MessageWriter message, String what) {
    MemorySegment bytes = message.finish(++number);
    long sent = socket.send(bytes, 0, bytes.byteSize());
    if (sent < 0) {
      throw failed(what, (int) sent);
    }
  }

  private List<Message> receive(String what, long end) {
    while (true) {
      long bytes = socket.receive(answer);
      if (bytes >= 0) {
        return Message.read(answer.asSlice(0, bytes));
      }
      if (bytes != -Errno.EAGAIN) {
        throw failed(what, (int) bytes);
      }
      long left = end - System.nanoTime();
      if (left <= 0 || poll.await(1, left) == 0) {
        throw new NetException(Errno.ETIME, what + ": the kernel does not answer");
      }
    }
  }

  private static NetException failed(String what, int code) {
    return new NetException(-code, what + ": " + SocketErrors.text(code));
  }

  /** All interfaces. */
  public List<Link> links() {
    MessageWriter all = new MessageWriter(Rtm.GETLINK, Rtm.DUMP).u32(0).u32(0).u32(0).u32(0);
    return dump(all, Rtm.NEWLINK, Link::read);
  }

  /**
   * The interface of a name.
   *
   * @throws NetException ENODEV without one
   */
  public Link link(String name) {
    return links().stream()
        .filter(link -> link.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new NetException(
                    Errno.ENODEV, "no interface '" + name + "' in the network namespace"));
  }

  /** All IPv4 addresses of interfaces. */
  public List<InterfaceAddress> addresses() {
    MessageWriter all =
        new MessageWriter(Rtm.GETADDR, Rtm.DUMP).u8(Rtm.AF_INET).u8(0).u16(0).u32(0);
    return dump(all, Rtm.NEWADDR, InterfaceAddress::read);
  }

  /** All IPv4 routes of all tables. */
  public List<KernelRoute> routes() {
    MessageWriter all =
        new MessageWriter(Rtm.GETROUTE, Rtm.DUMP).u8(Rtm.AF_INET).u8(0).u16(0).u32(0).u32(0);
    return dump(all, Rtm.NEWROUTE, KernelRoute::read);
  }

  /** All IPv4 neighbours. */
  public List<Neighbour> neighbours() {
    MessageWriter all =
        new MessageWriter(Rtm.GETNEIGH, Rtm.DUMP).u8(Rtm.AF_INET).u8(0).u16(0).u32(0).u32(0);
    return dump(all, Rtm.NEWNEIGH, Neighbour::read);
  }

  /** Closes the socket; idempotent. */
  @Override
  public synchronized void close() {
    socket.close();
  }
}
