package io.isle.fabric.udp;

import io.isle.api.base.Errno;
import io.isle.api.fabric.Dialect;
import io.isle.api.fabric.ParkedPort;
import io.isle.api.fabric.PortState;
import io.isle.lib.ffi.SocketErrors;
import io.isle.lib.net.Backoff;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * The side of the next node: sends to one address. The address counts as reached as soon as the
 * socket can send: datagrams have no connections. Of dialect isle, answers come back to the socket.
 */
final class NextPort extends UdpPort {
  /** Time that the words for a failure stay, in nanoseconds. */
  static final long SHOWN_NS = 5_000_000_000L;

  private final NextSocket own;
  private final Target target;
  private final Backoff backoff;

  /** The time until which nothing is sent, after a refusal. */
  private long due = Long.MIN_VALUE;

  private int refusal;
  private boolean retrying;
  private long seen;
  private volatile int shown;
  private long shownNs;

  NextPort(UdpSettings settings, UdpKernel kernel, NextSocket own, Target target, Backoff backoff) {
    super(settings, kernel, PortState.CONNECTING);
    this.own = own;
    this.target = target;
    this.backoff = backoff;
  }

  @Override
  public long poll(long nowNs) {
    if (closed()) {
      return Long.MAX_VALUE;
    }
    if (refusal != 0) {
      state(PortState.CONNECTING);
      reason("next: " + target.address() + ": " + SocketErrors.text(refusal));
      refusal = 0;
      retrying = true;
      target.again(nowNs);
      due = nowNs + backoff.next();
    }
    if (nowNs < due) {
      return due;
    }
    if (state() != PortState.UP || target.isDue(nowNs)) {
      long next = connect(nowNs);
      if (state() != PortState.UP) {
        return next;
      }
    }
    watch(nowNs);
    return Math.min(nextWatch(nowNs), target.dueNs());
  }

  /** Finds the address, and the socket for it; returns the time of the next attempt. */
  private long connect(long nowNs) {
    long next = own.poll(nowNs, settings);
    if (!own.reason().isEmpty()) {
      fail(own.reason());
      return next;
    }
    if (!own.isReady()) {
      return next;
    }
    next = target.poll(nowNs, own.family());
    if (!target.isKnown()) {
      reason(target.failure());
      state(target.isRefused() ? PortState.FAILED : PortState.CONNECTING);
      return next;
    }
    String failed = own.open(target.address());
    if (!failed.isEmpty()) {
      fail("next: " + failed);
      return nowNs + backoff.next();
    }
    String address = target.address().toString();
    if (peer().filter(address::equals).isEmpty()) {
      begin(address);
      reason("");
      seen = socket().unreachable();
    }
    state(PortState.UP);
    return next;
  }

  private void fail(String text) {
    reason(text);
    state(PortState.FAILED);
  }

  /** Puts failures of datagrams into words, for a while. */
  private void watch(long nowNs) {
    takeFailures();
    UdpSocket socket = socket();
    if (socket.unreachable() != seen) {
      seen = socket.unreachable();
      shownNs = nowNs;
      if (shown != socket.lastFailure()) {
        shown = socket.lastFailure();
        reason("next: " + target.address() + ": " + words(shown));
      }
      target.again(nowNs);
    } else if (shown != 0 && nowNs - shownNs >= SHOWN_NS) {
      shown = 0;
      reason("");
    }
  }

  @Override
  int shown() {
    return shown;
  }

  @Override
  String side() {
    return "next";
  }

  private static String words(int errno) {
    return errno == SocketErrors.ECONNREFUSED
        ? "Connection refused. No node listens there: start the next node, or correct next"
        : SocketErrors.text(errno);
  }

  @Override
  public long send(MemorySegment batch, long offset, long length, int segment) {
    if (state() != PortState.UP || refusal != 0) {
      return -Errno.ENOTCONN;
    }
    long sent = sendTo(target.address(), batch, offset, length, segment);
    if (sent > 0 && retrying) {
      retrying = false;
      backoff.reset();
      reason("");
    }
    return sent;
  }

  @Override
  void refused(int code) {
    refusal = -code;
  }

  /** Of dialect leap nothing comes back, and what arrives at the socket is the previous node's. */
  @Override
  public long receive(MemorySegment into, long offset, long length) {
    return settings.dialect() == Dialect.ISLE && state() == PortState.UP
        ? receiveFrom(target, into, offset, length)
        : -Errno.EAGAIN;
  }

  @Override
  public void accept(long nowNs) {}

  @Override
  boolean sends() {
    return true;
  }

  @Override
  UdpSocket socket() {
    return own.socket();
  }

  @Override
  Optional<Integer> part() {
    return own.part();
  }

  @Override
  void leave() {
    own.leave();
  }

  @Override
  public void interests(Interests events, int wanted) {
    int all = settings.dialect() == Dialect.ISLE ? wanted : wanted & WRITABLE;
    // after a refusal, the event brings the next poll
    if (state() == PortState.UP && all != 0) {
      events.add(socket().descriptor, all);
    }
  }

  @Override
  public long foreign() {
    return target.foreign();
  }

  /** Takes over what was parked; false, without a change of the descriptor, if that is unknown. */
  boolean adopt(ParkedPort parked) {
    if (!UdpParking.fits(this, parked) || !target.restore(UdpParking.peer(parked))) {
      return false;
    }
    own.adopt(parked, settings);
    paths(UdpParking.paths(parked));
    if (target.isKnown()) {
      resume(target.address().toString());
      seen = socket().unreachable();
    }
    return true;
  }
}
