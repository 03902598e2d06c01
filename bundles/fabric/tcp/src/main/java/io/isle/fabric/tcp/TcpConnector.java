package io.isle.fabric.tcp;

import io.isle.api.base.Errno;
import io.isle.api.fabric.ParkedPort;
import io.isle.api.fabric.PortState;
import io.isle.lib.ffi.SockAddr;
import io.isle.lib.ffi.SocketErrors;
import io.isle.lib.ffi.SocketOption;
import io.isle.lib.ffi.Sockets;
import io.isle.lib.ffi.TcpInfo;
import io.isle.lib.net.Backoff;
import io.isle.lib.net.Lookup;
import io.isle.lib.net.PeerRules;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * The side of the next node: connects, again and again after every failure. Each attempt looks the
 * name up again and tries its addresses one after the other. A connection that is up is the path:
 * the port makes no other one to find out whether somebody listens.
 */
final class TcpConnector extends TcpPort {
  /** Longest wait for the answer of one address, in nanoseconds. */
  static final long ANSWER_NS = 3_000_000_000L;

  private static final long LOOKUP_NS = 20_000_000L;
  private static final long NOT_SET = Long.MIN_VALUE;

  private final Lookup lookup;
  private final Backoff backoff;
  private final Deque<SockAddr> addresses = new ArrayDeque<>();
  private boolean looking;
  private int connecting = -1;
  private String target = "";

  /** The time of the next attempt, or of the end of the present one. */
  private long due;

  private long upSince = NOT_SET;

  TcpConnector(TcpSettings settings, TcpKernel kernel, Lookup lookup, Backoff backoff) {
    super(settings, kernel, PortState.CONNECTING);
    this.lookup = lookup;
    this.backoff = backoff;
    this.due = NOT_SET;
  }

  @Override
  public long poll(long nowNs) {
    if (closed()) {
      return Long.MAX_VALUE;
    }
    watchPath(nowNs);
    if (path() != null) {
      upSince = upSince == NOT_SET ? nowNs : upSince;
      return nextLook(nowNs);
    }
    if (upSince != NOT_SET) {
      // a neighbour that takes connections and ends them at once is not asked at once
      if (nowNs - upSince >= Backoff.MOST_NS) {
        backoff.reset();
      }
      upSince = NOT_SET;
      due = nowNs + backoff.next();
    }
    if (connecting >= 0) {
      answer(nowNs);
    }
    while (path() == null && connecting < 0 && nowNs >= due) {
      attempt(nowNs);
    }
    return path() != null ? nextLook(nowNs) : due;
  }

  /** One step of an attempt: the lookup, or the connect to the next address. */
  private void attempt(long nowNs) {
    if (!addresses.isEmpty()) {
      connect(addresses.removeFirst(), nowNs);
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
    List<SockAddr> found = lookup.addresses();
    found.stream().filter(settings.rules()::mayReach).forEach(addresses::add);
    if (found.isEmpty()) {
      retry("next: " + settings.address() + ": " + lookup.failure(), nowNs);
    } else if (addresses.isEmpty()) {
      retry("next: " + PeerRules.refusal(found.getFirst().toString()), nowNs);
      state(PortState.FAILED);
      due = settings.address().isLiteral() ? Long.MAX_VALUE : due;
    }
  }

  private void connect(SockAddr address, long nowNs) {
    target = address.toString();
    int socket = kernel.sockets.socket(address.family(), Sockets.SOCK_STREAM);
    if (socket < 0) {
      failed(socket, nowNs);
      return;
    }
    facts(kernel.prepare(socket, settings.bufferBytes()));
    int code = kernel.sockets.connect(socket, address);
    if (code != 0 && code != -Errno.EINPROGRESS) {
      kernel.close(socket);
      failed(code, nowNs);
      return;
    }
    state(PortState.CONNECTING);
    connecting = socket;
    due = nowNs + ANSWER_NS;
    answer(nowNs);
  }

  /** Looks for the outcome of the connect. */
  private void answer(long nowNs) {
    int code = kernel.vitals.read(connecting);
    int outcome = code != 0 ? code : -kernel.options.get(connecting, SocketOption.SO_ERROR);
    boolean waits = outcome == 0 && kernel.vitals.state() == TcpInfo.TCP_SYN_SENT;
    if (waits && due == NOT_SET) {
      due = nowNs + ANSWER_NS;
    }
    if (waits && nowNs < due) {
      return;
    }
    int socket = connecting;
    connecting = -1;
    if (waits) {
      kernel.close(socket);
      failed(-Errno.ETIMEDOUT, nowNs);
    } else if (outcome != 0 || kernel.vitals.state() == TcpInfo.TCP_CLOSE) {
      kernel.close(socket);
      failed(outcome != 0 ? outcome : -SocketErrors.ECONNABORTED, nowNs);
    } else if (kernel.isOwn(socket)) {
      kernel.drop(socket);
      failed(-SocketErrors.ECONNREFUSED, nowNs);
    } else {
      addresses.clear();
      upSince = nowNs;
      begin(socket, target);
    }
  }

  private void failed(int code, long nowNs) {
    String text =
        switch (-code) {
          case SocketErrors.ECONNREFUSED ->
              "Connection refused. No node listens there: start the next node, or correct next";
          case Errno.ETIMEDOUT ->
              "no answer within 3 s. The machine may be off, or a firewall drops connections";
          default -> SocketErrors.text(code);
        };
    retry("next: " + target + ": " + text, nowNs);
    failure(-code);
  }

  /** The next address at once; after the last one, a new lookup after a delay. */
  private void retry(String text, long nowNs) {
    reason(text);
    failure(0);
    state(PortState.CONNECTING);
    due = addresses.isEmpty() ? nowNs + backoff.next() : nowNs;
  }

  @Override
  void lost() {
    state(PortState.CONNECTING);
    reason("next: " + reason());
    // the next poll knows the time
    upSince = upSince == NOT_SET ? Long.MAX_VALUE : upSince;
  }

  @Override
  void ownInterests(Interests events) {
    if (connecting >= 0) {
      events.add(connecting, WRITABLE);
    }
  }

  @Override
  void collect(TcpParking parking) {
    if (connecting >= 0) {
      parking.add(TcpParking.CONNECTING, connecting);
    }
  }

  @Override
  void release(boolean close) {
    if (connecting >= 0 && close) {
      kernel.close(connecting);
    }
    connecting = -1;
  }

  /** Takes over what was parked; false, without a change of the descriptors, if that is unknown. */
  boolean adopt(ParkedPort parked) {
    Optional<List<String>> roles = TcpParking.roles(this, parked);
    if (roles.isEmpty() || roles.get().size() > 1 || !TcpParking.restore(this, parked)) {
      return false;
    }
    String role = roles.get().isEmpty() ? "" : roles.get().getFirst();
    switch (role) {
      case "" -> {}
      case TcpParking.PATH -> resume(parked.descriptors().getFirst(), TcpParking.peer(parked));
      case TcpParking.CONNECTING -> {
        connecting = parked.descriptors().getFirst();
        target = settings.address().toString();
      }
      default -> {
        return false;
      }
    }
    return true;
  }
}
