package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The example of a loop that lets heat diffuse. */
@ExtendWith(Platform.class)
class StencilIT {
  private static final Path EXAMPLE = Platform.root().resolve("examples/stencil");
  private static final int LONG = 2500;

  /** The plate after {@link #LONG} turns, which is the same in all memories; computed once. */
  private static float[] afterLong;

  @TempDir Path folder;

  @BeforeEach
  void aDeviceIsThere() throws Exception {
    assumeTrue(Devices.exists("opencl0"), "there is no OpenCL device");
  }

  @ParameterizedTest
  @CsvSource({"61, 47, 60", "16, 32, 1", "3, 5, 7", "1, 9, 2", "40, 40, 0"})
  void everyCellIsWhatTheDefinitionSays(int rows, int columns, int turns) throws Exception {
    float[] plate = Arrays.write(folder.resolve("in.npy"), rows, columns);
    Platform.isle(
            "run",
            EXAMPLE.resolve("job.yml").toString(),
            "--set",
            "input=" + folder.resolve("in.npy"),
            "--set",
            "output=" + folder.resolve("out.npy"),
            "--set",
            "turns=" + turns)
        .succeeded();
    assertArrayEquals(
        diffused(plate, rows, columns, turns), Arrays.read(folder.resolve("out.npy")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "staging"})
  void afterACrashItGoesOnFromACheckpoint(String memory) throws Exception {
    float[] plate = Arrays.write(folder.resolve("in.npy"), 512, 500);
    double turns =
        CrashedLoop.run(
            memory,
            EXAMPLE,
            "diffuse",
            20,
            Files.createDirectory(folder.resolve("job")),
            Map.of(
                "input",
                folder.resolve("in.npy").toString(),
                "output",
                folder.resolve("out.npy").toString(),
                "turns",
                Integer.toString(LONG)));
    assertEquals(LONG, turns);
    if (afterLong == null) {
      afterLong = diffused(plate, 512, 500, LONG);
    }
    assertArrayEquals(afterLong, Arrays.read(folder.resolve("out.npy")));
  }

  /** In the order of the kernel: sums of f32 depend on it. */
  private static float[] diffused(float[] plate, int rows, int columns, int turns) {
    float[] now = plate.clone();
    float[] next = plate.clone();
    for (int turn = 0; turn < turns; turn++) {
      for (int y = 1; y < rows - 1; y++) {
        for (int x = 1; x < columns - 1; x++) {
          int i = y * columns + x;
          next[i] = ((now[i - columns] + now[i + columns]) + (now[i - 1] + now[i + 1])) * 0.25f;
        }
      }
      float[] last = now;
      now = next;
      next = last;
    }
    return now;
  }
}
