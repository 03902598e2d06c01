package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The example of a model that estimates how long submissions take. */
@ExtendWith(Platform.class)
class EstimateIT {
  private static final Path EXAMPLE = Platform.root().resolve("examples/estimate");
  private static final int HEADER_BYTES = 4790;

  @TempDir Path folder;

  private static Platform.Result run(Path example) throws Exception {
    return Platform.isle(
        "run",
        example.resolve("job.yml").toString(),
        "--json",
        "--set",
        "seconds=2",
        "--set",
        "input=" + Platform.root().resolve("README.md"));
  }

  @Test
  void theModelIsThreeTimesAsGoodAsTheAverage() throws Exception {
    JsonNode claim = run(EXAMPLE).succeeded().json().get("claims").get(0);
    assertTrue(claim.get("holds").asBoolean(), claim::toString);
    assertTrue(claim.get("value").asDouble() < 1, claim::toString);
  }

  /** A file that was changed is no file of the signer any more. */
  @Test
  void aChangedModelIsRefused() throws Exception {
    for (String file : new String[] {"job.yml", "linear.islemodel", "example.pub"}) {
      Files.copy(EXAMPLE.resolve(file), folder.resolve(file));
    }
    byte[] model = Files.readAllBytes(folder.resolve("linear.islemodel"));
    model[model.length - 1] ^= 1;
    Files.write(folder.resolve("linear.islemodel"), model);
    Platform.Result result = run(folder).failed(1);
    assertTrue((result.out() + result.err()).contains("BAD_HASH"), result::err);
  }

  @Test
  void theModelIsWhatTheTextSays() throws Exception {
    Path built = folder.resolve("built.islemodel");
    String text = EXAMPLE.resolve("linear.json").toString();
    var ignored = Platform.isle("mltool", "build", text, "--out", built.toString()).succeeded();
    assertArrayEquals(
        parameters(EXAMPLE.resolve("linear.islemodel")), parameters(built), "build it anew");
  }

  private static byte[] parameters(Path file) throws Exception {
    byte[] bytes = Files.readAllBytes(file);
    return Arrays.copyOfRange(bytes, HEADER_BYTES, bytes.length);
  }

  @Test
  void onlyAnAdminMay() throws Exception {
    String job = EXAMPLE.resolve("job.yml") + "' --set 'input=" + EXAMPLE.resolve("job.yml");
    Platform.Result result = Platform.sh("job:run '" + job + "'", "--as", "manager").failed(1);
    assertEquals("", result.out());
    assertTrue(result.err().contains("admin"), result.err());
  }
}
