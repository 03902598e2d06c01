package io.isle.lib.svg;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Writes one SVG picture that needs no other file. The page grows with the elements: none lies
 * outside. Colours follow the viewer's preference for a light or a dark page; a renderer without
 * style sheets shows the light ones. Coordinates are in pixels from the left upper corner. Not
 * thread-safe.
 */
public final class SvgPicture {
  /** Space between elements and the edge of the page. */
  public static final int MARGIN = 10;

  private static final int KEY = 12;
  private static final int KEY_SPACE = 5;
  private static final int LEGEND_SPACE = 24;
  private static final int LEGEND_LINE = 20;

  private final String title;
  private final StringBuilder body = new StringBuilder();
  private final Set<Ink> strokes = EnumSet.of(Ink.SCALE);
  private double right;
  private double bottom;

  /** An entry of a legend. */
  public record Key(Ink ink, String name) {}

  /** Sizes of texts, in pixels. */
  public enum Font {
    NOTE(12),
    NAME(13),
    TITLE(15);

    private final int size;

    Font(int size) {
      this.size = size;
    }

    /** Width of a line, rounded up. */
    public int width(String text) {
      return SvgText.width(text, size);
    }

    /** The text, or its beginning and three dots, within {@code most} pixels. */
    public String fit(String text, int most) {
      return SvgText.fit(text, size, most);
    }
  }

  /**
   * @param title for viewers that name the picture; any characters
   */
  public SvgPicture(String title) {
    this.title = title;
  }

  /**
   * A line of text.
   *
   * @param y of its base line
   * @param text any characters
   */
  public void text(double x, double y, Font font, Ink ink, String text) {
    write(x, y, font, ink, "", text, Optional.empty());
    grow(x + font.width(text), y + font.size);
  }

  /** As {@link #text}, cut to a width; a viewer shows the whole text on pointing at the line. */
  public void label(double x, double y, Font font, Ink ink, int most, String text) {
    String shown = font.fit(text, most);
    write(x, y, font, ink, "", shown, Optional.of(text).filter(whole -> !whole.equals(shown)));
    grow(x + font.width(shown), y + font.size);
  }

  /** As {@link #text}, with {@code x} in the middle. */
  public void centred(double x, double y, Font font, Ink ink, String text) {
    write(x, y, font, ink, " text-anchor=\"middle\"", text, Optional.empty());
    grow(x + font.width(text) / 2.0, y + font.size);
  }

  private void write(
      double x, double y, Font font, Ink ink, String more, String text, Optional<String> whole) {
    line(
        "<text x=\"%s\" y=\"%s\" font-size=\"%d\" class=\"%s\" fill=\"%s\"%s>%s%s</text>",
        number(x),
        number(y),
        font.size,
        ink.cssClass(),
        ink.light(),
        more,
        SvgText.escape(text),
        whole.map(it -> "<title>" + SvgText.escape(it) + "</title>").orElse(""));
  }

  /**
   * A box.
   *
   * @param kind a class of the element, for style sheets and readers; may be empty
   * @param note shown on pointing at the box; may be empty
   */
  public void box(
      double x, double y, double width, double height, Ink ink, String kind, String note) {
    String classes = kind.isEmpty() ? ink.cssClass() : kind + " " + ink.cssClass();
    String end = note.isEmpty() ? "/>" : "><title>" + SvgText.escape(note) + "</title></rect>";
    line(
        "<rect class=\"%s\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" fill=\"%s\"%s",
        SvgText.escape(classes),
        number(x),
        number(y),
        number(width),
        number(height),
        ink.light(),
        end);
    grow(x + width, y + height);
  }

  /** Boxes of one colour in one element, which is shorter where there are many. */
  public Boxes boxes(String kind, Ink ink) {
    line("<g class=\"%s\" fill=\"%s\">", SvgText.escape(kind + " " + ink.cssClass()), ink.light());
    return new Boxes();
  }

  /** The boxes of one colour; closed before anything else is drawn. */
  public final class Boxes implements AutoCloseable {
    private Boxes() {}

    public void box(double x, double y, double width, double height) {
      line(
          "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"/>",
          number(x), number(y), number(width), number(height));
      grow(x + width, y + height);
    }

    @Override
    public void close() {
      line("</g>");
    }
  }

  /** A line of a scale, from top to bottom. */
  public void scaleLine(double x, double top, double end) {
    stroke(x, top, x, end, Ink.SCALE, "");
  }

  /** A line of a scale, from left to right. */
  public void scaleLevel(double y, double left, double end) {
    stroke(left, y, end, y, Ink.SCALE, "");
  }

  /** A line of a curve. */
  public void curveLine(double x1, double y1, double x2, double y2, Ink ink) {
    stroke(x1, y1, x2, y2, ink, " stroke-width=\"2\"");
  }

  private void stroke(double x1, double y1, double x2, double y2, Ink ink, String more) {
    strokes.add(ink);
    line(
        "<line class=\"line-%s\" x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\" stroke=\"%s\"%s/>",
        ink.cssClass(), number(x1), number(y1), number(x2), number(y2), ink.light(), more);
    grow(Math.max(x1, x2), Math.max(y1, y2));
  }

  /**
   * A legend, in as many lines as its entries take.
   *
   * @param y of the first base line
   * @param most where lines end, unless one entry alone is longer
   * @return the base line behind the last
   */
  public int legend(int x, int y, int most, List<Key> keys) {
    int at = x;
    int base = y;
    for (Key key : keys) {
      int width = KEY + KEY_SPACE + Font.NOTE.width(key.name);
      if (at > x && at + width > most) {
        at = x;
        base += LEGEND_LINE;
      }
      box(at, base - KEY + 2, KEY, KEY, key.ink, "key", "");
      text(at + KEY + KEY_SPACE, base, Font.NOTE, Ink.TEXT, key.name);
      at += width + LEGEND_SPACE;
    }
    return base + LEGEND_LINE;
  }

  /** The document. */
  public String svg() {
    long width = (long) Math.ceil(right) + MARGIN;
    long height = (long) Math.ceil(bottom) + MARGIN;
    return String.format(
            Locale.ROOT,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
                + " viewBox=\"0 0 %d %d\" font-family=\"sans-serif\">\n",
            width,
            height,
            width,
            height)
        + "<title>"
        + SvgText.escape(title)
        + "</title>\n"
        + darkStyle()
        + "<rect class=\"page\" width=\"100%\" height=\"100%\" fill=\""
        + Ink.PAGE.light()
        + "\"/>\n"
        + body
        + "</svg>\n";
  }

  private String darkStyle() {
    StringBuilder rules = new StringBuilder("<style>@media (prefers-color-scheme: dark){");
    for (Ink ink : Ink.values()) {
      rules.append(ink.darkRule("fill"));
    }
    for (Ink ink : strokes) {
      rules.append(".line-").append(ink.darkRule("stroke").substring(1));
    }
    return rules.append("}</style>\n").toString();
  }

  private void grow(double x, double y) {
    right = Math.max(right, x);
    bottom = Math.max(bottom, y);
  }

  /** With two decimals at most, and none that say nothing. */
  private static String number(double value) {
    String text = String.format(Locale.ROOT, "%.2f", value);
    return text.replaceAll("\\.?0+$", "");
  }

  private void line(String format, Object... values) {
    body.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
