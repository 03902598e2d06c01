package io.isle.spin.jobs.ping;

import io.isle.api.jobs.ActionMistake;
import io.isle.api.jobs.ActionValues;
import io.isle.lib.net.ping.PingClient;
import io.isle.spin.jobs.ping.place.PingPlace;
import io.isle.spin.jobs.ping.place.PingProtocol;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * What a step measures. Immutable.
 *
 * @param sizes bytes of payloads
 * @param runs of each protocol, mode and size
 * @param pings of a run
 * @param where {@code auto}, {@code lab} or {@code udp}
 * @param timeoutNs time after which a request without an answer is lost
 */
record PingPlan(
    List<PingProtocol> protocols,
    List<PingMode> modes,
    List<Integer> sizes,
    int runs,
    int pings,
    String where,
    long timeoutNs) {
  /** Most sizes. */
  static final int MOST_SIZES = 8;

  /** With less there is no interval of 95 %. */
  static final int LEAST_RUNS = 6;

  static final int MOST_RUNS = 1000;
  static final int MOST_PINGS = 1000;

  /** What goes into a frame of an MTU of 1500, behind the headers of IPv4 and of UDP or ICMP. */
  static final int MOST_BYTES = 1500 - 28;

  static Optional<ActionMistake> mistake(ActionValues values) {
    return names(values, PingAction.PROTOCOLS, PingProtocol.class)
        .or(() -> names(values, PingAction.MODES, PingMode.class))
        .or(() -> sizes(values))
        .or(
            () ->
                values.text(PingAction.WHERE).equals(PingPlace.UDP)
                        && !words(values, PingAction.PROTOCOLS).contains(PingProtocol.UDP.text())
                    ? mistake(PingAction.WHERE, "a port of udp has the protocol udp alone")
                    : Optional.empty());
  }

  static PingPlan of(ActionValues values) {
    return new PingPlan(
        all(values, PingAction.PROTOCOLS, PingProtocol.class),
        all(values, PingAction.MODES, PingMode.class),
        words(values, PingAction.SIZES).stream().map(Integer::valueOf).toList(),
        (int) values.whole(PingAction.RUNS),
        (int) values.whole(PingAction.PINGS),
        values.text(PingAction.WHERE),
        TimeUnit.MILLISECONDS.toNanos(values.whole(PingAction.TIMEOUT)));
  }

  /** The same with these protocols. */
  PingPlan with(List<PingProtocol> others) {
    return new PingPlan(others, modes, sizes, runs, pings, where, timeoutNs);
  }

  private static List<String> words(ActionValues values, String parameter) {
    return Arrays.stream(values.text(parameter).strip().split("\\s+"))
        .filter(word -> !word.isEmpty())
        .toList();
  }

  private static String text(Enum<?> one) {
    return one instanceof PingMode mode ? mode.text() : ((PingProtocol) one).text();
  }

  private static <E extends Enum<E>> List<E> all(
      ActionValues values, String parameter, Class<E> type) {
    return words(values, parameter).stream().map(word -> find(word, type).orElseThrow()).toList();
  }

  private static <E extends Enum<E>> Optional<E> find(String word, Class<E> type) {
    return EnumSet.allOf(type).stream().filter(one -> text(one).equals(word)).findFirst();
  }

  private static <E extends Enum<E>> Optional<ActionMistake> names(
      ActionValues values, String parameter, Class<E> type) {
    List<String> given = words(values, parameter);
    String known = String.join(", ", EnumSet.allOf(type).stream().map(PingPlan::text).toList());
    for (String word : given) {
      if (find(word, type).isEmpty()) {
        return mistake(parameter, "'" + shown(word) + "' is none of " + known);
      }
    }
    return once(given, parameter, "one or more of " + known + " are needed, with blanks between");
  }

  private static Optional<ActionMistake> sizes(ActionValues values) {
    String needed =
        "1 to %d different sizes of %d to %d bytes are needed, with blanks between"
            .formatted(MOST_SIZES, PingClient.MIN_BYTES, MOST_BYTES);
    List<String> given = words(values, PingAction.SIZES);
    if (given.size() > MOST_SIZES) {
      return mistake(PingAction.SIZES, given.size() + " sizes; " + needed);
    }
    for (String word : given) {
      int bytes = word.matches("[1-9][0-9]{0,5}") ? Integer.parseInt(word) : -1;
      if (bytes < PingClient.MIN_BYTES || bytes > MOST_BYTES) {
        return mistake(PingAction.SIZES, "'" + shown(word) + "'; " + needed);
      }
    }
    return once(given, PingAction.SIZES, needed);
  }

  private static Optional<ActionMistake> once(List<String> given, String parameter, String needed) {
    if (given.isEmpty()) {
      return mistake(parameter, needed);
    }
    HashSet<String> seen = new HashSet<>();
    return given.stream()
        .filter(word -> !seen.add(word))
        .findFirst()
        .flatMap(word -> mistake(parameter, word + " is there twice; " + needed));
  }

  private static Optional<ActionMistake> mistake(String parameter, String message) {
    return Optional.of(new ActionMistake(parameter, message));
  }

  private static String shown(String word) {
    String begin = word.length() > 20 ? word.substring(0, 20) + "..." : word;
    return begin.replaceAll("[^ -~]", "?");
  }
}
