package io.isle.fabric.ring.isle;

/** The signs of life on a path: those of the neighbour, and when the next own one is due. */
final class LaneClock {
  /** Heartbeats of the neighbour after whose absence its path is dead. */
  private static final int MISSED = 4;

  /** The part of the time between heartbeats by which the master is early: the others join. */
  private static final int EARLY = 16;

  /** The part of that time for which a heartbeat may be early, to join others. */
  private static final int JOINS = 4;

  /** The same at rest: no sign of life of a neighbour brings the links of a node together. */
  private static final int RESTING_JOINS = 2;

  private final long beatNs;

  /** Between two own heartbeats that nothing brings forward. */
  private final long everyNs;

  private long dueNs;
  private long peerBeatNs;
  private long heardNs;
  private long lookedNs;
  private long heardBytes;

  LaneClock(IsleSpec spec) {
    beatNs = spec.heartbeatNs();
    everyNs = spec.leads() ? beatNs - beatNs / EARLY : beatNs;
  }

  /** A port has come, or goes. */
  void restart(long nowNs) {
    heardNs = nowNs;
    lookedNs = nowNs;
  }

  /**
   * A path begins.
   *
   * @param arrived bytes that arrived on all paths before
   */
  void begin(long arrived, long nowNs) {
    restart(nowNs);
    heardBytes = arrived;
  }

  /** The greetings are exchanged. */
  void greeted(long neighbourBeatNs, long nowNs) {
    peerBeatNs = neighbourBeatNs;
    dueNs = nowNs + everyNs;
  }

  /** Behind a look at the port: any byte is a sign of life. */
  void looked(long arrived, long nowNs) {
    lookedNs = nowNs;
    if (arrived != heardBytes) {
      heardBytes = arrived;
      heardNs = nowNs;
    }
  }

  /**
   * Before a look at the port: a pause of this node is no silence of the neighbour. The own
   * heartbeats alone bring a look after each {@code beatNs}.
   */
  void forgivePause(long nowNs) {
    if (nowNs - lookedNs > 2 * beatNs) {
      heardNs = Math.max(heardNs, nowNs - peerBeatNs);
    }
  }

  /** Time at which the path is dead without a sign of life. */
  long silentNs() {
    return heardNs + MISSED * peerBeatNs;
  }

  /** Nanoseconds since the last sign of life. */
  long ageNs(long nowNs) {
    return nowNs - heardNs;
  }

  /** The absence of signs of life in words. */
  String silence(String neighbour, long nowNs) {
    return neighbour
        + " was silent for "
        + ageNs(nowNs) / 1_000_000
        + " ms: its program is stopped, or the network is down";
  }

  /** Time of the next own heartbeat. */
  long dueNs() {
    return dueNs;
  }

  /** Whether own heartbeats bring a look at least as often as those of the neighbour come. */
  boolean looksOften() {
    return beatNs <= peerBeatNs;
  }

  /** The own heartbeat is due at once. */
  void hasten(long nowNs) {
    dueNs = Math.min(dueNs, nowNs);
  }

  /** The own heartbeat is sent. */
  void beat(long nowNs) {
    dueNs = nowNs + everyNs;
  }

  /**
   * The node is awake for a heartbeat of a neighbour, or for a packet: an own heartbeat that is due
   * soon goes along, so that the node need not wake for this.
   *
   * @param resting whether the node wakes for own heartbeats alone, one of which is due
   */
  void join(long nowNs, boolean resting) {
    if (dueNs - nowNs <= beatNs / (resting ? RESTING_JOINS : JOINS)) {
      hasten(nowNs);
    }
  }
}
