package io.isle.fabric.ring.isle;

import io.isle.lib.leap.isle.Hello;
import io.isle.lib.leap.isle.IsleFrame;
import io.isle.lib.leap.isle.Refusal;

/**
 * The greetings of a path: when the own one is due, whether that of the neighbour is refused, and
 * the pauses after paths that failed.
 */
final class LaneGreeting {
  private static final long REPEAT_NS = 100_000_000L;
  private static final long LEAST_WAIT_NS = 50_000_000L;
  private static final long MOST_WAIT_NS = 2_000_000_000L;

  private final IsleSpec spec;
  private final FrameExchange link;
  private long begunNs;
  private long dueNs;
  private long quietUntilNs = Long.MIN_VALUE;
  private long waitNs = LEAST_WAIT_NS;
  private String refusal = "";
  private boolean refused;

  LaneGreeting(IsleSpec spec, FrameExchange link) {
    this.spec = spec;
    this.link = link;
  }

  /** A path begins. */
  void begin(long nowNs) {
    refusal = "";
    refused = false;
    begunNs = Math.max(nowNs, quietUntilNs);
    dueNs = spec.connects() ? begunNs : Long.MAX_VALUE;
  }

  /** Time of the begin of the path. */
  long begunNs() {
    return begunNs;
  }

  /** Time of the own greeting, or at which that of the neighbour is too late. */
  long deadlineNs() {
    return Math.min(dueNs, begunNs + Greeting.LIMIT_NS);
  }

  /** Whether the greeting of the neighbour is too late. */
  boolean isLate(long nowNs) {
    return nowNs - begunNs >= Greeting.LIMIT_NS;
  }

  /** Whether a greeting fits; else it is refused. */
  boolean accepts(Lane lane, Hello theirs, long nowNs) {
    refusal = link.refusal(lane, theirs, nowNs);
    return refusal.isEmpty();
  }

  /** Why the greeting of the neighbour is refused; empty if it is not. */
  String refusal() {
    return refusal;
  }

  /** The greeting of the neighbour was accepted: the accepting side replies. */
  void reply(long nowNs) {
    dueNs = spec.connects() ? Long.MAX_VALUE : nowNs;
  }

  /** The path is up: the next failure is followed by a short pause. */
  void succeeded() {
    waitNs = LEAST_WAIT_NS;
  }

  /** A path failed: the next one begins after a pause. */
  void backOff(long nowNs) {
    quietUntilNs = nowNs + waitNs;
    waitNs = Math.min(2 * waitNs, MOST_WAIT_NS);
  }

  /** A path without connections has ended: its late datagrams are not those of the next one. */
  void rest(long nowNs) {
    quietUntilNs = Math.max(quietUntilNs, nowNs + LEAST_WAIT_NS);
  }

  /**
   * Composes the greeting or the refusal that is due.
   *
   * @param lossy whether greetings get lost, and are repeated
   * @return bytes of the frame; 0 for none
   */
  int compose(OwnFrame own, boolean lossy, long nowNs) {
    if (!refusal.isEmpty()) {
      if (spec.connects() || refused) {
        return 0;
      }
      refused = true;
      int length = Refusal.write(own.memory, OwnFrame.PAYLOAD, refusal);
      return own.seal(IsleFrame.REFUSAL, length, nowNs);
    }
    if (nowNs < dueNs) {
      return 0;
    }
    dueNs = spec.connects() && lossy ? nowNs + REPEAT_NS : Long.MAX_VALUE;
    link.sessions().hello(!spec.connects()).write(own.memory, OwnFrame.PAYLOAD);
    return own.seal(IsleFrame.HELLO, Hello.BYTES, nowNs);
  }
}
