package io.isle.faces.shell;

import io.isle.faces.shell.Table.Room;
import java.util.ArrayList;
import java.util.List;

/**
 * Lays cells out in columns: two blanks between them. Where all is too wide, columns that can be
 * spared are left out, then the widest is cut first.
 */
final class TableLayout {
  private static final int GAP = 2;
  private static final int MIN = 4;
  private static final int OUT = -1;

  private TableLayout() {}

  /**
   * Lays out rows of cells, the first being the titles.
   *
   * @param right which columns stand at the right
   * @param rooms what becomes of each column where it is too narrow
   * @param width most characters of a line; 0 for any
   */
  static List<String> lines(
      List<List<String>> cells, boolean[] right, List<Room> rooms, int width) {
    int[] widths = widths(cells, right.length);
    if (width > 0) {
      leaveOut(widths, rooms, width);
      shrink(widths, rooms, width);
    }
    List<String> lines = new ArrayList<>();
    for (List<String> row : cells) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < right.length; i++) {
        if (widths[i] != OUT) {
          line.append(i == 0 ? "" : " ".repeat(GAP)).append(cell(row.get(i), widths[i], right[i]));
        }
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }

  private static void leaveOut(int[] widths, List<Room> rooms, int width) {
    for (int i = widths.length - 1; i >= 0 && sum(widths) > width; i--) {
      if (rooms.get(i) == Room.SPARE) {
        widths[i] = OUT;
      }
    }
  }

  /** Of a line. */
  private static int sum(int[] widths) {
    int sum = -GAP;
    for (int width : widths) {
      sum += width == OUT ? 0 : width + GAP;
    }
    return sum;
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

  private static void shrink(int[] widths, List<Room> rooms, int width) {
    for (int over = sum(widths) - width; over > 0; over--) {
      int widest = -1;
      for (int i = 0; i < widths.length; i++) {
        boolean wider = widths[i] > (widest < 0 ? MIN : widths[widest]);
        widest = rooms.get(i) == Room.CUT && wider ? i : widest;
      }
      if (widest < 0) {
        return;
      }
      widths[widest]--;
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

  /** Without what would move a terminal's cursor. */
  static String clean(String text) {
    return text.replaceAll("[\\p{C}\\p{Zl}\\p{Zp}]", " ");
  }
}
