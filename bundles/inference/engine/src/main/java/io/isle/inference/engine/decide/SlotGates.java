package io.isle.inference.engine.decide;

import io.isle.api.inference.FallbackReason.CycleBudgetExceeded;
import io.isle.api.inference.FallbackReason.OutputValidationFailed;
import io.isle.inference.engine.fallback.FallbackGate;
import io.isle.inference.engine.fallback.FallbackGates;
import io.isle.inference.engine.fallback.ModelFallback;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/** The gates of one slot: of the model, and of each group. Any thread. */
public final class SlotGates implements FallbackGates {
  private final Gate model = new Gate();
  private final Map<String, Gate> groups = new ConcurrentSkipListMap<>();

  Gate model() {
    return model;
  }

  Gate group(String name) {
    return groups.computeIfAbsent(name, key -> new Gate());
  }

  @Override
  public FallbackGate ofModel() {
    return model;
  }

  @Override
  public FallbackGate ofGroup(String name) {
    return group(name);
  }

  /** Models run on processors only: nothing passes here. */
  @Override
  public FallbackGate ofDevice(String device) {
    return new Gate();
  }

  /** Tells the machines what calls have reported. */
  public void tell(ModelFallback fallback) {
    int ofModel = model.takeNews();
    if ((ofModel & Gate.OVER_BUDGET) != 0) {
      fallback.enter(new CycleBudgetExceeded());
    }
    if (isTried(ofModel)) {
      fallback.tried(ofModel == Gate.SUCCEEDED);
    }
    groups.forEach(
        (group, gate) -> {
          int news = gate.takeNews();
          if ((news & Gate.INVALID) != 0) {
            fallback.enterGroup(group, new OutputValidationFailed());
          }
          if (isTried(news)) {
            fallback.tried(group, news == Gate.SUCCEEDED);
          }
        });
  }

  /** Forgets what was reported of a model that serves no longer. */
  public void forgetReports() {
    int ignored = model.takeNews();
    groups.values().forEach(gate -> gate.takeNews());
  }

  private static boolean isTried(int news) {
    return (news & (Gate.SUCCEEDED | Gate.FAILED)) != 0;
  }
}
