package io.isle.apps.chaos;

import io.isle.api.chaos.ChaosReport.Recoveries;
import io.isle.api.device.Recovery;
import io.isle.api.device.RecoveryLog;
import io.isle.apps.chaos.check.Quantiles;
import io.isle.apps.chaos.platform.Core;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * All recoveries of a run: the node keeps only the newest, and forgets them when the service that
 * runs drivers restarts, so it is looked at again and again. Used by one thread.
 */
final class RecoveryHistory {
  private record Key(String device, long number, long startedEpochMs) {}

  private final Core core;
  private final Map<Key, Recovery> seen = new HashMap<>();

  RecoveryHistory(Core core) {
    this.core = core;
  }

  void look() {
    try {
      for (Recovery recovery : core.get(RecoveryLog.class).all()) {
        seen.put(
            new Key(recovery.device(), recovery.number(), recovery.startedEpochMs()), recovery);
      }
    } catch (Core.AwayException | IllegalStateException e) {
      // it is restarted just now; the next look is soon
    }
  }

  /** Those that began after {@code epochMs}. */
  Recoveries since(long epochMs) {
    List<Recovery> all =
        seen.values().stream().filter(recovery -> recovery.startedEpochMs() >= epochMs).toList();
    List<Long> times =
        all.stream()
            .filter(recovery -> recovery.outcome() == Recovery.Outcome.RECOVERED)
            .map(Recovery::totalNs)
            .toList();
    return new Recoveries(
        times.size(),
        all.size() - times.size(),
        Quantiles.of(times, 0.5),
        Quantiles.of(times, 0.99));
  }
}
