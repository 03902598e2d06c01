package io.isle.inference.engine.settings;

import io.isle.api.base.CheckedSettings;
import io.isle.api.base.Setting;
import io.isle.inference.engine.decide.CallLimits;
import io.isle.inference.engine.distribution.DistributionLimits;
import io.isle.inference.engine.fallback.FallbackTimes;
import io.isle.inference.engine.fallback.GroupLimits;
import io.isle.inference.engine.score.DriftLimits;
import io.isle.inference.engine.score.WindowLimits;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The settings of all slots together. Immutable. */
public final class EngineSettings {
  /** PID of the settings. */
  public static final String PID = "io.isle.inference";

  /** The defaults. */
  public static final EngineSettings DEFAULT =
      new EngineSettings(CheckedSettings.defaults(EngineKeys.SCHEMA));

  private final CheckedSettings values;
  private final FallbackTimes times;

  private EngineSettings(CheckedSettings values) {
    this.values = values;
    times =
        FallbackTimes.ofSeconds(
            values.number(EngineKeys.RETRY),
            values.number(EngineKeys.WARNING),
            values.number(EngineKeys.ESCALATION),
            values.number(EngineKeys.AUTO_DISABLE),
            values.number(EngineKeys.ESCALATION_CALLS),
            whole(EngineKeys.RETRIES));
  }

  private int whole(Setting setting) {
    return (int) values.number(setting);
  }

  /**
   * The settings after a change. A bad value, or times out of their order, leave the values of
   * before in force.
   *
   * @param refused called with a message for each of them
   */
  public EngineSettings change(Map<String, ?> properties, Consumer<String> refused) {
    CheckedSettings next = values.change(properties, refused);
    try {
      return new EngineSettings(next);
    } catch (IllegalArgumentException e) {
      refused.accept(e.getMessage() + "; all times of before stay in force");
      return new EngineSettings(
          next.with(EngineKeys.WARNING, values.text(EngineKeys.WARNING))
              .with(EngineKeys.ESCALATION, values.text(EngineKeys.ESCALATION))
              .with(EngineKeys.AUTO_DISABLE, values.text(EngineKeys.AUTO_DISABLE)));
    }
  }

  /** Whether unsigned models may decide. */
  public boolean allowUnsigned() {
    return values.flag(EngineKeys.ALLOW_UNSIGNED);
  }

  /** Most bytes of the parameters of a model. */
  public int maxModelBytes() {
    return whole(EngineKeys.MAX_MODEL);
  }

  /** Most time until a new model keeps its bound. */
  public long warmUpNs() {
    return TimeUnit.MILLISECONDS.toNanos(values.number(EngineKeys.WARM_UP));
  }

  /** Calls in a row in which a new model keeps its bound. */
  public int warmUpCalls() {
    return whole(EngineKeys.WARM_UP_CALLS);
  }

  /** Time between two looks at the trusted keys. */
  public long keysNs() {
    return TimeUnit.MILLISECONDS.toNanos(values.number(EngineKeys.KEYS));
  }

  /** Time between two tries to load a kept model. */
  public long reloadNs() {
    return TimeUnit.SECONDS.toNanos(values.number(EngineKeys.RELOAD));
  }

  /** Time between two rounds of scoring. */
  public long scoringMs() {
    return values.number(EngineKeys.SCORING);
  }

  /** Most decisions that a round of scoring takes. */
  public int scoringRecords() {
    return whole(EngineKeys.RECORDS);
  }

  /** Times of fallbacks. */
  public FallbackTimes times() {
    return times;
  }

  /** What calls may be like before a group loses the model. */
  public CallLimits calls() {
    return new CallLimits(
        whole(EngineKeys.INVALID),
        new DistributionLimits(
            whole(EngineKeys.CALLS),
            whole(EngineKeys.OUTSIDE),
            whole(EngineKeys.STDDEVS),
            whole(EngineKeys.VARIANCE)));
  }

  /** When a fault of groups is one of the model. */
  public GroupLimits groups() {
    return new GroupLimits(
        values.number(EngineKeys.GROUP_OUTCOMES), whole(EngineKeys.GROUP_PERCENT));
  }

  /** What a score is made of. */
  public WindowLimits window() {
    return new WindowLimits(
        whole(EngineKeys.WINDOW), whole(EngineKeys.OUTCOMES), whole(EngineKeys.CORRECT));
  }

  /** When a model of a slot decides badly. */
  public DriftLimits drift(SlotSettings slot) {
    return new DriftLimits(
        slot.accuracyThreshold(),
        slot.minAdvantage(),
        TimeUnit.SECONDS.toNanos(values.number(EngineKeys.LOOK)),
        whole(EngineKeys.LOOKS),
        whole(EngineKeys.OUTCOMES));
  }
}
