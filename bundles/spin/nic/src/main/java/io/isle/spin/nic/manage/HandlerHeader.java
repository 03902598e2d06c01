package io.isle.spin.nic.manage;

import io.isle.api.base.Errno;
import io.isle.api.spin.HandlerImage;
import io.isle.api.spin.Ruleset;
import io.isle.api.spin.Rulesets;
import io.isle.api.spin.SpinException;
import io.isle.lib.signing.HandlerStatements;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The header {@code Isle-Handlers} of a bundle: for each image its entry, and behind semicolons
 * {@code name=NAME} and {@code rules="RULES"}; commas between several.
 *
 * @param name empty for the name of the entry without its suffix
 */
record HandlerHeader(String entry, String name, Optional<Ruleset> rules) {
  /** Name of the header. */
  static final String HEADER = HandlerStatements.HEADER;

  private static final int MOST = 64;

  /**
   * Reads the header.
   *
   * @throws SpinException EINVAL with the mistake
   */
  static List<HandlerHeader> parse(String header) {
    if (header.chars().filter(at -> at == '"').count() % 2 != 0) {
      throw refused("a quote is not closed");
    }
    List<HandlerHeader> all = new ArrayList<>();
    for (String clause : HandlerStatements.parts(header, ',')) {
      if (all.size() == MOST) {
        throw refused("more than " + MOST + " images");
      }
      all.add(clause(HandlerStatements.parts(clause, ';')));
    }
    return all;
  }

  private static HandlerHeader clause(List<String> parts) {
    String entry = parts.getFirst();
    for (String part : entry.split("/", -1)) {
      if (part.isEmpty() || part.equals(".") || part.equals("..")) {
        throw refused("'" + entry + "' is not a plain path such as lib/ping.spin");
      }
    }
    String name = entry.substring(entry.lastIndexOf('/') + 1).replaceFirst("\\.spin$", "");
    Optional<Ruleset> rules = Optional.empty();
    for (String attribute : parts.subList(1, parts.size())) {
      int equals = attribute.indexOf('=');
      String key = equals < 0 ? attribute : attribute.substring(0, equals).strip();
      String value = equals < 0 ? "" : unquoted(attribute.substring(equals + 1).strip());
      switch (key) {
        case "name" -> name = value;
        case "rules" -> rules = Optional.of(rules(value));
        default -> throw refused("'" + key + "' is not name or rules");
      }
    }
    if (!name.matches("[A-Za-z0-9._-]{1," + HandlerImage.MAX_NAME + "}")) {
      throw refused(
          "name: 1 to " + HandlerImage.MAX_NAME + " characters of [A-Za-z0-9._-] are possible");
    }
    return new HandlerHeader(entry, name, rules);
  }

  private static Ruleset rules(String text) {
    List<Ruleset> all;
    try {
      all = Rulesets.parse(text).all();
    } catch (SpinException e) {
      throw new SpinException(Errno.EINVAL, HEADER + ": " + e.getMessage(), e);
    }
    if (all.size() != 1) {
      throw refused("rules: " + all.size() + " rulesets; handlers have one");
    }
    return all.getFirst();
  }

  private static String unquoted(String text) {
    boolean quoted = text.length() > 1 && text.startsWith("\"") && text.endsWith("\"");
    return quoted ? text.substring(1, text.length() - 1) : text;
  }

  private static SpinException refused(String why) {
    return new SpinException(Errno.EINVAL, HEADER + ": " + why);
  }
}
