package io.isle.inference.heuristics;

import io.isle.api.inference.CheckedDecisions;
import io.isle.api.inference.DecisionFeature;
import io.isle.api.inference.DecisionOutput;
import io.isle.api.inference.DecisionOutput.Outside;
import io.isle.api.inference.DecisionPoint;
import io.isle.api.inference.DecisionSpec;
import java.util.ArrayList;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/**
 * How much of the total power each domain gets. The rule gives all the same. The outcome is what
 * each domain could have used.
 */
@Component(
    service = {DecisionPoint.class, CheckedDecisions.class},
    immediate = true,
    property = CheckedDecisions.DECISION + "=power_budget")
public final class PowerBudget extends CheckedPoint {
  /** Most domains. */
  static final int DOMAINS = 8;

  static final int TOTAL = 0;
  static final int COUNT = 1;
  static final int LIMITS = 2 + DOMAINS;

  private static final int MOST_MW = 1_000_000_000;

  /** Called by the service component runtime. */
  public PowerBudget() {
    super(new DecisionSpec("power_budget", features(), outputs()));
  }

  private static List<DecisionFeature> features() {
    List<DecisionFeature> list = new ArrayList<>();
    list.add(upTo("total", "mW", MOST_MW));
    list.add(within("domains", "count", 1, DOMAINS));
    for (int i = 1; i <= DOMAINS; i++) {
      list.add(upTo("drawn_" + i, "mW", MOST_MW));
    }
    for (int i = 1; i <= DOMAINS; i++) {
      list.add(upTo("limit_" + i, "mW", MOST_MW));
    }
    return list;
  }

  private static List<DecisionOutput> outputs() {
    List<DecisionOutput> list = new ArrayList<>();
    for (int i = 1; i <= DOMAINS; i++) {
      list.add(new DecisionOutput("share_" + i, "mW", 0, MOST_MW, Outside.CLAMP));
    }
    return list;
  }

  @Override
  void choose(int[] features, int[] out) {
    int domains = domains(features);
    int share = Math.max(0, features[TOTAL]) / domains;
    for (int i = 0; i < DOMAINS; i++) {
      out[i] = i < domains ? share : 0;
    }
  }

  /** No domain gets more than it stands, all together no more than the total. */
  @Override
  void check(int[] features, int[] out) {
    int domains = domains(features);
    long total = Math.max(0, features[TOTAL]);
    long sum = 0;
    for (int i = 0; i < DOMAINS; i++) {
      int most = i < domains ? Math.max(0, features[LIMITS + i]) : 0;
      out[i] = Math.clamp(out[i], 0, most);
      sum += out[i];
    }
    for (int i = 0; sum > total && i < DOMAINS; i++) {
      out[i] = (int) (out[i] * total / sum);
    }
  }

  private static int domains(int[] features) {
    return Math.clamp(features[COUNT], 1, DOMAINS);
  }

  /** The part of the usable power that was given to whom could use it. */
  @Override
  public int score(int[] features, int[] out, int[] actual) {
    long used = 0;
    long usable = 0;
    for (int i = 0; i < DOMAINS; i++) {
      int its = Math.max(0, actual[i]);
      usable += its;
      used += Math.clamp(out[i], 0, its);
    }
    return usable == 0 ? 1000 : (int) (used * 1000 / usable);
  }
}
