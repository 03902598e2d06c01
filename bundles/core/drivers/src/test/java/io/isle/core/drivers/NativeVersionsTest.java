package io.isle.core.drivers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.driver.DriverException;
import io.isle.core.drivers.nativecode.NativeRuntime;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Versions of a driver that come after each other, with the library of the software device. */
class NativeVersionsTest {
  private static final Path NATIVE = Path.of(System.getProperty("isle.native"));
  private static final NativeRuntime RUNTIME = new NativeRuntime(NATIVE, 50);

  @TempDir Path directory;
  private final Introductions introductions = new Introductions();

  /** Brings a library as version {@code version} of a bundle. */
  private NativeVersions version(GoodLibraries libraries, String version, Path library) {
    return new NativeVersions(
        RUNTIME, new NativeVersions.Store(libraries, introductions), "drivers.x", version, library);
  }

  private Path unpacked(GoodLibraries libraries, Path from) throws IOException {
    Path to = libraries.fresh();
    try (InputStream in = Files.newInputStream(from)) {
      libraries.unpack(in, to);
    }
    return to;
  }

  @Test
  void aRefusedVersionIsReplacedByTheLastThatWorkedAlsoAfterARestart() throws Exception {
    GoodLibraries libraries = new GoodLibraries(directory);
    Path library = unpacked(libraries, NATIVE.resolve("libsoftaccel.so"));
    DriverHandle good = version(libraries, "1.0.0", library).look(() -> {});
    assertEquals("drivers.x 1.0.0", good.source());
    good.proven();
    libraries.delete(library);

    GoodLibraries restarted = new GoodLibraries(directory);
    Path bad = unpacked(restarted, NATIVE.resolve("driver-host"));
    DriverHandle handle = version(restarted, "2.0.0", bad).look(() -> {});
    assertEquals("soft", handle.info().name());
    assertEquals("drivers.x 1.0.0", handle.source());
    assertTrue(handle.note().startsWith("drivers.x 2.0.0 was refused: "), handle.note());
    assertTrue(handle.note().endsWith("; drivers.x 1.0.0 runs in its place"), handle.note());
  }

  @Test
  void withoutOneThatWorkedARefusalIsARefusal() throws Exception {
    GoodLibraries libraries = new GoodLibraries(directory);
    Path bad = unpacked(libraries, NATIVE.resolve("driver-host"));
    DriverException refused =
        assertThrows(DriverException.class, () -> version(libraries, "2.0.0", bad).look(() -> {}));
    assertFalse(refused.getMessage().isBlank());
  }

  @Test
  void aVersionThatWorksFallsBackOnNothing() throws Exception {
    GoodLibraries libraries = new GoodLibraries(directory);
    Path library = unpacked(libraries, NATIVE.resolve("libsoftaccel.so"));
    libraries.keep("drivers.x", "0.9.0", NATIVE.resolve("libisle_shim.so"));
    NativeVersions versions = version(libraries, "1.0.0", library);
    versions.proven();
    assertEquals(Optional.empty(), versions.lastGood());
    assertEquals(Optional.empty(), libraries.before("drivers.x", library), "it is the same one");
    try (var kept = Files.list(directory.resolve("good/drivers.x"))) {
      assertEquals(
          "1.0.0.so", kept.map(file -> file.getFileName().toString()).findFirst().orElse(""));
    }
  }

  @Test
  void whatWasInUseWhenThePlatformWasKilledIsDeletedAndWhatWorkedIsNot() throws Exception {
    GoodLibraries libraries = new GoodLibraries(directory);
    Path library = unpacked(libraries, NATIVE.resolve("libsoftaccel.so"));
    libraries.keep("drivers.x", "1.0.0", library);
    GoodLibraries restarted = new GoodLibraries(directory);
    assertFalse(Files.exists(library));
    assertEquals("1.0.0", restarted.before("drivers.x", library).orElseThrow().version());
  }

  @Test
  void aLibraryThatIsKnownIsBelievedAndAskedWhenThereIsTime() throws Exception {
    GoodLibraries libraries = new GoodLibraries(directory);
    Path first = unpacked(libraries, NATIVE.resolve("libsoftaccel.so"));
    Path second = unpacked(libraries, NATIVE.resolve("libsoftaccel.so"));
    assertFalse(introductions.of(RUNTIME, first, line -> {}).remembered());
    assertTrue(introductions.of(RUNTIME, second, line -> {}).remembered());
    DriverHandle handle = version(libraries, "1.0.1", second).look(() -> {});
    assertEquals("soft", handle.info().name());
    assertEquals(Optional.empty(), handle.changed(), "it says the same");
    NativeRuntime other = new NativeRuntime(NATIVE, 51);
    assertFalse(introductions.of(other, first, line -> {}).remembered());
  }

  @Test
  void aRefusalIsNotRemembered() throws Exception {
    GoodLibraries libraries = new GoodLibraries(directory);
    Path bad = unpacked(libraries, NATIVE.resolve("driver-host"));
    for (int i = 0; i < 2; i++) {
      assertThrows(DriverException.class, () -> introductions.of(RUNTIME, bad, line -> {}));
    }
  }
}
