package io.isle.apps.chaos.plan;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A bundle that is restarted under load.
 *
 * @param bundle symbolic name
 * @param weight how often, compared with the others; 0 for a bundle that carries the run
 * @param leaf whether it may also be updated in place: nothing is wired to it
 */
public record Part(String bundle, int weight, boolean leaf) {
  /** The header that says the restart class of a bundle; docs/chaos.md has its form. */
  public static final String HEADER = "Isle-Restart";

  /** The core first, so that a node that is warmed up has done everything since its start. */
  public static final Comparator<Part> ORDER =
      Comparator.comparing(Part::leaf).thenComparing(Part::bundle);

  private static final Pattern FORM =
      Pattern.compile("(?<class>core|leaf|none)(;weight=(?<weight>[0-9]{1,3})|;jobs=end){0,2}");

  /**
   * What the header of a bundle says; empty for a bundle that must not be restarted.
   *
   * @throws IllegalArgumentException for a header in no known form, naming the bundle
   */
  public static Optional<Part> of(String bundle, String header) {
    Matcher form = FORM.matcher(header.replace(" ", ""));
    if (!form.matches()) {
      throw new IllegalArgumentException(
          bundle + ": " + HEADER + " is not a restart class: " + header);
    }
    if (form.group("class").equals("none")) {
      return Optional.empty();
    }
    int weight = form.group("weight") == null ? 1 : Integer.parseInt(form.group("weight"));
    return Optional.of(new Part(bundle, weight, form.group("class").equals("leaf")));
  }
}
