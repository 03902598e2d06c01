package io.isle.sim;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** Columns as wide as what is in them; numbers to the right. */
final class Table {
  private final List<String[]> rows = new ArrayList<>();
  private final int[] widths;

  Table(String... heads) {
    widths = new int[heads.length];
    row(heads);
  }

  void row(String... cells) {
    rows.add(cells);
    for (int i = 0; i < widths.length; i++) {
      widths[i] = Math.max(widths[i], cells[i].length());
    }
  }

  void print(PrintStream out) {
    for (String[] row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.length; i++) {
        int fill = widths[i] - row[i].length();
        line.append(i == 0 ? "" : "  ");
        if (isNumber(i)) {
          line.repeat(' ', fill).append(row[i]);
        } else {
          line.append(row[i]).repeat(' ', fill);
        }
      }
      out.append(line.toString().stripTrailing()).append('\n');
    }
  }

  /** By the last row; the heads follow it. */
  private boolean isNumber(int column) {
    String cell = rows.getLast()[column];
    return rows.size() > 1 && (cell.equals("-") || Character.isDigit(cell.charAt(0)));
  }
}
