package io.isle.faces.shell.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.faces.shell.ShellException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NewCommandTest {
  @TempDir Path folder;

  private final Shell shell = new Shell();
  private final ByteArrayOutputStream out = shell.out;

  @Test
  void newListsItsTemplates() throws IOException {
    shell.execute(new NewCommand(), false);
    for (String name : Templates.names()) {
      assertTrue(out.toString(UTF_8).contains(name), name);
      assertTrue(Templates.text(name, "mine").contains("\njob: mine\n"), name);
    }
    assertEquals(Templates.names(), new TemplateCompleter().ids(shell.services()));
  }

  @Test
  void newRefusesWhatIsNoNameAndNoTemplate() {
    for (NewCommand wrong :
        List.of(
            new NewCommand().of("../x", "hash"),
            new NewCommand().of("x", "none"),
            new NewCommand().of("x", null))) {
      ShellException e = assertThrows(ShellException.class, () -> shell.execute(wrong, false));
      assertEquals(2, e.exitStatus(), e.getMessage());
    }
  }

  @Test
  void aTemplateWithAKernelOfItsOwnIsTwoFiles() throws IOException {
    shell.execute(new NewCommand().of("mine", "kernel").in(folder), false);
    assertTrue(out.toString(UTF_8).contains("mine.yml and "), out.toString(UTF_8));
    assertTrue(Files.readString(folder.resolve("mine.yml")).contains("{file: mine.cl, kernel: "));
    assertTrue(Files.readString(folder.resolve("mine.cl")).contains("__kernel void scale("));
    Files.delete(folder.resolve("mine.yml"));
    assertThrows(
        ShellException.class,
        () -> shell.execute(new NewCommand().of("mine", "kernel").in(folder), false));
    assertFalse(Files.exists(folder.resolve("mine.yml")), "all or nothing");
  }

  @Test
  void newWritesOnceAndLeavesWhatIsThere() throws IOException {
    Path file = folder.resolve("mine.yml");
    shell.execute(new NewCommand().of("mine", "matrix").in(folder), true);
    assertEquals(List.of("file", "template", "kernel"), shell.fields());
    assertTrue(Files.readString(file).contains("job: mine"));
    Files.writeString(file, "my work");
    ShellException e =
        assertThrows(
            ShellException.class,
            () -> shell.execute(new NewCommand().of("mine", "matrix").in(folder), false));
    assertTrue(e.getMessage().contains("exists already"), e.getMessage());
    assertEquals("my work", Files.readString(file));
  }
}
