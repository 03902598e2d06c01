package io.isle.api.AREA;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/** Keeps the newest notes of administrators, until the service ends. Thread-safe. */
@ProviderType
public interface Area {
  /** Most characters of a note. */
  int MAX_TEXT = 200;

  /**
   * One note.
   *
   * @param number from 1, in the order of the notes
   * @param text one line
   */
  record Note(long number, String text) {}

  /** The notes that are kept, the oldest first. */
  List<Note> notes();

  /**
   * Keeps a note. Where there is no room, the oldest note goes.
   *
   * @param text control characters in it are replaced
   * @throws AreaException EINVAL for a text that is blank or too long
   */
  Note add(String text);
}
