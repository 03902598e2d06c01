package io.isle.core.accel.settings;

import io.isle.api.tenancy.GroupSpec;
import io.isle.core.accel.sched.SchedulingPolicy;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the administrator sets of a device's scheduling.
 *
 * @param policy empty: by class, and by whether anything is promised or limited
 * @param depth most submissions in flight; empty: by whether anything is promised
 */
public record SchedulingChoice(Optional<SchedulingPolicy> policy, Optional<Integer> depth) {
  public static final SchedulingChoice AUTO =
      new SchedulingChoice(Optional.empty(), Optional.empty());

  private static final Pattern ENTRY =
      Pattern.compile("([a-z][a-z0-9_-]{0,63})\\s+([a-z_]+)(?:\\s+([0-9]{1,4}))?");

  /**
   * Reads {@code DEVICE POLICY [DEPTH], ...}.
   *
   * @param most greatest depth
   * @throws IllegalArgumentException saying what may stand there
   */
  public static Map<String, SchedulingChoice> parse(String text, int most) {
    Map<String, SchedulingChoice> all = new TreeMap<>();
    for (String entry : text.isBlank() ? new String[0] : text.split(",", -1)) {
      String said = entry.strip();
      Matcher matcher = ENTRY.matcher(said);
      if (!matcher.matches()) {
        throw new IllegalArgumentException(
            "'"
                + GroupSpec.shown(said)
                + "' is not DEVICE POLICY [DEPTH], such as: soft0 priority 8");
      }
      Optional<Integer> depth = Optional.ofNullable(matcher.group(3)).map(Integer::valueOf);
      if (depth.isPresent() && (depth.get() < 1 || depth.get() > most)) {
        throw new IllegalArgumentException(
            matcher.group(1) + ": a depth of " + depth.get() + " is not in 1.." + most);
      }
      SchedulingChoice choice = new SchedulingChoice(policy(matcher.group(2)), depth);
      if (all.put(matcher.group(1), choice) != null) {
        throw new IllegalArgumentException(matcher.group(1) + " is listed twice");
      }
    }
    return Map.copyOf(all);
  }

  private static Optional<SchedulingPolicy> policy(String word) {
    if (word.equals("auto")) {
      return Optional.empty();
    }
    for (SchedulingPolicy policy : SchedulingPolicy.values()) {
      if (policy.name().toLowerCase(Locale.ROOT).equals(word)) {
        return Optional.of(policy);
      }
    }
    throw new IllegalArgumentException(
        "'" + word + "' is not auto, round_robin, priority or guaranteed");
  }
}
