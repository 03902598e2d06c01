package io.isle.api.inference;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Inputs, outputs and time limit of a decision. Immutable.
 *
 * @param name {@code [a-z0-9_]{1,31}}; also the name of the slot of its models
 * @param features 1 to 256
 * @param outputs 1 to 64
 * @param budgetNs most time for one answer, in nanoseconds, 1 to 1000000; an administrator may set
 *     another
 */
public record DecisionSpec(
    String name, List<DecisionFeature> features, List<DecisionOutput> outputs, long budgetNs) {
  /** Names of decisions, features and outputs. */
  public static final Pattern NAME = Pattern.compile("[a-z0-9_]{1,31}");

  /** Most features. */
  public static final int FEATURES = 256;

  /** Most outputs. */
  public static final int OUTPUTS = 64;

  /** Time limit of decisions that set none, in nanoseconds. */
  public static final long BUDGET_NS = 5000;

  private static final Pattern UNIT = Pattern.compile("[A-Za-z0-9_/%]{1,15}");
  private static final long MOST_BUDGET_NS = 1_000_000;

  /** Checks all limits. */
  public DecisionSpec {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("the decision '" + name + "' does not match " + NAME);
    }
    features = List.copyOf(features);
    outputs = List.copyOf(outputs);
    count("features", features.size(), FEATURES);
    count("outputs", outputs.size(), OUTPUTS);
    distinct("feature", features.stream().map(DecisionFeature::name).toList());
    distinct("output", outputs.stream().map(DecisionOutput::name).toList());
    if (budgetNs < 1 || budgetNs > MOST_BUDGET_NS) {
      throw new IllegalArgumentException(
          "budgetNs is " + budgetNs + ", not 1 to " + MOST_BUDGET_NS);
    }
  }

  /** A spec with the default time limit. */
  public DecisionSpec(String name, List<DecisionFeature> features, List<DecisionOutput> outputs) {
    this(name, features, outputs, BUDGET_NS);
  }

  /**
   * The text form, which models are made for: a line for the decision, one a feature, one an
   * output, each ended by a line feed. The time limit is no part of it.
   */
  public String text() {
    StringBuilder text = new StringBuilder("decision ").append(name).append('\n');
    for (DecisionFeature f : features) {
      line(text.append("feature "), f.name(), f.unit(), f.min(), f.max()).append('\n');
    }
    for (DecisionOutput o : outputs) {
      line(text.append("output "), o.name(), o.unit(), o.min(), o.max());
      text.append(' ').append(o.outside().text()).append('\n');
    }
    return text.toString();
  }

  /** The first eight bytes of the SHA-256 of {@link #text}, read as a little-endian number. */
  public long schema() {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text().getBytes(StandardCharsets.US_ASCII));
      return ByteBuffer.wrap(hash).order(ByteOrder.LITTLE_ENDIAN).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  static void check(String name, String unit, int min, int max) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("the name '" + name + "' does not match " + NAME);
    }
    if (!UNIT.matcher(unit).matches()) {
      throw new IllegalArgumentException("the unit '" + unit + "' does not match " + UNIT);
    }
    if (min > max) {
      throw new IllegalArgumentException(name + ": min " + min + " is above max " + max);
    }
  }

  private static StringBuilder line(
      StringBuilder text, String name, String unit, int min, int max) {
    return text.append(name)
        .append(' ')
        .append(unit)
        .append(' ')
        .append(min)
        .append(' ')
        .append(max);
  }

  private static void count(String what, int size, int most) {
    if (size < 1 || size > most) {
      throw new IllegalArgumentException(what + " are " + size + ", not 1 to " + most);
    }
  }

  private static void distinct(String what, List<String> names) {
    Set<String> seen = new HashSet<>();
    for (String name : names) {
      if (!seen.add(name)) {
        throw new IllegalArgumentException("the " + what + " '" + name + "' is there twice");
      }
    }
  }
}
