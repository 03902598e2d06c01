package io.isle.faces.shell.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Accelerators;
import io.isle.api.accel.ArgumentKind;
import io.isle.api.accel.KernelInfo;
import io.isle.api.accel.KernelInfo.Argument;
import io.isle.api.accel.ProgramKind;
import io.isle.api.accel.ProgramSource;
import io.isle.api.accel.SourceFile;
import io.isle.api.tenancy.Capabilities;
import io.isle.faces.shell.ShellException;
import io.isle.faces.shell.testing.FakeServices;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InspectCommandTest {
  private static final KernelInfo SUM =
      new KernelInfo(
          "sum",
          0,
          List.of(),
          4096,
          128,
          0,
          "barrier in function sum, line 3",
          "",
          List.of(
              new Argument("in", "float*", of(ArgumentKind.BUFFER), 1, 4, of(ArgumentKind.F32), 1),
              new Argument("n", "uint", of(ArgumentKind.U32), 0, 4, of(ArgumentKind.U32), 1),
              new Argument("p", "params", of(ArgumentKind.BYTES), 0, 20, Optional.empty(), 0)));

  private static final KernelInfo DRAW =
      new KernelInfo(
          "draw",
          1,
          List.of(8, 4, 1),
          0,
          0,
          64,
          "",
          "argument 0 (image2d_t) is an image",
          List.of(new Argument("", "", Optional.empty(), 0, 0, Optional.empty(), 0)));

  @TempDir Path folder;
  private final FakeAccelerators fake = new FakeAccelerators();
  private final FakeServices services =
      new FakeServices()
          .add(Accelerators.class, fake.accelerators())
          .add(Capabilities.class, fake.capabilities());

  private static Optional<ArgumentKind> of(ArgumentKind kind) {
    return Optional.of(kind);
  }

  @BeforeEach
  void write() throws IOException {
    fake.kernels = List.of(SUM, DRAW);
    Files.createDirectories(folder.resolve("job/lib"));
    Files.writeString(folder.resolve("job/a.cl"), "kernel void sum() {}\n");
    Files.writeString(folder.resolve("job/lib/b.h"), "#define B\n");
    Files.writeString(folder.resolve("c.h"), "#define C\n");
  }

  private String run(InspectCommand command, boolean json) {
    return services.run(command.in(folder.resolve("job")), json);
  }

  private InspectCommand inspect(String file, String... headers) {
    return new InspectCommand().of(file, List.of(headers), "-D N=16", null);
  }

  @Test
  void peopleReadATableForEachKernel() {
    assertEquals(
        """
        kernel sum
          required size   -
          largest group   4096
          local memory    128 B
          private memory  -
          needs local     barrier in function sum, line 3
          name  type    kind    access  bytes
          in    float*  buffer  read        4
          n     uint    u32     -           4
          p     params  bytes   -          20

        kernel draw
          cannot be used  argument 0 (image2d_t) is an image
          required size   8 x 4 x 1
          largest group   -
          local memory    0 B
          private memory  64 B
          needs local     -
          name  type  kind  access  bytes
          -     -     -     -       -
        """,
        run(inspect("a.cl"), false));
  }

  @Test
  void programsReadOneDocument() {
    assertEquals(
        "{\"device\":\"opencl0\",\"kernels\":[{\"name\":\"sum\",\"entry\":0,\"unusable\":null,"
            + "\"required_size\":null,\"max_group\":4096,\"local_bytes\":128,"
            + "\"private_bytes\":null,\"needs_local\":\"barrier in function sum, line 3\","
            + "\"arguments\":[{\"name\":\"in\",\"type\":\"float*\",\"kind\":\"buffer\","
            + "\"access\":\"read\",\"bytes\":4,\"element\":\"f32\",\"lanes\":1},"
            + "{\"name\":\"n\",\"type\":\"uint\",\"kind\":\"u32\",\"access\":null,\"bytes\":4,"
            + "\"element\":\"u32\",\"lanes\":1},{\"name\":\"p\",\"type\":\"params\","
            + "\"kind\":\"bytes\",\"access\":null,\"bytes\":20,\"element\":null,\"lanes\":null}]},"
            + "{\"name\":\"draw\",\"entry\":1,"
            + "\"unusable\":\"argument 0 (image2d_t) is an image\",\"required_size\":[8,4,1],"
            + "\"max_group\":null,\"local_bytes\":0,\"private_bytes\":64,\"needs_local\":null,"
            + "\"arguments\":[{\"name\":null,\"type\":null,\"kind\":null,\"access\":null,"
            + "\"bytes\":null,\"element\":null,\"lanes\":null}]}]}\n",
        run(inspect("a.cl"), true));
  }

  @Test
  void theProgramIsLoadedInAContextThatEnds() {
    var ignored = run(inspect("a.cl"), true);
    assertEquals(
        List.of(
            "issue inspect",
            "open opencl0 open",
            "context load",
            "program kernels",
            "program close",
            "context close",
            "revoke"),
        fake.done);
    assertEquals(
        List.of(new ProgramSource.OpenClC("#line 1 \"a.cl\"\nkernel void sum() {}\n", "-D N=16")),
        fake.sources);
  }

  @Test
  void headersMakeItAProgramOfFiles() {
    var ignored = run(inspect("a.cl", "lib/b.h"), true);
    assertEquals(
        new ProgramSource.OpenClFiles(
            List.of(new SourceFile("a.cl", "kernel void sum() {}\n")),
            List.of(new SourceFile("lib/b.h", "#define B\n")),
            "-D N=16"),
        fake.sources.getLast());
    ignored = run(inspect("a.cl", "../c.h"), true);
    ProgramSource.OpenClFiles above = (ProgramSource.OpenClFiles) fake.sources.getLast();
    assertEquals(
        List.of("job/a.cl", "c.h"),
        List.of(above.files().getFirst().name(), above.headers().getFirst().name()));
  }

  @Test
  void whatCannotBeReadIsNamed() throws IOException {
    Files.write(folder.resolve("job/bad.cl"), new byte[] {(byte) 0xff});
    Files.write(folder.resolve("job/long.cl"), new byte[ProgramSource.MAX_SOURCE_BYTES + 1]);
    for (String[] wrong :
        new String[][] {
          {"none.cl", "none.cl does not exist"},
          {"lib", "lib is not a file"},
          {"bad.cl", "bad.cl is not a text in UTF-8"},
          {"long.cl", "long.cl has 1048577 bytes; the limit is 1048576"},
          {"a\0b", "is not a path"}
        }) {
      ShellException e =
          assertThrows(ShellException.class, () -> run(inspect(wrong[0]), false), wrong[0]);
      assertTrue(e.getMessage().contains(wrong[1]), e.getMessage());
    }
    Files.write(folder.resolve("job/nul.cl"), "a\0".getBytes(StandardCharsets.UTF_8));
    assertThrows(AccelException.class, () -> run(inspect("nul.cl"), false));
    assertEquals(List.of(), fake.done);
  }

  @Test
  void aDeviceIsNamedOrFound() {
    var ignored = run(new InspectCommand().of("a.cl", null, "", "soft0"), false);
    assertEquals("open soft0 open", fake.done.get(1));
    assertEquals(List.of("opencl0"), new OpenClDeviceCompleter().ids(services));
    fake.kinds = List.of(ProgramKind.SPIRV);
    ShellException none = assertThrows(ShellException.class, () -> run(inspect("a.cl"), false));
    assertEquals("no open device accepts OpenCL C; see device:list", none.getMessage());
    fake.kinds = List.of(ProgramKind.OPENCL_C);
    fake.kernels = List.of();
    ShellException silent = assertThrows(ShellException.class, () -> run(inspect("a.cl"), false));
    assertEquals("the driver of opencl0 does not describe kernels", silent.getMessage());
  }

  @Test
  void aFailedBuildLeavesNothing() {
    fake.refusal = FakeAccelerators.failed("a.cl:1: error");
    AccelException e = assertThrows(AccelException.class, () -> run(inspect("a.cl"), false));
    assertEquals("a.cl:1: error", e.getMessage());
    assertEquals(List.of("context close", "revoke"), fake.done.subList(3, 5));
  }
}
