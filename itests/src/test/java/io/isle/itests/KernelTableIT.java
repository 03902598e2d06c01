package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.isle.itests.KernelTable.Case;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Kernels as people write them: each is computed right, or refused with a sentence. */
@ExtendWith(Platform.class)
class KernelTableIT {
  @TempDir static Path folder;

  @BeforeAll
  static void inputsAreThere() throws IOException {
    KernelTable.copy(Platform.root(), folder);
    KernelInputs.write(folder);
  }

  @BeforeEach
  void aDeviceIsThere() throws Exception {
    assumeTrue(Devices.exists("opencl0"), "there is no OpenCL device");
    Files.deleteIfExists(folder.resolve("y"));
  }

  static List<Case> right() throws IOException {
    return KernelTable.right(Platform.root());
  }

  static List<Case> refused() throws IOException {
    return KernelTable.refused(Platform.root());
  }

  /** A device without an optional feature of the language may refuse it. */
  @ParameterizedTest
  @MethodSource("right")
  void isRight(Case kernel) throws IOException {
    byte[] expected = KernelResults.of(kernel.name());
    Platform.Result result = run(kernel);
    if (result.code() != 0 && kernel.sentence().isPresent()) {
      isRefused(kernel, result);
      return;
    }
    result.succeeded();
    assertArrayEquals(expected, Files.readAllBytes(folder.resolve("y")));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void isRefused(Case kernel) throws IOException {
    isRefused(kernel, run(kernel));
  }

  private static void isRefused(Case kernel, Platform.Result result) {
    assertTrue(result.code() == 1 || result.code() == 2, () -> "exit code of " + result);
    assertTrue(result.err().contains(kernel.sentence().orElseThrow()), result.err());
    assertFalse(Files.exists(folder.resolve("y")), "a refused job left a result");
  }

  private static Platform.Result run(Case kernel) throws IOException {
    Path job = Files.writeString(folder.resolve("job.yml"), kernel.job());
    return Platform.client("job:run", job.toString());
  }
}
