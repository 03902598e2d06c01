package io.isle.tck;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The suite as it is called: on files. */
class SubjectsTest {
  @TempDir Path folder;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @Test
  void theSoftwareAcceleratorPassesInBothTiers() {
    Path library = Path.of(System.getProperty("isle.native"), "libsoftaccel.so");
    assertEquals(0, run(library.toString()), this::told);
    assertTrue(told().contains("[tier 1] ok") && told().contains("[tier 2] ok"), told());
    assertTrue(told().contains(" 0 failed, 126 skipped"), told());
    assertEquals(16, skips("program/"), "what needs a compiler is left out: " + told());
    assertEquals(24, skips("launch/"), "what needs kernels is left out: " + told());
    assertEquals(40, skips("display/"), "what needs a display is left out: " + told());
    assertEquals(14, skips("fences/"), "waits of drivers in C are the core's: " + told());
  }

  private long skips(String part) {
    return told().lines().filter(line -> line.matches(".*skip +" + part + ".*")).count();
  }

  @Test
  void theSoftwareDisplayPassesInBothTiersAndSkipsWhatNeedsACompiler() {
    Path library = Path.of(System.getProperty("isle.native"), "libtestdisplay.so");
    assertEquals(0, run(library.toString()), this::told);
    assertTrue(told().contains(" 0 failed, 86 skipped"), told());
    assertEquals(16, skips("program/"), told());
    assertEquals(14, skips("fences/"), told());
  }

  @Test
  void aDriverWithACompilerPassesInBothTiersAndSkipsWhatNeedsADisplay() {
    Path library = Path.of(System.getProperty("isle.native"), "libcompiler.so");
    assertEquals(0, run(library.toString()), this::told);
    assertTrue(told().contains(" 0 failed, 110 skipped"), told());
    assertEquals(40, skips("display/"), told());
    assertEquals(14, skips("fences/"), told());
  }

  @Test
  void aDriverOfHandlersPassesInAProcessOfItsOwn() {
    SpinProcessor.assumed();
    Path library = Path.of(System.getProperty("isle.native"), "libspin.so");
    assertEquals(0, run(library.toString()), this::told);
    assertEquals(16, skips("hpu/"), "tier 1 alone: " + told());
    assertTrue(told().contains("[tier 2] ok     hpu/frame"), told());
    assertTrue(told().contains("[tier 2] ok     memory/"), told());
  }

  @Test
  void aJarNamesItsDriver() {
    Path jar = Path.of(System.getProperty("isle.sim"));
    assumeTrue(Files.exists(jar), "the sim driver is not packed");
    assertEquals(0, run(jar.toString(), "--json"), this::told);
    assertTrue(told().startsWith("[{\"subject\":\"tier 1 io.isle.drivers.sim.SimDriver\""));
  }

  @Test
  void theBundleOfANativeDriverIsItsLibraryInBothTiers() throws Exception {
    Path natives = Path.of(System.getProperty("isle.native"));
    Path jar = bundle("libdriver.so", natives.resolve("libsoftaccel.so"));
    assertEquals(Set.of("tier 1", "tier 2"), Subjects.in(jar, natives).keySet());
  }

  @Test
  void aBundleThatLacksTheLibraryItNamesIsSaidSo() throws Exception {
    Path text = Files.writeString(folder.resolve("text"), "text");
    assertEquals(1, run(bundle("libother.so", text).toString()));
    assertTrue(told().contains("the bundle has no entry lib/libdriver.so"), told());
  }

  private Path bundle(String name, Path library) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Isle-Driver", "lib/libdriver.so");
    manifest.getMainAttributes().putValue("Isle-Driver-Profile", "compute");
    Path jar = folder.resolve("driver.jar");
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream to = new JarOutputStream(file, manifest)) {
      to.putNextEntry(new ZipEntry("lib/" + name));
      Files.copy(library, to);
      to.closeEntry();
    }
    return jar;
  }

  @Test
  void whatIsNoDriverIsSaidSo() throws Exception {
    Path text = Files.writeString(folder.resolve("driver.so"), "no library");
    assertEquals(1, run(text.toString()));
    assertTrue(told().contains("is not a driver"), told());
    assertEquals(1, run(folder.resolve("missing.so").toString()));
  }

  @Test
  void wrongArgumentsAreAUsageError() {
    assertEquals(2, run());
    assertEquals(2, run("a", "b"));
    assertEquals(2, run("a", "--colour"));
  }

  private int run(String... args) {
    return Main.run(List.of(args), stream(out), stream(err));
  }

  private static PrintStream stream(ByteArrayOutputStream bytes) {
    return new PrintStream(bytes, true, StandardCharsets.UTF_8);
  }

  private String told() {
    return out.toString(StandardCharsets.UTF_8) + err.toString(StandardCharsets.UTF_8);
  }
}
