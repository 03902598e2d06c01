package io.isle.fabric.ring.health;

import io.isle.api.fabric.FailureCause;
import io.isle.api.fabric.NodeFailure;
import io.isle.api.fabric.RingRole;
import java.util.HashMap;
import java.util.Map;

/**
 * The log and the audit of failures: by the master and by each reporter, because all nodes of a
 * ring know. A failure that comes and goes is told once in a while. One thread at a time.
 */
public final class FailureLog {
  private static final System.Logger LOG = System.getLogger(FailureLog.class.getName());

  /** Least time between two reports of a node with one cause. */
  private static final long EACH_NS = 10_000_000_000L;

  /** Most reports in that time; a hostile neighbour can report any number of nodes. */
  private static final int MOST = 32;

  private final String ring;
  private final String self;
  private final boolean master;
  private final FailureSink sink;
  private final Map<String, Long> told = new HashMap<>();
  private long begunNs = Long.MIN_VALUE / 2;
  private int count;
  private int hidden;

  /** The log of a node. */
  public FailureLog(String ring, String self, RingRole role, FailureSink sink) {
    this.ring = ring;
    this.self = self;
    master = role == RingRole.MASTER;
    this.sink = sink;
  }

  /** News of a node. */
  public void tell(FailureChange change, long nowNs) {
    NodeFailure failure = change.failure();
    if ((master || change.own()) && isDue(failure, nowNs)) {
      if (failure.lasts()) {
        LOG.log(
            failure.cause() == FailureCause.LEFT
                ? System.Logger.Level.INFO
                : System.Logger.Level.WARNING,
            "ring {0}, node {1}: {2} has failed ({3}): {4}",
            ring,
            self,
            failure.node(),
            failure.cause().text(),
            failure.text());
      } else {
        LOG.log(
            System.Logger.Level.INFO,
            "ring {0}, node {1}: the failure of {2} has ended after {3} ms",
            ring,
            self,
            failure.node(),
            (failure.endedNs() - failure.detectedNs()) / 1_000_000);
      }
      sink.changed(ring, self, change);
    }
  }

  private boolean isDue(NodeFailure failure, long nowNs) {
    if (nowNs - begunNs >= EACH_NS) {
      begin(nowNs);
    }
    String key = failure.node() + ' ' + failure.cause() + ' ' + failure.lasts();
    Long last = told.get(key);
    if (last != null && nowNs - last < EACH_NS) {
      return false;
    }
    if (count == MOST) {
      hidden++;
      return false;
    }
    count++;
    told.put(key, nowNs);
    return true;
  }

  private void begin(long nowNs) {
    if (hidden > 0) {
      LOG.log(
          System.Logger.Level.WARNING,
          "ring {0}, node {1}: {2} further reports of failures are not in the log; see ring:status",
          ring,
          self,
          hidden);
    }
    begunNs = nowNs;
    count = 0;
    hidden = 0;
    told.values().removeIf(last -> nowNs - last >= EACH_NS);
  }
}
