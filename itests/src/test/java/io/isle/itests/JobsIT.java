package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What holds for any job file. */
@ExtendWith(Platform.class)
class JobsIT {
  @TempDir Path folder;

  @Test
  void theHistoryOfANamedInstanceSurvivesItsEnd() throws Exception {
    Path job = Files.writeString(folder.resolve("job.yml"), "{job: j, steps: [{program: noop}]}");
    Sdk.delete(Platform.STATE.resolve("instances/jobs-it"));
    alone("run", job.toString()).succeeded();
    JsonNode history = alone("sh", "job:list", "--json").succeeded().json();
    assertEquals(1, history.size(), history::toString);
    assertEquals("done", history.get(0).get("state").asText());
  }

  /** An instance that boots for this call and ends with it. */
  private static Platform.Result alone(String... arguments) {
    return Call.isle(
            Map.of(),
            Stream.concat(Stream.of(arguments), Stream.of("--instance", "jobs-it")).toList())
        .end();
  }

  @Test
  void aFullDiskIsAClearErrorAndLeavesTheOldFile() throws Exception {
    Path disk = Files.createDirectory(folder.resolve("disk"));
    assumeTrue(
        call("mount", "-t", "tmpfs", "-o", "size=256k", "none", disk.toString()).code() == 0,
        "only root can make a small disk");
    try {
      Files.writeString(disk.resolve("out"), "old");
      Files.write(folder.resolve("in"), Blocks.random(1 << 20));
      Path job =
          Files.writeString(
              folder.resolve("job.yml"),
              "{job: j, steps: [{program: copy, in: in, out: disk/out}]}");
      Platform.Result result = Platform.isle("run", job.toString()).failed(1);
      assertTrue(result.err().contains("out: No space left on device"), result.err());
      assertEquals("old", Files.readString(disk.resolve("out")));
      try (Stream<Path> files = Files.list(disk)) {
        assertEquals(List.of(disk.resolve("out")), files.toList());
      }
    } finally {
      call("umount", disk.toString()).succeeded();
    }
  }

  /** The kind {@code blockhash} comes from another bundle than jobs. */
  @Test
  void aStepOfAnotherBundleChecksWhatTheDeviceComputed() throws Exception {
    Files.write(folder.resolve("in"), Blocks.random(3 * Blocks.BLOCK + 5));
    Path job =
        Files.writeString(
            folder.resolve("job.yml"),
            """
            job: checked
            steps:
              - {name: hash, program: sha256, in: in, args: [1MiB], out: {file: out, format: lines}}
              - {name: check, blockhash: {file: in, hashes: out}}
            claims:
              - {name: all were checked, value: step.check.blocks, goal: == 4}
              - {name: none is wrong, value: step.check.wrong, goal: == 0}
            """);
    JsonNode done = Platform.isle("run", job.toString(), "--json").succeeded().json();
    assertEquals("check", done.get("steps").get(1).get("step").asText());
    assertEquals(4, done.get("claims").get(0).get("value").asDouble());
    Platform.sh("bundle:stop io.isle.apps.blockhash").succeeded();
    try {
      String error = Platform.isle("run", job.toString()).failed(2).err();
      assertTrue(error.contains("steps[1].blockhash: unknown key"), error);
    } finally {
      Platform.sh("bundle:start io.isle.apps.blockhash").succeeded();
    }
  }

  /** Its code is in the job's error, in the log and in the audit book. */
  @Test
  void aDriversErrorIsTold() throws Exception {
    Path job =
        Files.writeString(
            folder.resolve("job.yml"),
            """
            job: j
            setup: {devices: {soft70: {fault_injection: true}}}
            device: soft70
            steps: [{program: busy, args: [1000], repeat: 20000, depth: 4}]
            faults: [{device: soft70, fault: context_error, after: 1, count: 1}]
            """);
    Platform.Result result = Platform.isle("run", job.toString()).failed(1);
    assertTrue(
        result.err().contains("of the program busy with an error: ERROR, EIO"), result.err());
    JsonNode told =
        Platform.sh("audit:tail --device soft70 --action work.failed", "--json").succeeded().json();
    assertEquals("EIO", told.get(0).get("outcome").asText(), told.toString());
    try (Stream<String> log = Files.lines(Platform.folder().resolve("data/log/karaf.log"))) {
      assertTrue(
          log.anyMatch(
              line ->
                  line.contains("| WARN ")
                      && line.contains("soft70: context")
                      && line.contains("with an error: ERROR, EIO")));
    }
  }

  private static Platform.Result call(String... command) {
    return Call.begin(Platform.root(), Map.of(), List.of(command)).end();
  }

  /** The template as {@code job:new} writes it; its kernel works piece by piece. */
  @Test
  void aKernelOfOnesOwnRunsAndABrokenOneShowsTheCompilersWords() throws Exception {
    assumeTrue(Devices.exists("opencl0"), "there is no OpenCL device");
    Path job = folder.resolve("mine.yml");
    for (String file : List.of("mine.yml", "mine.cl")) {
      Files.deleteIfExists(Platform.STATE.resolveSibling(file));
    }
    Platform.sh("job:new mine kernel").succeeded();
    for (String file : List.of("mine.yml", "mine.cl")) {
      Files.move(Platform.STATE.resolveSibling(file), folder.resolve(file));
    }
    ByteBuffer numbers = ByteBuffer.allocate(24 << 20).order(ByteOrder.LITTLE_ENDIAN);
    ByteBuffer expected = ByteBuffer.allocate(24 << 20).order(ByteOrder.LITTLE_ENDIAN);
    while (numbers.hasRemaining()) {
      numbers.putFloat(numbers.position());
      expected.putFloat(3f * expected.position());
    }
    Files.write(folder.resolve("in"), numbers.array());
    JsonNode result = run(job, "--set", "factor=3", "--json").succeeded().json();
    assertArrayEquals(expected.array(), Files.readAllBytes(folder.resolve("out")));
    assertTrue(result.get("steps").get(0).get("pieces").asInt() >= 3, result::toString);
    Path kernel = folder.resolve("mine.cl");
    Files.writeString(kernel, Files.readString(kernel).replace("* factor;", "* faktor;"));
    Platform.Result broken = run(job).failed(1);
    assertTrue(broken.err().contains("mine.yml:13:"), broken.err());
    assertTrue(broken.err().contains("faktor"), broken.err());
    assertTrue(broken.err().contains("error: mine.cl:"), broken.err());
  }

  private Platform.Result run(Path job, String... more) {
    List<String> words =
        Stream.concat(
                Stream.of(
                    "run",
                    job.toString(),
                    "--set",
                    "input=" + folder.resolve("in"),
                    "--set",
                    "output=" + folder.resolve("out")),
                Stream.of(more))
            .toList();
    return Platform.isle(words.toArray(String[]::new));
  }
}
