package io.isle.faces.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.observe.AuditEvent;
import io.isle.core.testing.RecordedAudit;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeployCheckTest {
  @TempDir private Path folder;

  private final List<AuditEvent> events = new ArrayList<>();
  private final DeployCheck check = new DeployCheck().with(new RecordedAudit(events::add));

  private File jar(String headers, String... entries) throws IOException {
    Path file = folder.resolve("demo.jar");
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().putValue("Manifest-Version", "1.0");
    for (String header : headers.split(" ")) {
      manifest.getMainAttributes().putValue(header, "x");
    }
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(file), manifest)) {
      for (String entry : entries) {
        out.putNextEntry(new ZipEntry(entry));
      }
    }
    return file.toFile();
  }

  private String refused(File file) {
    events.clear();
    assertTrue(check.canHandle(file));
    check.install(file);
    assertEquals(1, events.size());
    AuditEvent event = events.getFirst();
    assertEquals("deploy.refuse", event.action());
    assertEquals("deploy/" + file.getName(), event.object());
    assertEquals(Errno.EINVAL, event.code());
    return event.detail();
  }

  @Test
  void junkIsNoJar() throws IOException {
    Path junk = Files.writeString(folder.resolve("junk.jar"), "no jar");
    assertTrue(refused(junk.toFile()).startsWith("the file cannot be read as a jar: "));
    Path empty = Files.createFile(folder.resolve("empty.jar"));
    assertTrue(refused(empty.toFile()).startsWith("the file cannot be read as a jar: "));
  }

  @Test
  void withoutAManifestItIsNoBundle() throws IOException {
    Path file = folder.resolve("bare.jar");
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(file))) {
      out.putNextEntry(new ZipEntry("lib/libdemo.so"));
    }
    assertTrue(refused(file.toFile()).contains("META-INF/MANIFEST.MF"));
  }

  @ParameterizedTest
  @CsvSource({
    "Isle-Driver, Bundle-SymbolicName",
    "Bundle-Version Isle-Driver, Bundle-SymbolicName",
    "Bundle-SymbolicName Isle-Driver, Bundle-Version",
    "Bundle-SymbolicName Bundle-Version, Isle-Driver"
  })
  void theMissingHeaderIsNamed(String headers, String missing) throws IOException {
    String why = refused(jar(headers, "lib/libdemo.so"));
    assertTrue(why.contains("lacks the header " + missing), why);
  }

  @Test
  void aLibraryAloneIsNoDriver() throws IOException {
    Path library = Files.createFile(folder.resolve("libdemo.so"));
    assertTrue(refused(library.toFile()).contains("Isle-Driver"));
  }

  @Test
  void whatIsABundleIsLeftToOthers() throws IOException {
    String bundle = "Bundle-SymbolicName Bundle-Version";
    assertFalse(check.canHandle(jar(bundle + " Isle-Driver", "lib/libdemo.so")));
    assertFalse(check.canHandle(jar(bundle, "com/example/Demo.class", "lib/libdemo.so")));
    assertFalse(check.canHandle(jar(bundle + " Bundle-NativeCode", "lib/libdemo.so")));
    assertFalse(check.canHandle(jar(bundle)));
    assertFalse(check.canHandle(Files.createFile(folder.resolve("features.xml")).toFile()));
  }
}
