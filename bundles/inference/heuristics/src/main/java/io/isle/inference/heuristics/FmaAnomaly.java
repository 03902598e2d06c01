package io.isle.inference.heuristics;

import io.isle.api.inference.CheckedDecisions;
import io.isle.api.inference.DecisionOutput;
import io.isle.api.inference.DecisionOutput.Outside;
import io.isle.api.inference.DecisionPoint;
import io.isle.api.inference.DecisionSpec;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/**
 * Whether the hardware degrades, and what of it. The rule is a hard limit for each metric. The
 * outcome is what failed, with 1000, or 0 and no class.
 */
@Component(
    service = {DecisionPoint.class, CheckedDecisions.class},
    immediate = true,
    property = CheckedDecisions.DECISION + "=fma_anomaly")
public final class FmaAnomaly extends CheckedPoint {
  /** Score from which an anomaly is an alert. */
  static final int ALERT = 500;

  static final int CERTAIN = 1000;

  static final int NOTHING = 0;
  static final int MEMORY = 1;
  static final int STORAGE = 2;
  static final int BUS = 3;
  static final int THERMAL = 4;

  /** Metrics with a limit, by their places. */
  static final int[] METRICS = {0, 2, 3, 4, 5, 6, 7};

  /** Their hard limits; more is an alert. */
  static final int[] LIMITS = {100, 20, 100, 50, 10, 100, 95};

  private static final int[] CLASSES = {MEMORY, THERMAL, BUS, STORAGE, STORAGE, BUS, STORAGE};

  /** Called by the service component runtime. */
  public FmaAnomaly() {
    super(
        new DecisionSpec(
            "fma_anomaly",
            List.of(
                upTo("ecc_rate", "1/h", Integer.MAX_VALUE),
                upTo("ecc_baseline", "1/h", Integer.MAX_VALUE),
                within("temperature_delta", "K", -200, 200),
                upTo("pcie_rate", "1/h", Integer.MAX_VALUE),
                upTo("smart_reallocated", "count", Integer.MAX_VALUE),
                upTo("smart_pending", "count", Integer.MAX_VALUE),
                upTo("smart_crc", "count", Integer.MAX_VALUE),
                upTo("smart_wear", "%", 255),
                upTo("power_on", "h", Integer.MAX_VALUE)),
            List.of(
                new DecisionOutput("anomaly", "1/1000", 0, CERTAIN, Outside.CLAMP),
                new DecisionOutput("failure", "class", NOTHING, THERMAL, Outside.REJECT))));
  }

  @Override
  void choose(int[] features, int[] out) {
    out[0] = 0;
    out[1] = NOTHING;
  }

  /** A metric above its hard limit is an alert, whoever decided. */
  @Override
  void check(int[] features, int[] out) {
    for (int i = 0; i < METRICS.length; i++) {
      if (features[METRICS[i]] > LIMITS[i]) {
        if (out[0] < ALERT || out[1] == NOTHING) {
          out[1] = CLASSES[i];
        }
        out[0] = CERTAIN;
        return;
      }
    }
  }

  /** An alert that is right or rightly missing counts 600, the right class 400 more. */
  @Override
  public int score(int[] features, int[] out, int[] actual) {
    boolean alert = out[0] >= ALERT;
    if (alert != actual[0] >= ALERT) {
      return 0;
    }
    return !alert || out[1] == actual[1] ? 1000 : 600;
  }
}
