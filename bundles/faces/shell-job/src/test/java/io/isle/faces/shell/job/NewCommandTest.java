package io.isle.faces.shell.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.Accelerators;
import io.isle.api.accel.ArgumentKind;
import io.isle.api.accel.KernelInfo;
import io.isle.api.tenancy.Capabilities;
import io.isle.faces.shell.ShellException;
import io.isle.faces.shell.testing.FakeServices;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
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

  private String from(String kernel, String job, List<String> headers) {
    FakeAccelerators fake = new FakeAccelerators();
    Function<String, KernelInfo> info =
        name ->
            new KernelInfo(
                name,
                0,
                List.of(),
                64,
                0,
                0,
                "",
                name.equals("draw") ? "argument 0 (image2d_t) is an image" : "",
                name.equals("none")
                    ? List.of()
                    : List.of(
                        new KernelInfo.Argument(
                            "x",
                            "float*",
                            Optional.of(ArgumentKind.BUFFER),
                            3,
                            4,
                            Optional.of(ArgumentKind.F32),
                            1)));
    fake.kernels = Stream.of("twice", "half", "draw", "none").map(info).toList();
    return new FakeServices()
        .add(Accelerators.class, fake.accelerators())
        .add(Capabilities.class, fake.capabilities())
        .run(new NewCommand().in(folder).from(kernel, job, headers, "-D N=\"1\""), true);
  }

  @Test
  void aKernelOfAFileGetsAJob() throws IOException {
    Files.createDirectories(folder.resolve("lib"));
    Files.writeString(folder.resolve("k.cl"), "kernel");
    Files.writeString(folder.resolve("lib/h.h"), "");
    assertEquals(
        "{\"file\":\""
            + folder.resolve("k.yml")
            + "\",\"kernel\":\"half\",\"device\":\"opencl0\"}\n",
        from("k.cl:half", null, List.of()));
    assertTrue(
        Files.readString(folder.resolve("k.yml"))
            .contains("program: {file: \"k.cl\", kernel: \"half\", options: \"-D N=\\\"1\\\"\"}"));
    var ignored = from("k.cl:twice", "mine", List.of("lib/h.h"));
    String text = Files.readString(folder.resolve("mine.yml"));
    assertTrue(text.contains("\njob: mine\n"), text);
    assertTrue(
        text.contains(
            "programs:\n  program: {files: [\"k.cl\"], include: [\"lib/h.h\"], options: \"-D"),
        text);
    assertTrue(text.contains("program: {name: program, kernel: \"twice\"}"), text);
  }

  @Test
  void aKernelThatNoJobCanRunIsRefused() throws IOException {
    Files.writeString(folder.resolve("k.cl"), "kernel");
    Files.writeString(folder.resolve("k.yml"), "my work");
    String[][] cases = {
      {"k.cl", "a kernel is needed, as FILE.cl:KERNEL; the kernels are twice, half, draw, none"},
      {"k.cl:other", "no kernel other; the kernels are twice, half, draw, none"},
      {"k.cl:draw", "kernel draw cannot be used: argument 0 (image2d_t) is an image"},
      {"k.cl:none", "kernel none has no buffer"},
      {"k.cl:half", "k.yml exists already"},
      {"../k.cl", "../k.cl is not in"},
      {"none.cl", "none.cl does not exist"}
    };
    for (String[] wrong : cases) {
      ShellException e =
          assertThrows(
              ShellException.class,
              () -> from(wrong[0], wrong[0].contains("none") ? "x" : null, List.of()),
              wrong[0]);
      assertTrue(e.getMessage().contains(wrong[1]), e.getMessage());
    }
    assertEquals("my work", Files.readString(folder.resolve("k.yml")));
    assertFalse(Files.exists(folder.resolve("x.yml")));
    ShellException both =
        assertThrows(
            ShellException.class,
            () ->
                shell.execute(
                    new NewCommand().of("x", "hash").from("k.cl", "x", List.of(), ""), false));
    assertEquals(2, both.exitStatus());
  }
}
