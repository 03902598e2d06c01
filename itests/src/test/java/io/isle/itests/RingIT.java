package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rings in job files: small jobs, and jobs that are refused. */
@ExtendWith(Platform.class)
class RingIT {
  private static final int PAYLOAD = 1024;

  private static final String SMALL =
      """
      job: small
      params:
        input: {type: file}
        output: {type: out}
      setup:
        rings:
          tiny: {nodes: 3, transport: tcp, stage: mix, layers: 6, dim: 256}
      steps:
        - name: go
          ring: {name: tiny, file: "${input}", out: "${output}", verify: mix, window: 4}
      claims:
        - {name: frames, value: step.go.frames, goal: "== ceil(WRITTEN / 1024)"}
        - {name: wrong, value: step.go.wrong, goal: == 0}
      """;

  @TempDir Path folder;

  /** Whatever a job does, nothing of its ring stays. */
  @AfterEach
  void nothingIsLeft() throws Exception {
    assertEquals(0, Platform.sh("ring:list", "--json").succeeded().json().size());
    assertEquals(0, Platform.sh("ring:impair", "--json").succeeded().json().size());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, PAYLOAD, 7 * PAYLOAD + 3})
  void filesOfAnySizeGoRound(int size) throws Exception {
    byte[] bytes = Blocks.random(size);
    Path input = Files.write(folder.resolve("in"), bytes);
    assertArrayEquals(Mix.of(bytes, 2, 6), small(input, size));
  }

  @Test
  void aFifoGoesRound() throws Exception {
    byte[] bytes = Blocks.random(50_001);
    Path file = Files.write(folder.resolve("in"), bytes);
    Path fifo = folder.resolve("fifo");
    Call.begin(folder, Map.of(), java.util.List.of("mkfifo", fifo.toString())).end().succeeded();
    Call writer =
        Call.begin(
            folder, Map.of(), java.util.List.of("dd", "if=" + file, "of=" + fifo, "bs=1000"));
    assertArrayEquals(Mix.of(bytes, 2, 6), small(fifo, bytes.length));
    writer.end().succeeded();
  }

  private byte[] small(Path input, int size) throws Exception {
    Path job =
        Files.writeString(
            folder.resolve("job.yml"), SMALL.replace("WRITTEN", Integer.toString(size)));
    Path output = folder.resolve("out");
    Platform.isle("run", job.toString(), "--set", "input=" + input, "--set", "output=" + output)
        .succeeded();
    return Files.readAllBytes(output);
  }

  /** A process that hangs, then is killed; afterwards the job takes its ring back. */
  @Test
  void aRingOfDialectLeapGoesOnAfterAHangAndAKill() throws Exception {
    byte[] bytes = Blocks.random(20_000);
    Path input = Files.write(folder.resolve("in"), bytes);
    Path output = folder.resolve("out");
    String leap =
        SMALL
            .replace("nodes: 3", "nodes: 2, dialect: leap, process: own")
            .replace("verify: mix", "verify: mix, until: faults, timeout_ms: 1000")
            .replace("\"== ceil(WRITTEN / 1024)\"", "\">= 20\"");
    String faults =
        """
        faults:
          - {ring: tiny, fault: hang, node: tiny-1, for_ms: 300, after_ms: 10}
          - {ring: tiny, fault: kill, node: tiny-1, after_ms: 10}
        """;
    Path job = Files.writeString(folder.resolve("job.yml"), leap + faults);
    Platform.Result result =
        Platform.isle(
            "run",
            job.toString(),
            "--set",
            "input=" + input,
            "--set",
            "output=" + output,
            "--json");
    JsonNode claims = result.succeeded().json().get("claims");
    for (JsonNode claim : claims) {
      assertTrue(claim.get("holds").asBoolean(), claim::toString);
    }
    assertArrayEquals(Mix.of(bytes, 3, 6), Files.readAllBytes(output));
  }

  @Test
  void onlyAnAdminMakesRings() throws Exception {
    Path job = Files.writeString(folder.resolve("job.yml"), SMALL.replace("WRITTEN", "1"));
    Path input = Files.write(folder.resolve("in"), new byte[1]);
    String line =
        "job:run '" + job + "' --set 'input=" + input + "' --set 'output=" + folder + "/o'";
    Platform.Result result = Platform.sh(line, "--as", "manager").failed(1);
    assertTrue(result.err().contains("only an admin"), result.err());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          nodes: 3       | nodes: 1           | setup.rings.tiny.nodes: must be a whole number from 2 to 17
          layers: 6      | layers: 2          | setup.rings.tiny.layers: 2 is not in 3..65536
          stage: mix     | stages: mix        | setup.rings.tiny.stages: unknown key
          dim: 256       | heartbeat_ms: 5    | setup.rings.tiny.heartbeat_ms: must be a whole number from 10
          name: tiny     | names: tiny        | ring.names: unknown key
          window: 4      | window: 0          | ring.window: must be a whole number from 1 to 65536
          window: 4      | pos: 9, pos_max: 9 | ring.pos: 9 is not below pos_max, 9
          step.go.wrong  | step.go.wrongs     | claims[1].value
          """)
  void mistakesNameFileLineAndField(String good, String bad, String message) throws Exception {
    Path job =
        Files.writeString(
            folder.resolve("job.yml"), SMALL.replace("WRITTEN", "1").replace(good, bad));
    Path input = Files.write(folder.resolve("in"), new byte[1]);
    Platform.Result result =
        Platform.isle(
                "run",
                job.toString(),
                "--set",
                "input=" + input,
                "--set",
                "output=" + folder.resolve("out"))
            .failed(2);
    assertTrue(result.err().contains("job.yml:"), result.err());
    assertTrue(result.err().contains(message), result.err());
    assertFalse(Files.exists(folder.resolve("out")));
  }
}
