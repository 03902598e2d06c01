package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Notes as users have them: by commands, with the settings of the instance. */
@ExtendWith(Platform.class)
class AreaIT {
  private static final Path SETTINGS = Platform.folder().resolve("etc/io.isle.AREA.cfg");

  private static JsonNode notes() throws Exception {
    return Platform.sh("AREA:list", "--json").succeeded().json();
  }

  private static void write(String text) throws Exception {
    Path beside = Files.writeString(Platform.folder().resolve("settings.new"), text);
    Files.move(beside, SETTINGS, StandardCopyOption.ATOMIC_MOVE);
  }

  @Test
  void aNoteIsKeptUntilTheServiceEnds() throws Exception {
    Platform.sh("AREA:add 'a note'").succeeded();
    assertEquals("a note", notes().get(notes().size() - 1).get("text").asText());
    Platform.sh("bundle:restart io.isle.core.AREA").succeeded();
    Awaiting.await("the service is there again", () -> notes().isEmpty());
  }

  @Test
  void aManagerMayAddAndAViewerMayNot() {
    Platform.sh("AREA:add 'of a manager'", "--as", "manager").succeeded();
    Platform.Result refused = Platform.sh("AREA:add any", "--as", "viewer").failed(1);
    assertTrue(refused.err().contains("your role may not run it"), refused.err());
  }

  @Test
  void anEditOfTheSettingsHoldsAtOnce() throws Exception {
    String shipped = Files.readString(SETTINGS);
    Platform.sh("AREA:add one; AREA:add two; AREA:add three").succeeded();
    try {
      write("capacity = 2\n");
      Awaiting.await("two notes are left", () -> notes().size() == 2);
      assertEquals("three", notes().get(1).get("text").asText());
    } finally {
      write(shipped);
    }
  }
}
