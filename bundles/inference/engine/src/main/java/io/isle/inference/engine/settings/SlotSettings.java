package io.isle.inference.engine.settings;

import io.isle.api.base.CheckedSettings;
import io.isle.api.base.Setting;
import io.isle.api.base.SettingsSchema;
import io.isle.inference.engine.decide.Mode;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** The settings of one slot: {@code io.isle.model-NAME.cfg}. Immutable. */
public final class SlotSettings {
  /** PID of all these settings. */
  public static final String FACTORY_PID = "io.isle.model";

  /** Key of the mode. */
  public static final String MODE_KEY = "mode";

  /** Key of the limit of accuracy. */
  public static final String THRESHOLD_KEY = "accuracy_threshold";

  private static final String ADVANTAGE_KEY = "min_advantage";
  private static final int MOST_BUDGET_NS = 1_000_000;

  private static final Setting MODE =
      Setting.choice(
          MODE_KEY,
          List.of("active", "heuristic", "off"),
          "active",
          "active: the model decides; heuristic: the rule does, the model is scored; off: the rule");
  private static final Setting THRESHOLD =
      Setting.string(THRESHOLD_KEY, "0.60", "least accuracy of the model, 0 to 1");
  private static final Setting ADVANTAGE =
      Setting.string(ADVANTAGE_KEY, "-0.05", "least advantage of the model over the rule, -1 to 1");
  private static final Setting AUTO_DISABLE =
      Setting.bool("auto_disable", true, "whether a model that drifts loses its decisions");
  private static final Setting BUDGET =
      Setting.integer(
          "budget_ns",
          0,
          MOST_BUDGET_NS,
          0,
          "most nanoseconds of one answer; 0: what the decision's owner says");

  @SettingsSchema(pid = FACTORY_PID + "-NAME")
  static final List<Setting> SCHEMA = List.of(MODE, THRESHOLD, ADVANTAGE, AUTO_DISABLE, BUDGET);

  /** The defaults. */
  public static final SlotSettings DEFAULT = new SlotSettings(CheckedSettings.defaults(SCHEMA));

  private final CheckedSettings values;

  private SlotSettings(CheckedSettings values) {
    this.values = values;
  }

  /**
   * The settings after a change. A bad value leaves the value of before in force.
   *
   * @param refused called with a message for each
   */
  public SlotSettings change(Map<String, String> given, Consumer<String> refused) {
    Map<String, String> checked = new HashMap<>(given);
    checkDecimal(checked, THRESHOLD, 0, refused);
    checkDecimal(checked, ADVANTAGE, -1, refused);
    return new SlotSettings(values.change(checked, refused));
  }

  private void checkDecimal(
      Map<String, String> given, Setting setting, int least, Consumer<String> refused) {
    String text = given.get(setting.key());
    if (text != null && !isDecimal(text.strip(), least)) {
      String before = values.text(setting);
      refused.accept(
          "%s: '%s' is not a decimal number from %d to 1; %s stays in force"
              .formatted(setting.key(), text.strip(), least, before));
      given.put(setting.key(), before);
    }
  }

  private static boolean isDecimal(String text, int least) {
    if (!text.matches("-?[0-9]{1,3}(\\.[0-9]{1,9})?")) {
      return false;
    }
    double value = Double.parseDouble(text);
    return value >= least && value <= 1;
  }

  /** How the slot decides. */
  public Mode mode() {
    return Mode.valueOf(values.text(MODE).toUpperCase(Locale.ROOT));
  }

  /** Least accuracy. */
  public double accuracyThreshold() {
    return Double.parseDouble(values.text(THRESHOLD));
  }

  /** Least advantage over the rule. */
  public double minAdvantage() {
    return Double.parseDouble(values.text(ADVANTAGE));
  }

  /** Whether a drift takes the decisions from the model. */
  public boolean autoDisable() {
    return values.flag(AUTO_DISABLE);
  }

  /**
   * Most time of an answer.
   *
   * @param ownersNs what the decision's owner says
   */
  public long budgetNs(long ownersNs) {
    long set = values.number(BUDGET);
    return set == 0 ? ownersNs : set;
  }
}
