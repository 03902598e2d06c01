package io.isle.net.tile;

import io.isle.api.net.tile.PollMode;
import io.isle.api.net.tile.TileCalls;
import io.isle.lib.tile.TileState;

/**
 * When a port hands frames over and wakes the kernel. Frames to send are handed over when 70 % of
 * TX wait, when a cycle has nothing more to send, or when the oldest has waited for the flush time;
 * then again as long as the kernel leaves frames in TX.
 */
final class Flush {
  /** How long a port that takes nothing holds up the links, before frames are dropped. */
  static final long PATIENCE_NS = 1_000_000;

  /** Preferred busy polling: a call is due so long behind the last one. */
  static final long POLL_NS = 5_000;

  /** Preferred busy polling: a call so long behind the last one even if frames arrive. */
  static final long FORCED_POLL_NS = 150_000;

  private static final int AGAIN = -11;
  private static final int BUSY = -16;
  private static final int NO_BUFFERS = -105;

  private final Port port;
  private final TileState state;
  private final TileCalls calls;
  private final long flushNs;
  private final int most;
  private final boolean polls;
  private boolean started;
  private int received;
  private int burst;
  private long oldestNs;
  private boolean owed;
  private long owedNs;
  private boolean full;
  private long fullNs;
  private long polledNs;

  Flush(Port port, TileState state, TileCalls calls, long flushNs) {
    this.port = port;
    this.state = state;
    this.calls = calls;
    this.flushNs = flushNs;
    this.most = Math.max(1, (int) (port.memory.txFrames() * 7L / 10));
    this.polls = port.memory.poll() == PollMode.PREFBUSY;
  }

  /** The first cycle: what another tile handed over may lack a wake. */
  private void start(long nowNs) {
    started = true;
    owed = port.tx.pending() != 0;
    owedNs = nowNs;
    polledNs = nowNs - FORCED_POLL_NS;
  }

  /** So many frames arrived in this cycle. */
  void received(int count) {
    received = count;
  }

  /** A frame was entered into TX. */
  void staged(long nowNs) {
    if (burst++ == 0) {
      oldestNs = nowNs;
    }
    full = false;
  }

  /** Whether the port has had no room for so long that frames are dropped. */
  boolean hasGivenUp(long nowNs) {
    if (!full) {
      full = true;
      fullNs = nowNs;
    }
    return nowNs - fullNs >= PATIENCE_NS;
  }

  /**
   * The end of a cycle.
   *
   * @param drained whether the links have nothing more to send
   */
  void end(boolean drained, long nowNs) {
    if (!started) {
      start(nowNs);
    }
    if (burst > 0 && (drained || full || burst >= most || nowNs - oldestNs >= flushNs)
        || owed && nowNs - owedNs >= 0) {
      send(nowNs);
    }
    receive(nowNs);
  }

  /** Hands over what is written, without waking the kernel. */
  void publish() {
    port.publishTx();
    port.publishFill();
  }

  private void send(long nowNs) {
    port.publishTx();
    burst = 0;
    int result = 0;
    if (port.tx.needsWakeup()) {
      result = calls.wakeTx(port.number);
      woke(TileState.TX_WAKES, result);
    }
    owed = port.tx.pending() != 0;
    // the kernel says so when it has sent as many as it does in one call
    owedNs = result == AGAIN ? nowNs : nowNs + flushNs;
  }

  private void receive(long nowNs) {
    long since = nowNs - polledNs;
    boolean due =
        polls
            ? received == 0 && since >= POLL_NS || since >= FORCED_POLL_NS
            : (received > 0 || since >= FORCED_POLL_NS) && port.fill.needsWakeup();
    if (due) {
      woke(TileState.RX_WAKES, calls.wakeRx(port.number));
    }
    if (due || !polls && since >= FORCED_POLL_NS) {
      polledNs = nowNs;
    }
  }

  private void woke(int word, int result) {
    state.add(TileState.port(port.number, word), 1);
    if (result < 0 && result != AGAIN && result != BUSY && result != NO_BUFFERS) {
      state.set(TileState.port(port.number, TileState.WAKE_ERROR), -result);
      state.add(TileState.port(port.number, TileState.FAILED_WAKES), 1);
    }
  }

  /** When the next cycle is due at the latest. */
  long deadlineNs() {
    long due = Long.MAX_VALUE;
    if (burst > 0) {
      due = oldestNs + flushNs;
    }
    if (owed) {
      due = Math.min(due, owedNs);
    }
    return polls ? Math.min(due, polledNs + POLL_NS) : due;
  }
}
