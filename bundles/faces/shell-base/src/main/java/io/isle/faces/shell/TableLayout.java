package io.isle.faces.shell;

import java.util.ArrayList;
import java.util.List;

/**
 * Lays cells out in columns: two blanks between them, the widest cut first where all is too wide.
 */
final class TableLayout {
  private static final int GAP = 2;
  private static final int MIN = 4;

  private TableLayout() {}

  /**
   * Lays out rows of cells, the first being the titles.
   *
   * @param right which columns stand at the right
   * @param width most characters of a line; 0 for any
   */
  static List<String> lines(List<List<String>> cells, boolean[] right, int width) {
    int[] widths = widths(cells, right.length);
    if (width > 0) {
      shrink(widths, width - GAP * (right.length - 1));
    }
    List<String> lines = new ArrayList<>();
    for (List<String> row : cells) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < right.length; i++) {
        line.append(i == 0 ? "" : " ".repeat(GAP)).append(cell(row.get(i), widths[i], right[i]));
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }

  private static int[] widths(List<List<String>> cells, int columns) {
    int[] widths = new int[columns];
    for (List<String> row : cells) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], length(clean(row.get(i))));
      }
    }
    return widths;
  }

  private static void shrink(int[] widths, int available) {
    int sum = 0;
    for (int width : widths) {
      sum += width;
    }
    while (sum > available) {
      int widest = 0;
      for (int i = 1; i < widths.length; i++) {
        widest = widths[i] > widths[widest] ? i : widest;
      }
      if (widths[widest] <= MIN) {
        return;
      }
      widths[widest]--;
      sum--;
    }
  }

  private static String cell(String raw, int width, boolean right) {
    String text = clean(raw);
    if (length(text) > width) {
      text = text.substring(0, text.offsetByCodePoints(0, width - 1)) + "~";
    }
    String blanks = " ".repeat(width - length(text));
    return right ? blanks + text : text + blanks;
  }

  private static int length(String text) {
    return text.codePointCount(0, text.length());
  }

  private static String clean(String text) {
    return text.replaceAll("[\\p{C}\\p{Zl}\\p{Zp}]", " ");
  }
}
