package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The example with local arguments, several kernels and a header. */
@ExtendWith(Platform.class)
class ScanIT {
  @TempDir Path folder;

  @BeforeEach
  void aDeviceIsThere() throws Exception {
    assumeTrue(Devices.exists("opencl0"), "there is no OpenCL device");
  }

  @ParameterizedTest
  @CsvSource({"1, 256", "256, 256", "257, 256", "100000, 64", "1000000, 256"})
  void everyNumberHasItsSum(int count, int group) throws Exception {
    byte[] numbers = Blocks.random(4 * count);
    Files.write(folder.resolve("in"), numbers);
    run(group).succeeded();
    int[] sums = ints(numbers);
    for (int i = 1; i < sums.length; i++) {
      sums[i] += sums[i - 1];
    }
    assertArrayEquals(sums, ints(Files.readAllBytes(folder.resolve("out"))));
  }

  @Test
  void aWorkGroupThatTheDeviceCannotHaveIsRefused() throws Exception {
    Files.write(folder.resolve("in"), Blocks.random(400));
    Platform.Result result = run(1 << 20).failed(1);
    assertTrue(result.err().contains("1048576 work items"), result.err());
  }

  private static int[] ints(byte[] bytes) {
    int[] ints = new int[bytes.length / 4];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer().get(ints);
    return ints;
  }

  private Platform.Result run(int group) {
    return Platform.isle(
        "run",
        Platform.root().resolve("examples/scan/job.yml").toString(),
        "--set",
        "input=" + folder.resolve("in"),
        "--set",
        "output=" + folder.resolve("out"),
        "--set",
        "group=" + group);
  }
}
