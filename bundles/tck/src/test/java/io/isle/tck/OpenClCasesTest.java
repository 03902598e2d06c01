package io.isle.tck;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Launches as an OpenCL library runs them, in both tiers, where the machine has a device. */
class OpenClCasesTest {
  private static final String LIBRARY = "libisleopencl.so";
  private static final Runner RUNNER = new Runner(Duration.ofSeconds(30));

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void kernelsGetWhatALaunchSays(int tier) throws IOException {
    Path natives = Path.of(System.getProperty("isle.native"));
    Map<String, Supplier<Subject>> subjects = Subjects.in(bundle(natives), natives);
    Supplier<Subject> subject = subjects.get("tier " + tier);
    assumeFalse(subject.get().probe().isEmpty(), "there is no OpenCL device here");
    for (Case what : LaunchCases.all()) {
      Result result = RUNNER.run(subject, what);
      assertEquals(Result.Outcome.OK, result.outcome(), result::line);
    }
    assertEquals(12, LaunchCases.all().size());
  }

  private Path bundle(Path natives) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Isle-Driver", "lib/" + LIBRARY);
    manifest.getMainAttributes().putValue("Isle-Driver-Profile", "opencl");
    Path jar = folder.resolve("opencl.jar");
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream to = new JarOutputStream(file, manifest)) {
      to.putNextEntry(new ZipEntry("lib/" + LIBRARY));
      Files.copy(natives.resolve(LIBRARY), to);
      to.closeEntry();
    }
    return jar;
  }
}
