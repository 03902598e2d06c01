package io.isle.tck;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.driver.DriverException;
import io.isle.core.drivers.nativecode.NativeRuntime;
import io.isle.core.drivers.nativecode.host.Sandbox;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DriverBundleTest {
  private static final byte[] LIBRARY = {1, 2, 3};
  private static final NativeRuntime PLAIN = new NativeRuntime(Path.of("."), 50, Sandbox.DEFAULT);

  @TempDir Path folder;

  @Test
  void theLibraryIsUnpackedAndGetsWhatTheManifestAsksFor() throws IOException {
    DriverBundle bundle = DriverBundle.of(jar("lib/a.so", "lib/a.so", "opencl")).orElseThrow();
    assertArrayEquals(LIBRARY, Files.readAllBytes(bundle.library()));
    Sandbox sandbox = bundle.runtime(PLAIN).sandbox();
    assertEquals(Sandbox.Profile.OPENCL, sandbox.profile());
    assertTrue(Files.isDirectory(sandbox.cache().orElseThrow()));
  }

  @Test
  void withoutAProfileItIsTheDefault() throws IOException {
    DriverBundle bundle = DriverBundle.of(jar("a.so", " a.so ", null)).orElseThrow();
    assertEquals(PLAIN, bundle.runtime(PLAIN));
  }

  @Test
  void otherFilesAreNone() throws IOException {
    assertEquals(Optional.empty(), DriverBundle.of(jar("a.so", null, null)));
    assertEquals(Optional.empty(), DriverBundle.of(folder.resolve("a.so")));
  }

  @Test
  void whatIsWrongIsNamed() throws IOException {
    Path missing = jar("a.so", "b.so", null);
    IOException none = assertThrows(IOException.class, () -> DriverBundle.of(missing));
    assertTrue(none.getMessage().contains("b.so"), none.getMessage());
    DriverBundle bundle = DriverBundle.of(jar("a.so", "a.so", "root")).orElseThrow();
    assertThrows(DriverException.class, () -> bundle.runtime(PLAIN));
  }

  private Path jar(String entry, String header, String profile) throws IOException {
    Manifest manifest = new Manifest();
    Attributes headers = manifest.getMainAttributes();
    headers.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    if (header != null) {
      headers.putValue("Isle-Driver", header);
    }
    if (profile != null) {
      headers.putValue("Isle-Driver-Profile", profile);
    }
    Path file = folder.resolve("driver.jar");
    try (OutputStream out = Files.newOutputStream(file);
        JarOutputStream jar = new JarOutputStream(out, manifest)) {
      jar.putNextEntry(new ZipEntry(entry));
      jar.write(LIBRARY);
    }
    return file;
  }
}
