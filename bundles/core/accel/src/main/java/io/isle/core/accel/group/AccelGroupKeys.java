package io.isle.core.accel.group;

import io.isle.api.base.ByteSize;
import io.isle.api.base.Errno;
import io.isle.api.device.Priority;
import io.isle.api.tenancy.GroupKey;
import io.isle.api.tenancy.TenancyException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The keys of groups that accelerators understand (accelerator framework, 44.2), and their values.
 * What is malformed is EINVAL, what is out of range ERANGE; the messages do not name the key. Pure
 * functions.
 */
public final class AccelGroupKeys {
  public static final String DEVICES = "devices";
  public static final String MEMORY_MAX = "memory.max";
  public static final String PRIORITY = "priority";
  public static final String COMPUTE_GUARANTEE = "compute.guarantee";
  public static final String COMPUTE_MAX = "compute.max";
  public static final String COMPUTE_WEIGHT = "compute.weight";

  /** All devices, or no limit. */
  public static final String ALL = "all";

  public static final String MAX = "max";

  public static final int MIN_WEIGHT = 1;
  public static final int MAX_WEIGHT = 10_000;
  public static final int DEFAULT_WEIGHT = 100;

  /** {@link #memoryMax} where there is no limit. */
  public static final long NO_LIMIT = Long.MAX_VALUE;

  /** In the order in which people see them. */
  public static final List<GroupKey> KEYS =
      List.of(
          new GroupKey(
              DEVICES,
              "device ids, separated by blanks, or all; empty: none",
              ALL,
              "devices that the group may use, out of those of its parent"),
          new GroupKey(
              MEMORY_MAX,
              "bytes, " + ByteSize.SUFFIXES + ", or max",
              MAX,
              "most device memory of the group and its child groups on all devices together"),
          new GroupKey(
              PRIORITY,
              "background, normal, high, realtime",
              Priority.NORMAL.text(),
              "priority of contexts that ask for no priority; realtime needs the permission"
                  + " accel_context_rt"),
          new GroupKey(
              COMPUTE_GUARANTEE,
              "DEVICE QUOTA_US [PERIOD_US], separated by commas; empty: none",
              "",
              "device time in microseconds that the group is guaranteed in each period while the"
                  + " group has work; the period is 1000000 us if left out"),
          new GroupKey(
              COMPUTE_MAX,
              "DEVICE QUOTA_US|max [PERIOD_US], separated by commas, or max",
              MAX,
              "most device time in microseconds that the group gets in each period"),
          new GroupKey(
              COMPUTE_WEIGHT,
              MIN_WEIGHT + " to " + MAX_WEIGHT,
              Integer.toString(DEFAULT_WEIGHT),
              "weight of the group, relative to its sibling groups, for device time that is not"
                  + " guaranteed"));

  private static final Pattern DEVICE = Pattern.compile("[a-z][a-z0-9]{0,20}[0-9]");
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");
  private static final String PERIOD = "a period in microseconds";
  private static final Pattern BLANKS = Pattern.compile("\\s+");

  private AccelGroupKeys() {}

  /** Empty for all devices. */
  public static Optional<SortedSet<String>> devices(String text) {
    if (text.equals(ALL)) {
      return Optional.empty();
    }
    SortedSet<String> devices = new TreeSet<>();
    if (!text.isBlank()) {
      for (String id : BLANKS.split(text.strip())) {
        if (!devices.add(device(id))) {
          throw invalid(quoted(id) + " is given twice");
        }
      }
    }
    return Optional.of(Collections.unmodifiableSortedSet(devices));
  }

  /** Bytes; {@link #NO_LIMIT} for {@code max}. */
  public static long memoryMax(String text) {
    if (text.equals(MAX)) {
      return NO_LIMIT;
    }
    try {
      return ByteSize.parse(text);
    } catch (NumberFormatException e) {
      throw invalid(
          quoted(text) + " is not a number of bytes (" + ByteSize.SUFFIXES + "), nor max");
    } catch (ArithmeticException e) {
      throw range(quoted(text) + " is not below 2^63 bytes; max means no limit");
    }
  }

  public static Priority priority(String text) {
    for (Priority priority : Priority.values()) {
      if (priority.text().equals(text)) {
        return priority;
      }
    }
    throw invalid(quoted(text) + " is not one of background, normal, high, realtime");
  }

  /** By device. */
  public static SortedMap<String, Bandwidth> computeGuarantee(String text) {
    SortedMap<String, Bandwidth> guarantees = new TreeMap<>();
    if (!text.isBlank()) {
      entries(text).forEach((device, words) -> guarantees.put(device, bandwidth(words)));
    }
    return Collections.unmodifiableSortedMap(guarantees);
  }

  /** By device; one that is not in it has no limit. */
  public static SortedMap<String, Bandwidth> computeMax(String text) {
    SortedMap<String, Bandwidth> limits = new TreeMap<>();
    if (!text.equals(MAX)) {
      entries(text)
          .forEach(
              (device, words) -> {
                if (!words[1].equals(MAX)) {
                  limits.put(device, bandwidth(words));
                } else if (words.length > 2) {
                  Bandwidth.checkPeriod(number(words[2], PERIOD));
                }
              });
    }
    return Collections.unmodifiableSortedMap(limits);
  }

  public static int weight(String text) {
    long weight = number(text, "a weight from " + MIN_WEIGHT + " to " + MAX_WEIGHT);
    if (weight < MIN_WEIGHT || weight > MAX_WEIGHT) {
      throw range(weight + " is not in " + MIN_WEIGHT + ".." + MAX_WEIGHT);
    }
    return (int) weight;
  }

  /** By device: device, quota, and perhaps period. */
  private static SortedMap<String, String[]> entries(String text) {
    SortedMap<String, String[]> entries = new TreeMap<>();
    for (String entry : text.split(",", -1)) {
      String[] words = BLANKS.split(entry.strip());
      if (words.length < 2 || words.length > 3) {
        throw invalid(
            quoted(entry.strip()) + " is not DEVICE QUOTA_US or DEVICE QUOTA_US PERIOD_US");
      }
      if (entries.putIfAbsent(device(words[0]), words) != null) {
        throw invalid(quoted(words[0]) + " is given twice");
      }
    }
    return entries;
  }

  private static Bandwidth bandwidth(String[] words) {
    try {
      return new Bandwidth(
          number(words[1], "a quota in microseconds"),
          words.length > 2 ? number(words[2], PERIOD) : Bandwidth.DEFAULT_PERIOD_US);
    } catch (TenancyException e) {
      throw new TenancyException(e.code(), words[0] + ": " + e.getMessage());
    }
  }

  private static String device(String id) {
    if (!DEVICE.matcher(id).matches()) {
      throw invalid(quoted(id) + " is not the id of a device, such as soft0");
    }
    return id;
  }

  private static long number(String text, String what) {
    if (!NUMBER.matcher(text).matches()) {
      throw invalid(quoted(text) + " is not " + what);
    }
    return Long.parseLong(text);
  }

  private static TenancyException invalid(String why) {
    return new TenancyException(Errno.EINVAL, why);
  }

  private static TenancyException range(String why) {
    return new TenancyException(Errno.ERANGE, why);
  }

  private static String quoted(String text) {
    return "'" + (text.length() > 60 ? text.substring(0, 60) + "..." : text) + "'";
  }
}
