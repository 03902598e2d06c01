package io.isle.core.agents;

import io.isle.api.base.CheckedSettings;
import io.isle.api.base.Setting;
import io.isle.api.base.SettingsSchema;
import io.isle.lib.agent.AgentChoice;
import io.isle.lib.agent.IdleMode;
import io.isle.lib.agent.ThreadedAgentHost;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The values of PID {@code io.isle.agents}, each checked on its own. Immutable. */
final class AgentsSettings {
  static final String PID = "io.isle.agents";
  private static final long MAX_SLEEP_US = TimeUnit.NANOSECONDS.toMicros(AgentChoice.MAX_SLEEP_NS);

  static final Setting SPINNERS =
      Setting.integer(
          "spinners",
          -1,
          1024,
          -1,
          "most agent threads that may spin at a time, each on a processor of its own; -1: half"
              + " of the processors; if left out, the key of io.isle.accel holds");
  private static final Setting THREAD =
      Setting.string(
          "thread",
          "",
          "entries NAME THREAD, separated by commas: agents with the same THREAD share one"
              + " thread; * in NAME stands for any characters, and the most specific matching"
              + " NAME holds; each other agent has a separate thread");
  private static final Setting CPU =
      Setting.string(
          "cpu",
          "",
          "entries NAME PROCESSORS, separated by commas; PROCESSORS are numbers and ranges such"
              + " as 2-3, separated by blanks; other agents run on any processor");
  private static final Setting IDLE =
      Setting.string(
          "idle",
          "",
          "entries NAME WAY, separated by commas; WAY without work: spin and yield (no sleep"
              + " while the agent has a permit to spin), sleep (at once), or adaptive (spin,"
              + " yield, then sleep), which is also the way of other agents");
  private static final Setting MAX_SLEEP =
      Setting.string(
          "max_sleep_us",
          "",
          "entries NAME MICROSECONDS, separated by commas, 1 to 20000: longest sleep of an agent"
              + " without a wake-up; 20000 for other agents");

  @SettingsSchema(pid = PID)
  static final List<Setting> SCHEMA = List.of(SPINNERS, THREAD, CPU, IDLE, MAX_SLEEP);

  /** Each key of patterns with how its values are read. */
  private static Map<Setting, Consumer<String>> checks(Set<Integer> processors) {
    return Map.of(
        THREAD, text -> threads(text).entries(),
        CPU, text -> processors(text, processors).entries(),
        IDLE, text -> idle(text).entries(),
        MAX_SLEEP, text -> sleeps(text).entries());
  }

  private final CheckedSettings values;
  private final boolean hasSpinners;
  private final Set<Integer> processors;

  private AgentsSettings(CheckedSettings values, boolean hasSpinners, Set<Integer> processors) {
    this.values = values;
    this.hasSpinners = hasSpinners;
    this.processors = processors;
  }

  /**
   * Without any file.
   *
   * @param processors that there are for agents
   */
  static AgentsSettings defaults(Set<Integer> processors) {
    return new AgentsSettings(CheckedSettings.defaults(SCHEMA), false, processors);
  }

  /**
   * What is in force after a change: a bad value leaves the one of before, a missing one is the
   * default.
   *
   * @param refused hears of each bad value: key and reason
   */
  AgentsSettings change(Map<String, ?> properties, Consumer<String> refused) {
    CheckedSettings now = values.change(properties, refused);
    Map<Setting, Consumer<String>> checks = checks(processors);
    for (Setting setting : SCHEMA) {
      try {
        checks.getOrDefault(setting, text -> {}).accept(now.text(setting));
      } catch (IllegalArgumentException e) {
        String before = values.text(setting);
        refused.accept(setting.key() + ": " + e.getMessage() + "; '" + before + "' stays in force");
        now = now.with(setting, before);
      }
    }
    return new AgentsSettings(now, properties.containsKey(SPINNERS.key()), processors);
  }

  /** Empty when the key is not there. */
  OptionalInt spinners() {
    return hasSpinners ? OptionalInt.of((int) values.number(SPINNERS)) : OptionalInt.empty();
  }

  /** What is meant by a value of the key. */
  static int spinners(int value) {
    return value < 0
        ? ThreadedAgentHost.spinnersFor(Runtime.getRuntime().availableProcessors())
        : value;
  }

  /** What holds for an agent. */
  AgentChoice choice(String agent) {
    return new AgentChoice(
        threads(values.text(THREAD)).find(agent),
        processors(values.text(CPU), processors).find(agent).orElse(Set.of()),
        idle(values.text(IDLE)).find(agent).orElse(IdleMode.ADAPTIVE),
        sleeps(values.text(MAX_SLEEP)).find(agent).orElse(AgentChoice.MAX_SLEEP_NS));
  }

  private static NamePatterns<String> threads(String text) {
    return NamePatterns.parse(
        text,
        "soft* shared",
        said -> {
          if (!said.matches("[a-z][a-z0-9_-]{0,63}")) {
            throw new IllegalArgumentException(
                "'"
                    + NamePatterns.shown(said)
                    + "' is not a name of up to 64 of a-z, 0-9, '_' and '-'");
          }
          return said;
        });
  }

  private static NamePatterns<Set<Integer>> processors(String text, Set<Integer> there) {
    return NamePatterns.parse(text, "soft0 2-3", said -> Processors.parse(said, there));
  }

  private static NamePatterns<IdleMode> idle(String text) {
    Map<String, IdleMode> ways = new TreeMap<>();
    for (IdleMode way : IdleMode.values()) {
      ways.put(way.text(), way);
    }
    return NamePatterns.parse(
        text,
        "soft0 spin",
        said ->
            Optional.ofNullable(ways.get(said))
                .orElseThrow(
                    () ->
                        new IllegalArgumentException(
                            "'"
                                + NamePatterns.shown(said)
                                + "' is not adaptive, sleep, spin or yield")));
  }

  private static NamePatterns<Long> sleeps(String text) {
    return NamePatterns.parse(
        text,
        "soft0 1000",
        said -> {
          if (!said.matches("[0-9]{1,9}")
              || Long.parseLong(said) < 1
              || Long.parseLong(said) > MAX_SLEEP_US) {
            throw new IllegalArgumentException(
                "'" + NamePatterns.shown(said) + "' is not a number from 1 to " + MAX_SLEEP_US);
          }
          return TimeUnit.MICROSECONDS.toNanos(Long.parseLong(said));
        });
  }
}
