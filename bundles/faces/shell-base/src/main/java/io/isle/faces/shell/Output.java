package io.isle.faces.shell;

import java.io.PrintStream;
import java.util.List;

/**
 * Where a command prints.
 *
 * @param json the caller wants one JSON document and nothing else
 * @param columns width of the terminal, 0 if there is none
 */
public record Output(PrintStream stream, boolean json, int columns) {
  /** Prints rows as a table or as a JSON array. */
  public <T> void table(Table<T> table, List<T> rows) {
    table.print(this, rows);
  }

  /** Prints the JSON document; once a command. */
  public void document(Object value) {
    stream.println(Json.text(value));
  }

  /** Prints a line for people. */
  public void line(String text) {
    stream.println(text);
  }
}
