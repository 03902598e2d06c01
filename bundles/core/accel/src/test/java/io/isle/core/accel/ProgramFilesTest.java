package io.isle.core.accel;

import static io.isle.core.accel.ProgramsTest.SCALE;
import static io.isle.core.accel.ProgramsTest.SOURCE;
import static io.isle.core.accel.ProgramsTest.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.AccelAdmin;
import io.isle.api.accel.Context;
import io.isle.api.accel.Program;
import io.isle.api.accel.ProgramKind;
import io.isle.api.accel.ProgramSource;
import io.isle.api.accel.SourceFile;
import io.isle.api.base.Errno;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.ProgramEntry;
import io.isle.api.driver.ProgramSources.File;
import io.isle.core.accel.ids.SourceBudget;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Programs of several files: what devices get, what tenants are told, and what is kept. */
@Timeout(60)
class ProgramFilesTest {
  private static final ProgramSource TWO =
      new ProgramSource.OpenClFiles(
          List.of(new SourceFile("a.cl", SOURCE), new SourceFile("lib/b.cl", "\u00fc")),
          List.of(new SourceFile("lib/c.h", "")),
          "-DX=1");
  private static final String ASKED = "a.cl " + SOURCE + ", lib/b.cl \u00fc; lib/c.h ; -DX=1";

  private final Fixture fixture = new Fixture();
  private final List<String> builds = Collections.synchronizedList(new ArrayList<>());

  @AfterEach
  void close() {
    fixture.close();
  }

  private static String text(List<File> files) {
    return String.join(
        ", ",
        files.stream()
            .map(file -> file.name() + " " + new String(file.text(), StandardCharsets.UTF_8))
            .toList());
  }

  private void takeFiles(ScriptedDevice device) {
    device.files =
        (context, program, files, headers, options) -> {
          builds.add(text(files) + "; " + text(headers) + "; " + options);
          device.programs.add(program);
          return SCALE;
        };
  }

  @Test
  void filesReachTheDriverWithTheirNames() {
    takeFiles(fixture.device);
    Context context = fixture.context();
    Program program = context.load(TWO);
    assertEquals(List.of(ASKED), builds);
    assertEquals(List.of(new Program.Entry("scale", List.of("buffer", "f32"))), program.entries());
    AccelAdmin.ProgramInfo info = new AdminView(fixture.core).programs().getFirst();
    assertEquals(ProgramKind.OPENCL_C, info.kind());
    assertEquals(SOURCE.length() + 2, info.sourceBytes());
    program.close();
    assertTrue(fixture.device.programs.isEmpty());
  }

  @Test
  void aDriverWithoutThemSaysSo() {
    Context context = fixture.context();
    String why = refused(Errno.ENOTSUP, () -> context.load(TWO)).getMessage();
    assertTrue(why.contains("sim0: files: the driver accepts no programs of several files"), why);
    fixture.device.kinds = Set.of(io.isle.api.driver.Programs.Kind.BUILTIN);
    assertTrue(fixture.device.programs.isEmpty());
  }

  @Test
  void aFailedBuildShowsTheLineOfItsFile() {
    fixture.device.files =
        (context, program, files, headers, options) -> {
          throw new DriverException(Errno.EINVAL, "error: a.cl:1:15: no\u0000 such type");
        };
    Context context = fixture.context();
    String log = refused(Errno.EINVAL, () -> context.load(TWO)).getMessage();
    assertTrue(log.contains("opencl_c of " + (SOURCE.length() + 2) + " bytes in 3 files"), log);
    assertTrue(log.endsWith("error: a.cl:1:15: no? such type\n    1 | " + SOURCE), log);
  }

  @Test
  void aFailedBuildOfASourceShowsItsLineToo() {
    fixture.device.compiler =
        (kind, source, options) -> {
          throw new DriverException(Errno.EINVAL, "program.cl:2:1: error: no such type");
        };
    Context context = fixture.context();
    String log =
        refused(Errno.EINVAL, () -> context.load(new ProgramSource.OpenClC("int a;\n  it b;\n")))
            .getMessage();
    assertTrue(log.endsWith("program.cl:2:1: error: no such type\n    2 | it b;"), log);
  }

  @Test
  void theNextDeviceBuildsThemAgain() {
    takeFiles(fixture.device);
    Context context = fixture.context();
    Program program = context.load(TWO);
    fixture.crash();
    ScriptedDevice next = new ScriptedDevice(fixture.attachment.completions());
    takeFiles(next);
    assertEquals(1, fixture.recover(next).contexts());
    assertEquals(0, context.awaitUsable(0));
    assertEquals(List.of(ASKED, ASKED), builds);
    assertEquals(Set.of(program.id()), next.programs);
  }

  @Test
  void aNextDeviceWithoutThemLosesTheContext() {
    takeFiles(fixture.device);
    Context context = fixture.context();
    context.load(TWO);
    fixture.crash();
    assertEquals(
        0, fixture.recover(new ScriptedDevice(fixture.attachment.completions())).contexts());
    assertEquals(-Errno.ENODEV, context.awaitUsable(0));
  }

  @Test
  void theirBytesAndNamesCount() {
    List<ProgramEntry> entries = SCALE;
    fixture.device.files = (context, program, files, headers, options) -> entries;
    ProgramSource largest =
        new ProgramSource.OpenClFiles(
            IntStream.range(0, 4)
                .mapToObj(i -> new SourceFile("" + i, "x".repeat(ProgramSource.MAX_SOURCE_BYTES)))
                .toList(),
            List.of(),
            "");
    Context context = fixture.context();
    int most = (int) (SourceBudget.TENANT_BYTES / (largest.size() + 4));
    List<Program> loaded = new ArrayList<>();
    for (int i = 0; i < most; i++) {
      loaded.add(context.load(largest));
    }
    refused(Errno.ENOSPC, () -> context.load(largest));
    loaded.removeFirst().close();
    context.load(largest);
  }
}
