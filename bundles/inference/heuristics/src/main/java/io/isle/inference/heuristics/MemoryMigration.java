package io.isle.inference.heuristics;

import io.isle.api.inference.CheckedDecisions;
import io.isle.api.inference.DecisionOutput;
import io.isle.api.inference.DecisionOutput.Outside;
import io.isle.api.inference.DecisionPoint;
import io.isle.api.inference.DecisionSpec;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/**
 * Whether a page moves between processor and device. The rule counts accesses. The outcome is the
 * action that would have been the best one.
 */
@Component(
    service = {DecisionPoint.class, CheckedDecisions.class},
    immediate = true,
    property = CheckedDecisions.DECISION + "=memory_migration")
public final class MemoryMigration extends CheckedPoint {
  /** The page stays where it is. */
  static final int KEEP = 0;

  /** The page moves to the device. */
  static final int TO_DEVICE = 1;

  /** The page moves back from the device. */
  static final int EVICT = 2;

  static final int DEVICE_ACCESSES = 0;
  static final int CPU_ACCESSES = 1;
  static final int ON_DEVICE = 5;
  static final int PINNED = 6;
  static final int PAGE_SIZE = 3;
  static final int DEVICE_FREE = 7;

  /** Called by the service component runtime. */
  public MemoryMigration() {
    super(
        new DecisionSpec(
            "memory_migration",
            List.of(
                upTo("device_accesses", "count", Integer.MAX_VALUE),
                upTo("cpu_accesses", "count", Integer.MAX_VALUE),
                upTo("since_access", "us", Integer.MAX_VALUE),
                upTo("page_size", "KiB", 1 << 20),
                upTo("device_pressure", "%", 100),
                upTo("on_device", "flag", 1),
                upTo("pinned", "flag", 1),
                upTo("device_free", "KiB", Integer.MAX_VALUE)),
            List.of(new DecisionOutput("action", "kind", KEEP, EVICT, Outside.REJECT))));
  }

  @Override
  void choose(int[] features, int[] out) {
    long device = features[DEVICE_ACCESSES];
    long processor = features[CPU_ACCESSES];
    if (features[ON_DEVICE] == 0) {
      out[0] = device > 2 * processor ? TO_DEVICE : KEEP;
    } else {
      out[0] = processor > 2 * device ? EVICT : KEEP;
    }
  }

  /** A pinned page stays; a page moves only from where it is to where it fits. */
  @Override
  void check(int[] features, int[] out) {
    boolean onDevice = features[ON_DEVICE] != 0;
    boolean possible =
        switch (out[0]) {
          case TO_DEVICE -> !onDevice && features[PAGE_SIZE] <= features[DEVICE_FREE];
          case EVICT -> onDevice;
          default -> false;
        };
    if (!possible || features[PINNED] != 0) {
      out[0] = KEEP;
    }
  }

  /** A page that stays wrongly costs less than one that moves wrongly. */
  @Override
  public int score(int[] features, int[] out, int[] actual) {
    if (out[0] == actual[0]) {
      return 1000;
    }
    return out[0] == KEEP ? 300 : 0;
  }
}
