package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The example that multiplies matrices. */
@ExtendWith(Platform.class)
class MatmulIT {
  private static final String JOB = Platform.root().resolve("examples/matmul/job.yml").toString();

  @TempDir Path folder;

  @Test
  void theProductIsThatOfAPlainLoop() throws Exception {
    float[] a = Arrays.write(folder.resolve("a.npy"), 37, 53);
    float[] b = Arrays.write(folder.resolve("b.npy"), 53, 29);
    float[] expected = new float[37 * 29];
    for (int i = 0; i < 37; i++) {
      for (int j = 0; j < 29; j++) {
        for (int l = 0; l < 53; l++) {
          expected[i * 29 + j] += a[i * 53 + l] * b[l * 29 + j];
        }
      }
    }
    Path picture = folder.resolve("times.svg");
    JsonNode result = run("--timeline", picture.toString(), "--json").succeeded().json();
    // Small whole numbers: sums in f32 are exact in any order.
    assertArrayEquals(expected, Arrays.read(folder.resolve("c.npy")));
    JsonNode step = result.get("steps").get(0);
    assertEquals("multiply", step.get("step").asText());
    assertTrue(step.get("compute_ns").asLong() > 0, step::toString);
    assertTrue(step.get("transfer_ns").asLong() > 0, step::toString);
    assertTrue(Files.readString(picture).contains("class=\"compute "));
  }

  @Test
  void shapesThatDoNotFitAreAnErrorAtTheirPlace() throws Exception {
    Arrays.write(folder.resolve("a.npy"), 2, 3);
    Arrays.write(folder.resolve("b.npy"), 4, 2);
    Platform.Result result = run().failed(1);
    assertTrue(result.err().contains("'k' is 4 here and 3 in A"), result.err());
    assertTrue(result.err().contains("job.yml:"), result.err());
    assertFalse(Files.exists(folder.resolve("c.npy")));
  }

  private Platform.Result run(String... more) {
    String[] words = {
      "run",
      JOB,
      "--set",
      "a=" + folder.resolve("a.npy"),
      "--set",
      "b=" + folder.resolve("b.npy"),
      "--set",
      "output=" + folder.resolve("c.npy")
    };
    String[] all = java.util.Arrays.copyOf(words, words.length + more.length);
    System.arraycopy(more, 0, all, words.length, more.length);
    return Platform.isle(all);
  }
}
