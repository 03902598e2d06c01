package io.isle.fabric.udp;

import io.isle.api.fabric.Dialect;
import io.isle.lib.ffi.HostPort;
import io.isle.lib.ffi.SockAddr;
import io.isle.lib.net.Backoff;
import io.isle.lib.net.Lookup;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The source of datagrams that counts as the previous node: the one of the settings, else the first
 * that sends a valid datagram. Another one takes its place only after five seconds of silence, or
 * once the link has ended the path. One thread at a time, but for the count.
 */
final class Source implements Receiver.Sources {
  /** Silence that permits another source, in nanoseconds. */
  static final long SILENCE_NS = 5_000_000_000L;

  private static final long LOOKUP_NS = 20_000_000L;

  private final UdpSettings settings;
  private final Optional<Lookup> lookup;
  private final Backoff backoff;
  private final AtomicLong foreign = new AtomicLong();
  private final SockAddr peer = new SockAddr();
  private final SockAddr candidate = new SockAddr();

  /** Whether the last datagrams are of the peer; else of the candidate. */
  private boolean ofPeer;

  private List<SockAddr> only = List.of();
  private boolean looking;
  private long lookupNs = Long.MIN_VALUE;
  private boolean known;
  private boolean late;
  private boolean silent;
  private long heardNs = Long.MIN_VALUE;
  private String failure = "";

  Source(UdpSettings settings, Optional<Lookup> lookup, Backoff backoff) {
    this.settings = settings;
    this.lookup = lookup;
    this.backoff = backoff;
  }

  @Override
  public boolean admits(SockAddr source) {
    ofPeer = known && peer.sameAs(source);
    if (ofPeer) {
      return true;
    }
    if (known && !silent || !settings.rules().admits(source) || !isNamed(source)) {
      foreign.incrementAndGet();
      return false;
    }
    candidate.copyFrom(source);
    return true;
  }

  private boolean isNamed(SockAddr source) {
    if (lookup.isEmpty()) {
      return true;
    }
    for (int i = 0; i < only.size(); i++) {
      SockAddr one = only.get(i);
      // of dialect isle, the previous node sends from a port of its kernel's choice
      if (settings.dialect() == Dialect.ISLE ? one.sameHost(source) : one.sameAs(source)) {
        return true;
      }
    }
    return false;
  }

  /**
   * The source of the last datagrams sent a valid one.
   *
   * @return whether the source is a new one
   */
  boolean accept(long nowNs) {
    boolean fresh = !ofPeer;
    if (fresh) {
      peer.copyFrom(candidate);
      known = true;
      ofPeer = true;
    }
    heardNs = nowNs;
    late = false;
    silent = false;
    return fresh;
  }

  /** The source that counts as the previous node; without a family before. */
  SockAddr peer() {
    return peer;
  }

  boolean isKnown() {
    return known;
  }

  /** Goes on with the source of an earlier version; false if the text is no address. */
  boolean restore(String text) {
    if (text.isEmpty()) {
      return true;
    }
    try {
      peer.copyFrom(HostPort.parse(text).resolve().getFirst());
    } catch (IllegalArgumentException | java.net.UnknownHostException e) {
      return false;
    }
    known = true;
    return true;
  }

  /** Nothing has arrived that was not read. */
  void emptied() {
    silent |= late;
  }

  /** The path of the source has ended: another source may take its place at once. */
  void ended() {
    silent = true;
  }

  /**
   * Does what time requires.
   *
   * @return the time of the next call
   */
  long poll(long nowNs) {
    long next = resolve(nowNs);
    if (!known) {
      return next;
    }
    if (heardNs == Long.MIN_VALUE) {
      heardNs = nowNs;
    }
    late = nowNs - heardNs >= SILENCE_NS;
    return late ? next : Math.min(next, heardNs + SILENCE_NS);
  }

  /** Whether the source is silent for long, unless something waits to be read. */
  boolean isLate() {
    return late && !silent;
  }

  private long resolve(long nowNs) {
    if (lookup.isEmpty() || nowNs < lookupNs) {
      return lookup.isEmpty() ? Long.MAX_VALUE : lookupNs;
    }
    if (!looking) {
      lookup.get().begin();
      looking = true;
    }
    if (!lookup.get().ended()) {
      lookupNs = nowNs + LOOKUP_NS;
      return lookupNs;
    }
    looking = false;
    List<SockAddr> found = lookup.get().addresses();
    failure =
        found.isEmpty()
            ? "prev.address: " + lookup.get().host() + ": " + lookup.get().failure()
            : "";
    only = found.isEmpty() ? only : found;
    if (lookup.get().host().isLiteral()) {
      lookupNs = Long.MAX_VALUE;
    } else {
      lookupNs = nowNs + (found.isEmpty() ? backoff.next() : SILENCE_NS);
    }
    return lookupNs;
  }

  /** Why the source of the settings is not known; empty without a failure. */
  String failure() {
    return failure;
  }

  long foreign() {
    return foreign.get();
  }
}
