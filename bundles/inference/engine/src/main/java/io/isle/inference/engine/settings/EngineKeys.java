package io.isle.inference.engine.settings;

import io.isle.api.base.Setting;
import io.isle.api.base.SettingsSchema;
import io.isle.lib.model.ProofSettings;
import java.util.List;

/** The keys of {@code io.isle.inference.cfg}. */
final class EngineKeys {
  private static final int DAY_S = 86_400;
  private static final int MONTH_S = 31 * DAY_S;

  static final Setting ALLOW_UNSIGNED =
      Setting.bool(
          "allow_unsigned",
          false,
          "true permits model:load --unsigned; false takes such models out");
  static final Setting MAX_MODEL =
      Setting.bytes(
          "max_model_bytes",
          1 << 10,
          16 << 20,
          ProofSettings.MAX_PARAM_BYTES,
          "most bytes of the parameters of a model");
  static final Setting WARM_UP =
      Setting.integer(
          "warm_up_ms", 10, 60_000, 2000, "most milliseconds until a new model keeps its bound");
  static final Setting WARM_UP_CALLS =
      Setting.integer(
          "warm_up_calls", 1, 1000, 10, "calls in a row in which a new model keeps its bound");
  static final Setting KEYS =
      Setting.integer(
          "keys_ms", 100, 60_000, 1000, "milliseconds between two looks at the trusted keys");
  static final Setting RELOAD =
      Setting.integer(
          "reload_s",
          1,
          DAY_S,
          10,
          "seconds between two tries to load a kept model that could not be loaded");
  static final Setting SCORING =
      Setting.integer("scoring_ms", 10, 10_000, 100, "milliseconds between two rounds of scoring");
  static final Setting RECORDS =
      Setting.integer(
          "scoring_records", 64, 65_536, 4096, "most decisions that a round of scoring takes");
  static final Setting RETRY =
      Setting.integer("retry_s", 1, DAY_S, 10, "seconds between two retries of a fallback");
  static final Setting RETRIES =
      Setting.integer("retries", 1, 100, 3, "retries in a row that go well and end a fallback");
  static final Setting WARNING =
      Setting.integer("warning_s", 1, MONTH_S, 60, "seconds until a fallback is worth a warning");
  static final Setting ESCALATION =
      Setting.integer(
          "escalation_s", 2, MONTH_S, 300, "seconds until an alert; more than warning_s");
  static final Setting AUTO_DISABLE =
      Setting.integer(
          "auto_disable_s",
          3,
          MONTH_S,
          3600,
          "seconds until only an administrator ends a fallback; more than escalation_s");
  static final Setting ESCALATION_CALLS =
      Setting.integer(
          "escalation_calls",
          1,
          Long.MAX_VALUE,
          10_000_000,
          "decisions of the rule in a fallback that bring the warning early");
  static final Setting INVALID =
      Setting.integer(
          "invalid_outputs",
          1,
          10_000,
          16,
          "invalid outputs in a row by which a group loses a model");
  static final Setting CALLS =
      Setting.integer(
          "distribution_calls",
          16,
          1024,
          256,
          "calls whose features are compared together with those of the training");
  static final Setting OUTSIDE =
      Setting.integer(
          "outside_percent",
          0,
          99,
          25,
          "more percent of these calls with a feature out of the trained range are an anomaly");
  static final Setting STDDEVS =
      Setting.integer(
          "mean_stddevs",
          1,
          16,
          4,
          "standard deviations; a mean that is off by them is an anomaly");
  static final Setting VARIANCE =
      Setting.integer(
          "variance_times", 2, 10_000, 16, "a variance so many times as large is an anomaly");
  static final Setting GROUP_OUTCOMES =
      Setting.integer(
          "group_outcomes",
          1,
          1_000_000,
          200,
          "a group with fewer outcomes does not count when groups are compared");
  static final Setting GROUP_PERCENT =
      Setting.integer(
          "group_percent",
          0,
          99,
          50,
          "percent of the groups; when more of them have a fault, it is the model's");
  static final Setting WINDOW =
      Setting.integer("window_s", 1, 600, 60, "seconds for which an outcome counts in a score");
  static final Setting OUTCOMES =
      Setting.integer(
          "window_outcomes",
          1,
          10_000,
          200,
          "outcomes that a score has at least; with fewer, a look says nothing");
  static final Setting CORRECT =
      Setting.integer(
          "correct_score", 1, 1000, 500, "score from which an answer counts as correct");
  static final Setting LOOK =
      Setting.integer("look_s", 1, DAY_S, 10, "seconds between two looks at the score of a model");
  static final Setting LOOKS =
      Setting.integer("looks", 1, 100, 3, "bad looks in a row that are a drift, good ones end one");

  @SettingsSchema(pid = EngineSettings.PID)
  static final List<Setting> SCHEMA =
      List.of(
          ALLOW_UNSIGNED,
          MAX_MODEL,
          WARM_UP,
          WARM_UP_CALLS,
          KEYS,
          RELOAD,
          SCORING,
          RECORDS,
          RETRY,
          RETRIES,
          WARNING,
          ESCALATION,
          AUTO_DISABLE,
          ESCALATION_CALLS,
          INVALID,
          CALLS,
          OUTSIDE,
          STDDEVS,
          VARIANCE,
          GROUP_OUTCOMES,
          GROUP_PERCENT,
          WINDOW,
          OUTCOMES,
          CORRECT,
          LOOK,
          LOOKS);

  private EngineKeys() {}
}
