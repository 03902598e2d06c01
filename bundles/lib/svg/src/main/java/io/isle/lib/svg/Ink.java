package io.isle.lib.svg;

import java.util.List;
import java.util.Locale;

/** Colours of a picture: one for a light page and one for a dark page each. */
public enum Ink {
  /** The page itself. */
  PAGE("#ffffff", "#15181c"),
  /** Names and titles. */
  TEXT("#000000", "#e6e6e6"),
  /** Figures and notes beside names. */
  NOTE("#595959", "#a8a8a8"),
  /** Lines of a scale. */
  SCALE("#dddddd", "#3a3f46"),
  /** Ground of a row. */
  GROUND("#f4f4f4", "#22272e"),
  /** Time without progress. */
  IDLE("#bbbbbb", "#6b7280"),
  BLUE("#2166ac", "#6cb0ee"),
  RED("#d6604d", "#f08a78"),
  GREEN("#1b7837", "#5cc47c"),
  VIOLET("#7b3294", "#c18ad8"),
  ORANGE("#e08214", "#f3a64a"),
  GREY("#666666", "#9a9a9a");

  private static final List<Ink> SERIES = List.of(BLUE, RED, GREEN, VIOLET, ORANGE, GREY);

  private final String light;
  private final String dark;

  Ink(String light, String dark) {
    this.light = light;
    this.dark = dark;
  }

  /**
   * The colour of one of several series.
   *
   * @param index from 0; colours repeat after six
   */
  public static Ink series(int index) {
    return SERIES.get(index % SERIES.size());
  }

  /** The colour on a light page, such as {@code #2166ac}. */
  String light() {
    return light;
  }

  /** The class of elements in this colour. */
  String cssClass() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** A rule of a style sheet for dark pages. */
  String darkRule(String property) {
    return "." + cssClass() + "{" + property + ":" + dark + "}";
  }
}
