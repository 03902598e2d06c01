package io.isle.faces.shell;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Rows of one kind, as a table for people or as a JSON array of flat objects.
 *
 * @param <T> what a row is made from
 */
public final class Table<T> {
  /** Without a key only for people, without a title only in JSON. */
  private record Column<T>(
      String key,
      String title,
      Function<T, Object> value,
      Function<Object, String> shown,
      Room room) {}

  /** What becomes of a column where a terminal is too narrow. */
  enum Room {
    /** The widest of these is cut first. */
    CUT,
    /** Never cut: half an id is none. */
    WHOLE,
    /** Left out before anything is cut, the last one first. */
    SPARE
  }

  private final String empty;
  private final List<Column<T>> columns = new ArrayList<>();

  /**
   * A table without columns.
   *
   * @param empty what people read when there are no rows
   */
  public Table(String empty) {
    this.empty = empty;
  }

  /** A column with the same name for people and in JSON (snake_case). */
  public Table<T> column(String key, Function<T, Object> value) {
    return column(key, key.replace('_', ' '), value, Table::plain);
  }

  /**
   * A column with its own title and form for people.
   *
   * @param title null: only in JSON
   */
  public Table<T> column(
      String key, String title, Function<T, Object> value, Function<Object, String> shown) {
    columns.add(new Column<>(key, title, value, shown, Room.CUT));
    return this;
  }

  /** A column that only people see: JSON says the same in other fields. */
  public Table<T> shownOnly(String title, Function<T, String> text) {
    columns.add(new Column<>(null, title, text::apply, Table::plain, Room.CUT));
    return this;
  }

  /** The column before this is never cut. */
  public Table<T> whole() {
    return last(Room.WHOLE);
  }

  /** The column before this is left out where a terminal has no room for it. */
  public Table<T> spare() {
    return last(Room.SPARE);
  }

  private Table<T> last(Room room) {
    Column<T> column = columns.removeLast();
    columns.add(new Column<>(column.key(), column.title(), column.value(), column.shown(), room));
    return this;
  }

  /** A column that only JSON has. */
  public Table<T> jsonOnly(String key, Function<T, Object> value) {
    return column(key, null, value, Table::plain);
  }

  /** A row as a JSON object: an ordered map. */
  public Map<String, Object> object(T row) {
    Map<String, Object> object = new LinkedHashMap<>();
    for (Column<T> column : columns) {
      if (column.key() != null) {
        object.put(column.key(), column.value().apply(row));
      }
    }
    return object;
  }

  void print(Output output, List<T> rows) {
    if (output.json()) {
      output.document(rows.stream().map(this::object).toList());
    } else if (rows.isEmpty()) {
      output.line(empty);
    } else {
      lines(rows, output.columns()).forEach(output::line);
    }
  }

  /** The table as lines of at most {@code width} characters; 0 for any width. */
  public List<String> lines(List<T> rows, int width) {
    List<Column<T>> shown = columns.stream().filter(column -> column.title() != null).toList();
    List<List<String>> cells = new ArrayList<>();
    cells.add(shown.stream().map(Column::title).toList());
    for (T row : rows) {
      cells.add(shown.stream().map(c -> c.shown().apply(c.value().apply(row))).toList());
    }
    boolean[] right = new boolean[shown.size()];
    for (int i = 0; i < right.length; i++) {
      Column<T> column = shown.get(i);
      right[i] = rows.stream().allMatch(row -> column.value().apply(row) instanceof Number);
    }
    List<Room> rooms = shown.stream().map(Column::room).toList();
    return TableLayout.lines(cells, right, rooms, width);
  }

  /** A value as it is; {@code -} for null. */
  public static String plain(Object value) {
    return value == null ? "-" : value.toString();
  }
}
