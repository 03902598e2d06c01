package io.isle.fabric.tcp;

import io.isle.api.base.Errno;
import io.isle.api.fabric.ParkedPort;
import io.isle.api.fabric.PortState;
import io.isle.lib.ffi.SockAddr;
import io.isle.lib.ffi.SocketErrors;
import io.isle.lib.ffi.SocketOption;
import io.isle.lib.ffi.Sockets;
import io.isle.lib.net.Backoff;
import io.isle.lib.net.Lookup;
import io.isle.lib.net.PeerRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The side of the predecessor: listens, and takes the first connection that sends a byte. While the
 * predecessor is connected, later connections are closed and counted.
 */
final class TcpListener extends TcpPort {
  private static final int BACKLOG = 128;
  private static final int MOST_ACCEPTS = 64;
  private static final long LOOKUP_NS = 20_000_000L;

  private final Lookup lookup;
  private final Backoff backoff;
  private final Candidates candidates;
  private final SockAddr newcomer = new SockAddr();
  private int listener = -1;

  /** The time of the next attempt to bind, or to accept; the least number for events alone. */
  private long due = Long.MIN_VALUE;

  private boolean looking;

  TcpListener(TcpSettings settings, TcpKernel kernel, Lookup lookup, Backoff backoff) {
    super(settings, kernel, PortState.LISTENING);
    this.lookup = lookup;
    this.backoff = backoff;
    this.candidates = new Candidates(kernel);
  }

  @Override
  public long poll(long nowNs) {
    if (closed()) {
      return Long.MAX_VALUE;
    }
    watchPath(nowNs);
    if (listener < 0) {
      listen(nowNs);
    }
    if (listener >= 0 && nowNs >= due) {
      due = accept(nowNs);
    }
    if (path() == null) {
      int sender = candidates.takeSender();
      if (sender >= 0) {
        begin(sender, kernel.peer(sender));
      }
    }
    strays(candidates.sweep(path() != null && !path().ended()));
    long next = due == Long.MIN_VALUE ? Long.MAX_VALUE : due;
    next = path() == null ? next : Math.min(next, nextLook(nowNs));
    return candidates.isEmpty() ? next : Math.min(next, nextWatch(nowNs));
  }

  /** Binds and listens when the time has come; sets the time of the next attempt. */
  private void listen(long nowNs) {
    if (nowNs < due) {
      return;
    }
    if (!looking) {
      lookup.begin();
      looking = true;
    }
    if (!lookup.ended()) {
      due = nowNs + LOOKUP_NS;
      return;
    }
    looking = false;
    if (lookup.addresses().isEmpty()) {
      fail("listen: " + settings.address() + ": " + lookup.failure(), nowNs);
      return;
    }
    SockAddr address = lookup.addresses().getFirst();
    if (!settings.rules().mayReach(address)) {
      fail("listen: " + PeerRules.refusal(address.toString()), nowNs);
      due = settings.address().isLiteral() ? Long.MAX_VALUE : due;
      return;
    }
    int code = bind(address);
    if (code != 0) {
      fail("listen: " + address + ": " + SocketErrors.text(code) + remedy(-code), nowNs);
      return;
    }
    backoff.reset();
    due = Long.MIN_VALUE;
    reason("");
    idle();
  }

  private int bind(SockAddr address) {
    int socket = kernel.sockets.socket(address.family(), Sockets.SOCK_STREAM);
    if (socket < 0) {
      return socket;
    }
    kernel.options.set(socket, SocketOption.SO_REUSEADDR, 1);
    List<String> buffers = kernel.prepare(socket, settings.bufferBytes());
    int code = kernel.sockets.bind(socket, address);
    if (code == 0) {
      code = kernel.sockets.listen(socket, BACKLOG);
    }
    if (code != 0) {
      kernel.close(socket);
      return code;
    }
    own(socket, buffers);
    return 0;
  }

  private void own(int socket, List<String> buffers) {
    listener = socket;
    SockAddr bound = new SockAddr();
    kernel.sockets.localAddress(socket, bound);
    List<String> facts = new ArrayList<>(buffers);
    facts.addFirst("listens on " + bound);
    facts(facts);
  }

  private static String remedy(int errno) {
    return switch (errno) {
      case SocketErrors.EADDRINUSE ->
          ". Another program listens there: end the program, or choose another port in listen";
      case SocketErrors.EADDRNOTAVAIL ->
          ". No interface of this machine has the address: correct listen, or start the interface";
      case Errno.EACCES -> ". Ports below 1024 need a privilege: choose another port in listen";
      default -> "";
    };
  }

  private void fail(String text, long nowNs) {
    reason(text);
    idle();
    due = nowNs + backoff.next();
  }

  /**
   * Takes waiting connections, a bounded number.
   *
   * @return the time of the next call
   */
  private long accept(long nowNs) {
    for (int i = 0; i < MOST_ACCEPTS; i++) {
      int connection = kernel.sockets.accept(listener, newcomer);
      switch (-connection) {
        case Errno.EAGAIN -> {
          backoff.reset();
          return Long.MIN_VALUE;
        }
        case SocketErrors.EMFILE, SocketErrors.ENFILE, SocketErrors.ENOBUFS, Errno.ENOMEM -> {
          reason("connections cannot be accepted: " + SocketErrors.text(connection));
          return nowNs + backoff.next();
        }
        default -> {
          if (connection >= 0) {
            judge(connection, nowNs);
          }
        }
      }
    }
    return nowNs;
  }

  private void judge(int connection, long nowNs) {
    if (!settings.rules().admits(newcomer)) {
      kernel.close(connection);
      foreign(1);
    } else if (path() != null && !path().ended()) {
      kernel.close(connection);
      strays(1);
    } else {
      strays(candidates.add(connection, nowNs));
    }
  }

  @Override
  void lost() {
    idle();
  }

  private void idle() {
    if (path() == null) {
      state(listener >= 0 ? PortState.LISTENING : PortState.FAILED);
    }
  }

  @Override
  void ownInterests(Interests events) {
    if (listener >= 0 && due == Long.MIN_VALUE) {
      events.add(listener, READABLE);
    }
    candidates.interests(events);
  }

  @Override
  void collect(TcpParking parking) {
    if (listener >= 0) {
      parking.add(TcpParking.LISTENER, listener);
    }
    candidates.collect(parking);
  }

  @Override
  void release(boolean close) {
    if (listener >= 0 && close) {
      kernel.close(listener);
    }
    listener = -1;
    candidates.release(close);
  }

  /** Takes over what was parked; false, without a change of the descriptors, if that is unknown. */
  boolean adopt(ParkedPort parked) {
    Optional<List<String>> roles = TcpParking.roles(this, parked);
    if (roles.isEmpty() || !fits(roles.get()) || !TcpParking.restore(this, parked)) {
      return false;
    }
    for (int i = 0; i < roles.get().size(); i++) {
      int descriptor = parked.descriptors().get(i);
      switch (roles.get().get(i)) {
        case TcpParking.LISTENER -> listener = descriptor;
        case TcpParking.PATH -> resume(descriptor, TcpParking.peer(parked));
        default -> candidates.add(descriptor, Long.MIN_VALUE / 2);
      }
    }
    return true;
  }

  private static boolean fits(List<String> roles) {
    long listeners = roles.stream().filter(TcpParking.LISTENER::equals).count();
    long paths = roles.stream().filter(TcpParking.PATH::equals).count();
    long silent = roles.stream().filter(TcpParking.SILENT::equals).count();
    return listeners <= 1
        && paths <= 1
        && silent <= Candidates.MOST
        && listeners + paths + silent == roles.size();
  }
}
