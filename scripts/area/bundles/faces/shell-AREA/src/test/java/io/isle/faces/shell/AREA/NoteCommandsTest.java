package io.isle.faces.shell.AREA;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.AREA.Area;
import io.isle.faces.shell.ShellException;
import io.isle.faces.shell.testing.FakeServices;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class NoteCommandsTest {
  /** Keeps everything. */
  private static final class Fake implements Area {
    private final List<Note> notes = new ArrayList<>();

    @Override
    public List<Note> notes() {
      return notes;
    }

    @Override
    public Note add(String text) {
      notes.add(new Note(notes.size() + 1L, text));
      return notes.getLast();
    }
  }

  private final FakeServices services = new FakeServices().add(Area.class, new Fake());

  @Test
  void aNoteIsKeptAndShown() {
    String json = services.run(new AddCommand().of("first note"), true);
    assertEquals("[{\"number\":1,\"text\":\"first note\"}]", json.strip());
    assertEquals(json, services.run(new ListCommand(), true));
  }

  @Test
  void peopleSeeEachNoteInALine() {
    assertEquals("No notes; see AREA:add.", services.run(new ListCommand(), false).strip());
    services.run(new AddCommand().of("first note"), false);
    List<String> lines = services.run(new ListCommand(), false).lines().toList();
    assertEquals(2, lines.size());
    assertTrue(lines.getLast().contains("first note"), lines::toString);
  }

  @Test
  void withoutTheServiceTheCommandSaysSo() {
    ShellException none =
        assertThrows(ShellException.class, () -> new FakeServices().run(new ListCommand(), false));
    assertTrue(none.getMessage().contains("the service Area is not available"), none::getMessage);
  }
}
