package io.isle.core.drivers.nativecode.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.driver.DriverException;
import io.isle.core.drivers.nativecode.NativeRuntime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SandboxTest {
  private static final NativeRuntime PLAIN =
      new NativeRuntime(Path.of("."), 50, new Sandbox(Sandbox.Profile.COMPUTE, 77, true));

  @Test
  void aDriverThatCompilesGetsAFolder(@TempDir Path folder) throws Exception {
    Path cache = folder.resolve("a/b");
    Sandbox sandbox = PLAIN.with(Sandbox.Profile.OPENCL, cache).sandbox();
    assertTrue(Files.isDirectory(cache));
    assertEquals(
        List.of("--profile=opencl", "--memory=77", "--cache=" + cache.toRealPath(), "--debug"),
        sandbox.arguments());
  }

  @Test
  void othersGetNone(@TempDir Path folder) {
    Path cache = folder.resolve("a");
    Sandbox sandbox = PLAIN.with(Sandbox.Profile.GPU, cache).sandbox();
    assertFalse(Files.exists(cache));
    assertEquals(Optional.empty(), sandbox.cache());
    assertEquals(List.of("--profile=gpu", "--memory=77", "--debug"), sandbox.arguments());
  }

  @Test
  void aFolderThatCannotBeMadeIsNamed(@TempDir Path folder) throws Exception {
    Path file = Files.createFile(folder.resolve("file"));
    DriverException refused =
        assertThrows(
            DriverException.class, () -> PLAIN.with(Sandbox.Profile.OPENCL, file.resolve("below")));
    assertEquals(Errno.EIO, refused.code());
    assertTrue(refused.getMessage().contains(file.toString()), refused.getMessage());
  }

  @Test
  void anUnknownProfileIsRefusedWithThoseThatThereAre() {
    assertEquals(Sandbox.Profile.OPENCL, Sandbox.Profile.of("opencl"));
    DriverException refused = assertThrows(DriverException.class, () -> Sandbox.Profile.of("cuda"));
    assertTrue(refused.getMessage().contains("compute, gpu or opencl"), refused.getMessage());
  }
}
