package io.isle.faces.shell.AREA;

import io.isle.api.AREA.Area.Note;
import io.isle.faces.shell.Table;

/** Notes as a table. */
final class Notes {
  private Notes() {}

  static Table<Note> table() {
    return new Table<Note>("No notes; see AREA:add.")
        .column("number", Note::number)
        .column("text", Note::text);
  }
}
