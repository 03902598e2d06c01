package io.isle.inference.heuristics;

import io.isle.api.inference.CheckedDecisions;
import io.isle.api.inference.DecisionOutput;
import io.isle.api.inference.DecisionOutput.Outside;
import io.isle.api.inference.DecisionPoint;
import io.isle.api.inference.DecisionSpec;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/**
 * Which request of a device's queue comes first: the one with the highest priority. The rule is
 * that of mq-deadline: by address, upwards from the last one, unless a deadline has passed. The
 * outcome is the priority that the request should have had.
 */
@Component(
    service = {DecisionPoint.class, CheckedDecisions.class},
    immediate = true,
    property = CheckedDecisions.DECISION + "=io_scheduler")
public final class IoScheduler extends CheckedPoint {
  /** Deadline of a read in milliseconds. */
  static final int READ_MS = 50;

  /** Deadline of a write. */
  static final int WRITE_MS = 500;

  /** Least priority of a request whose deadline has passed; all others are below. */
  static final int EXPIRED = 1 << 20;

  static final int MOST = 2 * EXPIRED - 1;

  static final int ADDRESS = 0;
  static final int WRITE = 2;
  static final int WAITED = 8;
  static final int LAST_ADDRESS = 9;

  /** Priorities are 20 bits, distances 31. */
  private static final int DISTANCE_SHIFT = 11;

  /** Called by the service component runtime. */
  public IoScheduler() {
    super(
        new DecisionSpec(
            "io_scheduler",
            List.of(
                upTo("address", "sectors", Integer.MAX_VALUE),
                upTo("size", "sectors", Integer.MAX_VALUE),
                upTo("write", "flag", 1),
                upTo("queue_depth", "count", 65_535),
                upTo("utilization", "%", 100),
                upTo("recent_reads", "%", 100),
                upTo("recent_sequential", "%", 100),
                upTo("recent_size", "sectors", Integer.MAX_VALUE),
                upTo("waited", "ms", Integer.MAX_VALUE),
                upTo("last_address", "sectors", Integer.MAX_VALUE)),
            List.of(new DecisionOutput("priority", "order", 0, MOST, Outside.CLAMP))));
  }

  @Override
  void choose(int[] features, int[] out) {
    int overdue = overdue(features);
    if (overdue >= 0) {
      out[0] = EXPIRED + Math.min(overdue, EXPIRED - 1);
    } else {
      // one below the last address comes last: the whole way round
      int distance = features[ADDRESS] - features[LAST_ADDRESS] & Integer.MAX_VALUE;
      out[0] = EXPIRED - 1 - (distance >>> DISTANCE_SHIFT);
    }
  }

  /** No answer lets a request wait past its deadline behind those that have time. */
  @Override
  void check(int[] features, int[] out) {
    boolean expired = overdue(features) >= 0;
    out[0] = Math.clamp(out[0], expired ? EXPIRED : 0, expired ? MOST : EXPIRED - 1);
  }

  private static int overdue(int[] features) {
    return Math.max(0, features[WAITED]) - (features[WRITE] == 0 ? READ_MS : WRITE_MS);
  }

  /** 1000 for the right place, 0 from a quarter of the order away. */
  @Override
  public int score(int[] features, int[] out, int[] actual) {
    long off = Math.abs((long) out[0] - actual[0]);
    return (int) Math.max(0, 1000 - off * 1000 / (EXPIRED / 4));
  }
}
