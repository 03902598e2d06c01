package io.isle.apps.jobs.measure;

import io.isle.api.tenancy.Group;
import io.isle.api.tenancy.Groups;
import java.util.Optional;
import java.util.regex.Pattern;

/** What groups are promised of devices. */
public final class Promises {
  private static final String GUARANTEE = "compute.guarantee";
  private static final double DEFAULT_PERIOD_US = 1e6;
  private static final Pattern BLANKS = Pattern.compile("\\s+");

  private Promises() {}

  /** The share of a device in percent that a group is promised now; NaN for none. */
  public static double percent(Optional<Groups> groups, String group, String device) {
    return groups
        .flatMap(service -> service.tree().find(group))
        .flatMap(found -> promised(found, device))
        .orElse(Double.NaN);
  }

  /** The controller has taken the text: {@code DEVICE QUOTA_US [PERIOD_US], ...}. */
  private static Optional<Double> promised(Group group, String device) {
    for (String entry : group.text(GUARANTEE).orElse("").split(",", -1)) {
      String[] words = BLANKS.split(entry.strip());
      if (words.length >= 2 && words[0].equals(device)) {
        try {
          double period = words.length > 2 ? Double.parseDouble(words[2]) : DEFAULT_PERIOD_US;
          return Optional.of(100 * Double.parseDouble(words[1]) / period);
        } catch (NumberFormatException e) {
          return Optional.empty();
        }
      }
    }
    return Optional.empty();
  }
}
