package io.isle.inference.engine.slot;

import io.isle.api.base.MonotonicClock;
import io.isle.api.inference.ScoreInfo;
import io.isle.inference.engine.score.DriftMachine;
import io.isle.inference.engine.score.Score;
import io.isle.inference.engine.score.ScoreWindow;

/** How one model decides for one group. Under the slot's lock. */
final class GroupScore {
  private final ScoreWindow window;
  private final DriftMachine drift;

  /**
   * @param drifts whether it did before a restart
   */
  GroupScore(ScoreRules rules, MonotonicClock clock, boolean drifts) {
    window = new ScoreWindow(clock);
    window.limits(rules.window());
    drift = new DriftMachine(rules.drift(), clock);
    drift.restore(drifts);
  }

  void add(int model, int heuristic) {
    window.add(model, heuristic);
  }

  void rules(ScoreRules changed) {
    window.limits(changed.window());
    drift.limits(changed.drift());
  }

  boolean isDue() {
    return drift.isDue();
  }

  DriftMachine.Look look(Score score) {
    return drift.look(score, window.total().outcomes());
  }

  Score score() {
    return window.score();
  }

  long outcomes() {
    return window.total().outcomes();
  }

  boolean drifts() {
    return drift.detected();
  }

  void forgetDrift() {
    drift.restore(false);
  }

  ScoreInfo info() {
    Score now = window.score();
    return new ScoreInfo(now.outcomes(), now.accuracy(), now.heuristicAccuracy(), drift.detected());
  }
}
