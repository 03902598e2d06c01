package io.isle.apps.jobs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.ProgramKind;
import io.isle.api.accel.ProgramSource;
import io.isle.api.accel.SourceFile;
import io.isle.api.jobs.JobException;
import io.isle.api.jobs.JobResult;
import io.isle.api.jobs.JobState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Programs of several files that a job declares once. */
@Timeout(60)
class DeclaredProgramsTest {
  @TempDir Path root;

  private Path folder;
  private final Harness harness = new Harness(1 << 20);

  @BeforeEach
  void files() throws IOException {
    folder = Files.createDirectories(root.resolve("job"));
    harness.device.kinds = EnumSet.of(ProgramKind.BUILTIN, ProgramKind.OPENCL_C);
    Files.write(folder.resolve("x"), Numbers32.raw(3, 1, 2));
    Files.writeString(folder.resolve("a.cl"), "copy\n");
    Files.writeString(folder.resolve("b.cl"), "\ufeffscale-f32\n");
    Files.createDirectories(folder.resolve("lib/deep"));
    for (String name : List.of("common.h", "lib/two.h", "lib/one.h", "lib/.hidden.h", "lib/x.c")) {
      Files.writeString(folder.resolve(name), "// " + name);
    }
  }

  @Test
  void aStepUsesAKernelOfADeclaredProgram() throws Exception {
    run("{files: [a.cl, b.cl], include: [common.h, 'lib/*.h', lib/one.h], options: -D N=16}");
    assertArrayEquals(Numbers32.raw(6, 2, 4), Files.readAllBytes(folder.resolve("y")));
    ProgramSource.OpenClFiles source =
        (ProgramSource.OpenClFiles) harness.device.sources.getFirst();
    assertEquals(List.of("a.cl", "b.cl"), names(source.files()));
    assertEquals("scale-f32\n", source.files().get(1).text());
    assertEquals(List.of("common.h", "lib/one.h", "lib/two.h"), names(source.headers()));
    assertEquals("-D N=16", source.options());
  }

  private static List<String> names(List<SourceFile> files) {
    return files.stream().map(SourceFile::name).toList();
  }

  /** Each step of a stream finds its program loaded, also on a new context. */
  @Test
  void aStreamKeepsItsProgramsLoaded() throws Exception {
    String steps = "";
    for (int i = 0; i < 3; i++) {
      steps += step("{name: p, kernel: scale_f32}", "s" + i, "y" + i);
      steps += step("{file: b.cl}", "t" + i, "z" + i);
    }
    done("p: {files: b.cl}", steps);
    assertEquals(2, harness.device.loads.get());
    harness.device.plan.at(10, FakePlan.Event.GONE);
    done("p: {files: b.cl}", steps);
    assertEquals(2 + 4, harness.device.loads.get());
  }

  @Test
  void onlyFilesBesideTheJobFileAreTaken() throws Exception {
    Files.writeString(root.resolve("outside.cl"), "scale-f32");
    for (String name : List.of("../outside.cl", "lib/../a.cl", "/etc/hosts", "./a.cl", "lib//a")) {
      refused("{files: [" + name + "]}", 2, "must be a relative path without empty parts");
    }
    Files.createSymbolicLink(folder.resolve("link.cl"), root.resolve("outside.cl"));
    refused("{files: link.cl}", 2, "link.cl is a link that leads out of the folder");
    refused("{files: 'l*.cl'}", 2, "link.cl is a link that leads out of the folder");
    Files.createSymbolicLink(folder.resolve("up"), root);
    refused("{files: up/outside.cl}", 2, "up is a link that leads out of the folder");
    refused("{files: 'u?/*.cl'}", 2, "up is a link that leads out of the folder");
    Files.createSymbolicLink(folder.resolve("inner.cl"), Path.of("b.cl"));
    run("{files: inner.cl}");
  }

  @Test
  void whatIsNotThereIsNamed() throws Exception {
    refused("{files: none.cl}", 1, "programs.p.files: none.cl: no such file or directory");
    refused("{files: 'none*.cl'}", 1, "none*.cl matches no file beside the job file");
    refused("{files: lib}", 1, "lib is not a regular file");
    refused("{files: a.cl, include: '[*.h'}", 2, "is not a path or pattern");
    Files.write(folder.resolve("a.cl"), new byte[] {(byte) 0xff});
    refused("{files: [b.cl, a.cl]}", 1, "programs.p.files[1]: a.cl: is not UTF-8");
  }

  @Test
  void limits() throws Exception {
    for (int i = 0; i < 65; i++) {
      Files.writeString(folder.resolve("h" + i + ".h"), "");
    }
    refused("{files: b.cl, include: 'h*.h'}", 2, "matches more than 64 files");
    Files.delete(folder.resolve("h0.h"));
    refused("{files: b.cl, include: 'h*.h'}", 2, "programs.p: has 65 files; the limit is 64");
    Files.delete(folder.resolve("h1.h"));
    run("{files: b.cl, include: 'h*.h'}");
    byte[] long1 = new byte[ProgramSource.MAX_SOURCE_BYTES];
    java.util.Arrays.fill(long1, (byte) ' ');
    for (int i = 2; i < 7; i++) {
      Files.write(folder.resolve("h" + i + ".h"), long1);
    }
    refused("{files: b.cl, include: 'h*.h'}", 1, "have more than 4194304 bytes in all");
    Files.write(folder.resolve("b.cl"), new byte[ProgramSource.MAX_SOURCE_BYTES + 1]);
    refused("{files: b.cl}", 1, "the limit is 1048576 bytes");
  }

  @Test
  void aProgramThatIsNotDeclaredIsNamedWithThoseThatAre() throws Exception {
    JobException e =
        assertThrows(
            JobException.class, () -> done("p: {files: b.cl}", step("{name: q}", "s", "y")));
    assertTrue(
        e.getMessage()
            .contains("program.name: 'q' is not declared under 'programs'; declared are p"),
        e.getMessage());
    refused("{include: common.h}", 2, "programs.p: needs 'files'");
    refused("{files: []}", 2, "programs.p.files: needs at least one file");
    e = assertThrows(JobException.class, () -> done("p q: {files: b.cl}", "- {program: noop}\n"));
    assertTrue(e.getMessage().contains("a program's name has 1 to 64 characters"));
  }

  private static String step(String program, String name, String out) {
    return """
        - name: %s
          program: %s
          in: {x: {file: x, type: f32, shape: [n]}}
          out: {y: {file: %s, type: f32, shape: [n]}}
          args: [2, n]
          size: [n]
        """
        .formatted(name, program, out);
  }

  private void refused(String program, int status, String message) {
    JobException e = assertThrows(JobException.class, () -> run(program));
    assertEquals(status, e.exitStatus(), e.getMessage());
    assertTrue(e.getMessage().contains(message), e.getMessage());
  }

  private void run(String program) throws IOException {
    done("p: " + program, step("{name: p, kernel: scale_f32}", "s", "y"));
  }

  private void done(String programs, String steps) throws IOException {
    Path job =
        Files.writeString(
            folder.resolve("job.yml"),
            "job: j\nprograms:\n  " + programs + "\nsteps:\n" + steps.indent(2));
    JobResult result = harness.run(job, folder.toAbsolutePath(), Map.of());
    harness.assertNothingLeft();
    assertEquals(JobState.DONE, result.state(), result.error());
  }
}
