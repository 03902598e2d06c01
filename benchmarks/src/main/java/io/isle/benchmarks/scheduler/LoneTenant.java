package io.isle.benchmarks.scheduler;

import io.isle.api.tenancy.GroupSpec;
import io.isle.api.tenancy.GroupTree;
import io.isle.benchmarks.LocalPlatform;
import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import io.isle.benchmarks.share.Load;
import io.isle.core.accel.group.AccelGroupKeys;
import java.io.PrintStream;
import java.util.HashMap;
import java.util.Map;

/**
 * What guarantees cost who has the device to himself: submissions a second below three levels of
 * groups, with a guarantee and ceilings that do not bind, over those without groups.
 */
final class LoneTenant {
  private static final String NAME = "lone-tenant";
  private static final int PAIRS = 21;
  private static final double GOAL = 0.99;
  private static final int INFLIGHT = 64;
  private static final long BUSY_US = 100;
  private static final long WARM_UP_NS = 200_000_000;
  private static final long LENGTH_NS = 1_000_000_000;
  private static final String WHOLE = "soft0 1000000 1000000";

  private final Settings settings;
  private final PrintStream progress;

  LoneTenant(Settings settings, PrintStream progress) {
    this.settings = settings;
    this.progress = progress;
  }

  Row run() throws InterruptedException {
    int pairs = settings.size(PAIRS, 1);
    double[] scheduled = new double[pairs];
    double[] free = new double[pairs];
    for (int pair = settings.size(-1, 0); pair < pairs; pair++) {
      // who comes first in a pair takes turns, so that what drifts hits both
      boolean first = (pair & 1) == 0;
      double early = rate(first);
      double late = rate(!first);
      if (pair >= 0) {
        scheduled[pair] = first ? early : late;
        free[pair] = first ? late : early;
        progress.printf(
            "scheduler: %s: pair %d of %d: %.4f%n",
            NAME, pair + 1, pairs, scheduled[pair] / free[pair]);
      }
    }
    return Row.against(
        "scheduler", NAME, "/s", "higher", scheduled, free, "policy priority, no groups", GOAL);
  }

  private double rate(boolean scheduled) throws InterruptedException {
    LocalPlatform platform =
        new LocalPlatform(
            settings.nativeDirectory(), 1, Map.of(), Map.of("scheduling", policy(scheduled)));
    if (scheduled) {
      platform.setGroups(
          group("company", GroupTree.ROOT, AccelGroupKeys.COMPUTE_MAX),
          group("team", "company", AccelGroupKeys.COMPUTE_MAX),
          group("tenant", "team", AccelGroupKeys.COMPUTE_MAX, AccelGroupKeys.COMPUTE_GUARANTEE));
    }
    String group = scheduled ? "tenant" : GroupTree.ROOT;
    try (platform;
        Load load = Load.busy(platform, group, BUSY_US, INFLIGHT)) {
      return load.rate(settings.size(WARM_UP_NS, 0L), settings.size(LENGTH_NS, 20_000_000L));
    }
  }

  private static String policy(boolean scheduled) {
    return scheduled ? "soft0 guaranteed" : "soft0 priority";
  }

  private static GroupSpec group(String name, String parent, String... keys) {
    Map<String, String> all = new HashMap<>();
    all.put(GroupSpec.PARENT, parent);
    for (String key : keys) {
      all.put(key, WHOLE);
    }
    return GroupSpec.of(name, all);
  }
}
