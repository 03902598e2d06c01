package io.isle.tck;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
    assertTrue(told().contains(" 0 failed, 28 skipped"), told());
    assertEquals(28, told().lines().filter(line -> line.contains("skip   display/")).count());
  }

  @Test
  void theSoftwareDisplayPassesInBothTiersAndSkipsNothing() {
    Path library = Path.of(System.getProperty("isle.native"), "libtestdisplay.so");
    assertEquals(0, run(library.toString()), this::told);
    assertTrue(told().contains(" 0 failed, 0 skipped"), told());
  }

  @Test
  void aJarNamesItsDriver() {
    Path jar = Path.of(System.getProperty("isle.sim"));
    assumeTrue(Files.exists(jar), "the sim driver is not packed");
    assertEquals(0, run(jar.toString(), "--json"), this::told);
    assertTrue(told().startsWith("[{\"subject\":\"tier 1 io.isle.drivers.sim.SimDriver\""));
  }

  @Test
  void whatIsNoDriverIsSaidSo() throws Exception {
    Path text = Files.writeString(folder.resolve("driver.so"), "no library");
    assertEquals(1, run(text.toString()));
    assertTrue(told().contains("is no driver"), told());
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
