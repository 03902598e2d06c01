package io.isle.fabric.udp;

import io.isle.lib.ffi.HostPort;
import io.isle.lib.ffi.SockAddr;
import io.isle.lib.ffi.Sockets;
import io.isle.lib.net.Backoff;
import io.isle.lib.net.Lookup;
import io.isle.lib.net.PeerRules;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The address of the next node. A name is looked up again after failures, and its addresses are
 * tried one after the other. One thread at a time, but for the count.
 */
final class Target implements Receiver.Sources {
  private static final long LOOKUP_NS = 20_000_000L;

  private final HostPort host;
  private final PeerRules rules;
  private final Lookup lookup;
  private final Backoff backoff;
  private final AtomicLong foreign = new AtomicLong();
  private final SockAddr address = new SockAddr();
  private boolean known;
  private boolean looking;
  private boolean refused;
  private long due = Long.MIN_VALUE;
  private String failure = "";

  Target(HostPort host, PeerRules rules, Lookup lookup, Backoff backoff) {
    this.host = host;
    this.rules = rules;
    this.lookup = lookup;
    this.backoff = backoff;
  }

  @Override
  public boolean admits(SockAddr source) {
    boolean admitted = source.sameAs(address);
    if (!admitted) {
      foreign.incrementAndGet();
    }
    return admitted;
  }

  SockAddr address() {
    return address;
  }

  boolean isKnown() {
    return known;
  }

  /** Whether the settings forbid all addresses. */
  boolean isRefused() {
    return refused;
  }

  String failure() {
    return failure;
  }

  long foreign() {
    return foreign.get();
  }

  /** The time of the next lookup; {@link Long#MAX_VALUE} for none. */
  long dueNs() {
    return due;
  }

  boolean isDue(long nowNs) {
    return nowNs >= due;
  }

  /** The address has failed: asks for the name again, after a delay. */
  void again(long nowNs) {
    if (known && due == Long.MAX_VALUE && !host.isLiteral()) {
      due = nowNs + backoff.next();
    }
  }

  /** Goes on with the address of an earlier version; false if the text is no address. */
  boolean restore(String text) {
    if (text.isEmpty()) {
      return true;
    }
    try {
      address.copyFrom(HostPort.parse(text).resolve().getFirst());
    } catch (IllegalArgumentException | UnknownHostException e) {
      return false;
    }
    known = true;
    due = Long.MAX_VALUE;
    return true;
  }

  /**
   * Looks the address up when the time has come.
   *
   * @param family of the socket; 0 if the socket is opened for the address
   * @return the time of the next call
   */
  long poll(long nowNs, int family) {
    if (nowNs < due) {
      return due;
    }
    if (!looking) {
      lookup.begin();
      looking = true;
    }
    if (!lookup.ended()) {
      due = nowNs + LOOKUP_NS;
      return due;
    }
    looking = false;
    List<SockAddr> found = lookup.addresses();
    List<SockAddr> permitted = found.stream().filter(rules::mayReach).toList();
    List<SockAddr> usable = permitted.stream().filter(one -> fits(family, one)).toList();
    refused = permitted.isEmpty() && !found.isEmpty();
    if (usable.isEmpty()) {
      failure = "next: " + host + ": " + why(found, permitted);
      boolean lasting = host.isLiteral();
      due = lasting ? Long.MAX_VALUE : nowNs + backoff.next();
      return due;
    }
    take(usable, family);
    due = Long.MAX_VALUE;
    failure = "";
    return due;
  }

  private static boolean fits(int family, SockAddr one) {
    return family == 0 || family == Sockets.AF_INET6 || one.family() == family;
  }

  private String why(List<SockAddr> found, List<SockAddr> permitted) {
    if (found.isEmpty()) {
      return lookup.failure();
    }
    return permitted.isEmpty()
        ? PeerRules.refusal(found.getFirst().toString())
        : "an IPv6 address; datagrams leave from listen, which is an IPv4 address. Listen on [::]";
  }

  /** The address behind the present one; the first one if that is not among them. */
  private void take(List<SockAddr> usable, int family) {
    int next = 0;
    for (int i = 0; known && i < usable.size(); i++) {
      if (usable.get(i).sameAs(address)) {
        next = (i + 1) % usable.size();
      }
    }
    address.copyFrom(usable.get(next));
    if (family == Sockets.AF_INET6) {
      address.mapToIpv6();
    }
    known = true;
  }
}
