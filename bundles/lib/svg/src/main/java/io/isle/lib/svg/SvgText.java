package io.isle.lib.svg;

/**
 * Texts of a picture whose font is {@code sans-serif}. Which one that is, the viewer decides: the
 * widths here are those of DejaVu Sans, which is wider than the other usual ones. Pure functions.
 */
public final class SvgText {
  private static final String ELLIPSIS = "...";

  /** Of the characters from blank to '~', in thousandths of the font's size. */
  private static final int[] WIDTHS = {
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636,
    636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632,
    575, 775, 752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635, 611, 732, 684, 989, 685,
    611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579,
    278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838
  };

  /** Of any other character. */
  private static final int OTHER = 1000;

  private SvgText() {}

  /** Width of a line in pixels, rounded up, at a font size in pixels. */
  public static int width(String text, int fontSize) {
    long thousandths = 0;
    for (int i = 0; i < text.length(); i++) {
      int at = text.charAt(i) - ' ';
      thousandths += at >= 0 && at < WIDTHS.length ? WIDTHS[at] : OTHER;
    }
    return (int) Math.min(Integer.MAX_VALUE, Math.ceilDiv(thousandths * fontSize, 1000));
  }

  /** The text, or its beginning and three dots, within {@code most} pixels. */
  public static String fit(String text, int fontSize, int most) {
    if (width(text, fontSize) <= most) {
      return text;
    }
    int length = Math.min(text.length(), most);
    while (length > 0 && width(text.substring(0, length) + ELLIPSIS, fontSize) > most) {
      length--;
    }
    return text.substring(0, length) + ELLIPSIS;
  }

  /** As character data of XML; what XML does not allow is a question mark. */
  public static String escape(String raw) {
    return raw.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replaceAll("[\\p{Cntrl}\\ufffe\\uffff\\ud800-\\udfff]", "?");
  }
}
