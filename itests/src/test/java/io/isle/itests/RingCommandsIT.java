package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A ring by TCP in a booted platform, from its begin to its end. */
@ExtendWith(Platform.class)
class RingCommandsIT {
  private static final String RING = "itring";
  private static final int BYTES = 1_000_003;

  @TempDir Path folder;

  @AfterEach
  void remove() throws Exception {
    for (JsonNode node : Platform.sh("ring:list", "--json").succeeded().json()) {
      if (node.get("ring").asText().equals(RING)) {
        Platform.sh("ring:remove " + node.get("node").asText()).succeeded();
      }
    }
  }

  /** What workers with these layers make of the bytes, padded with zeros to whole packets. */
  private static byte[] mix(byte[] bytes, int payload, int start, int end) {
    byte[] padded = Arrays.copyOf(bytes, Math.ceilDiv(bytes.length, payload) * payload);
    ByteBuffer words = ByteBuffer.wrap(padded).order(ByteOrder.LITTLE_ENDIAN);
    for (int at = 0; at < padded.length; at += Integer.BYTES) {
      int word = words.getInt(at);
      for (int layer = start; layer < end; layer++) {
        word = Integer.rotateLeft(word ^ (0x9E3779B9 * (layer + 1)), layer % 31 + 1);
      }
      words.putInt(at, word);
    }
    return Arrays.copyOf(padded, bytes.length);
  }

  private JsonNode drive(Path in, Path out, String options) throws Exception {
    String line = "ring:drive %s --in '%s' --out '%s' %s".formatted(RING, in, out, options);
    return Platform.sh(line, "--json", "--as", "manager").succeeded().json();
  }

  @Test
  void aFileGoesRoundARingThatIsResized() throws Exception {
    Path in = folder.resolve("in");
    Path out = folder.resolve("out");
    byte[] bytes = Blocks.random(BYTES);
    Files.write(in, bytes);
    JsonNode made =
        Platform.sh(
                "ring:create "
                    + RING
                    + " --nodes 3 --transport tcp --stage mix --layers 12 --dim 1000",
                "--json")
            .succeeded()
            .json();
    assertEquals(3, made.size());
    assertEquals(251, drive(in, out, "").get("replies").asInt());
    assertArrayEquals(mix(bytes, 4000, 4, 12), Files.readAllBytes(out));

    JsonNode ranges =
        Platform.sh("ring:resize " + RING + " 2 9 12", "--json", "--as", "manager")
            .succeeded()
            .json();
    assertEquals(2, ranges.size());
    assertEquals(0, drive(in, out, "--window 1 --no-reply 2").get("first_position").asInt());
    byte[] replies = Arrays.copyOfRange(mix(bytes, 4000, 2, 12), 8000, BYTES);
    assertArrayEquals(replies, Files.readAllBytes(out));

    JsonNode status = Platform.sh("ring:status " + RING, "--json").succeeded().json();
    assertEquals(3, status.size());
    for (int i = 0; i < 3; i++) {
      assertEquals(RING + "-" + i, status.get(i).get("node").asText());
      assertEquals("running", status.get(i).get("state").asText());
      assertEquals(0, status.get(i).get("lost").asLong());
    }
    assertEquals(9, status.get(1).get("end").asInt());
    assertTrue(status.get(2).get("tail").asBoolean());

    assertEquals(3, Platform.sh("ring:remove " + RING, "--json").succeeded().json().size());
    Platform.sh("ring:status " + RING).failed(1);
  }

  /** FileInstall sees some of the files while they are there, and some not at all. */
  @Test
  void ringsComeAndGoFasterThanTheirFilesAreLookedAt() throws Exception {
    String round =
        "ring:create " + RING + " --nodes 12 --transport tcp; ring:remove " + RING + "; ";
    Platform.sh(round.repeat(25)).succeeded();
    Platform.sh("ring:create " + RING + " --nodes 12 --transport tcp").succeeded();
    assertEquals(12, Platform.sh("ring:status " + RING, "--json").succeeded().json().size());
  }

  private static Call begin(Path in, Path out) {
    String line = "ring:drive %s --in '%s' --out '%s'".formatted(RING, in, out);
    return Platform.begin("sh", line, "--json", "--as", "manager");
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp", "udp", "shm"})
  void aFileGoesOnWhileItsTransportIsUpdated(String transport) throws Exception {
    Path out = folder.resolve("out");
    byte[] bytes = Blocks.random(BYTES);
    String nodes = " --nodes 3 --stage mix --layers 12 --dim 1000 --transport ";
    Platform.sh("ring:create " + RING + nodes + transport).succeeded();
    Call call;
    try (Feed input = Feed.create(folder.resolve("in"))) {
      call = begin(input.path(), out);
      input.give(Arrays.copyOf(bytes, BYTES / 3));
      Platform.sh("bundle:restart io.isle.fabric." + transport).succeeded();
      input.give(Arrays.copyOfRange(bytes, BYTES / 3, 2 * BYTES / 3));
      Platform.sh("bundle:update io.isle.fabric." + transport).succeeded();
      input.give(Arrays.copyOfRange(bytes, 2 * BYTES / 3, BYTES));
    }
    JsonNode result = call.end().succeeded().json();
    assertEquals(251, result.get("replies").asInt());
    assertEquals(0, result.get("lost").asInt());
    assertArrayEquals(mix(bytes, 4000, 4, 12), Files.readAllBytes(out));
  }

  @ParameterizedTest
  @ValueSource(strings = {"io.isle.fabric.ring", "io.isle.faces.shell.ring"})
  void aDriveEndsWithABundleThatRunsItAndTheNextOneIsRight(String bundle) throws Exception {
    Path out = folder.resolve("out");
    byte[] bytes = Blocks.random(BYTES);
    Platform.sh("ring:create " + RING + " --nodes 2 --dim 1000 --transport tcp").succeeded();
    Call call;
    try (Feed input = Feed.create(folder.resolve("in"))) {
      call = begin(input.path(), out);
      input.give(Arrays.copyOf(bytes, BYTES / 2));
      Platform.sh("bundle:restart " + bundle).succeeded();
      String err = call.end().failed(1).err();
      assertTrue(err.contains("the node was closed"), err);
    }
    assertFalse(Files.exists(out), "a half-written output");
    Path in = Files.write(folder.resolve("data"), bytes);
    assertEquals(251, drive(in, out, "").get("replies").asInt());
    assertArrayEquals(bytes, Files.readAllBytes(out));
  }

  @Test
  void aNodeThatLeavesIsNamedAtTheMaster() throws Exception {
    Platform.sh("ring:create " + RING + " --nodes 3 --transport tcp --dim 64").succeeded();
    Awaiting.await("all nodes run", () -> status(1).get("state").asText().equals("running"));
    Platform.sh("ring:remove " + RING + "-1").succeeded();
    Awaiting.await(
        "both neighbours report the node",
        () -> status(1) != null && status(1).path("failure_reporters").size() == 2);
    JsonNode left = status(1);
    assertEquals("left", left.get("failure").asText());
    assertFalse(left.get("local").asBoolean());
    assertTrue(left.get("failure_remedy").asText().startsWith("start the node again"));
    JsonNode audit = Platform.sh("audit:tail --action ring.failed", "--json").succeeded().json();
    assertEquals(RING + "-1", audit.get(audit.size() - 1).get("object").asText());
  }

  /** The row of a node in the order of the ring; null if it has none. */
  private static JsonNode status(int node) throws Exception {
    for (JsonNode row : Platform.sh("ring:status " + RING, "--json").succeeded().json()) {
      if (row.get("node").asText().equals(RING + "-" + node)) {
        return row;
      }
    }
    return null;
  }

  @Test
  void countersSurviveARestartOfTheBundle() throws Exception {
    Path in = Files.write(folder.resolve("in"), new byte[100]);
    Platform.sh("ring:create " + RING + " --nodes 2 --transport tcp --dim 64").succeeded();
    drive(in, folder.resolve("out"), "");
    Platform.sh("bundle:restart io.isle.fabric.ring").succeeded();
    Awaiting.await(
        "the nodes are back", () -> Platform.sh("ring:status " + RING, "--json").code() == 0);
    long sent = 0;
    for (JsonNode counter :
        Platform.sh("ring:status --counters " + RING, "--json").succeeded().json()) {
      boolean wanted = counter.get("counter").asText().equals("isle_ring_frames_sent_total");
      sent += wanted ? counter.get("value").asLong() : 0;
    }
    assertEquals(2, sent);
  }

  /** The row of a node by itself. */
  private static JsonNode only(int node) throws Exception {
    return Platform.sh("ring:status " + RING + "-" + node, "--json").succeeded().json().get(0);
  }

  private static boolean isRunning(JsonNode node) {
    return node.get("state").asText().equals("running") && !node.get("pid").isNull();
  }

  @Test
  void workersInProcessesOfTheirOwnSurviveUpdatesAndAreReplacedWhenKilled() throws Exception {
    Path in = folder.resolve("in");
    Path out = folder.resolve("out");
    byte[] bytes = Blocks.random(BYTES / 10);
    Files.write(in, bytes);
    Platform.sh(
            "ring:create "
                + RING
                + " --nodes 3 --transport tcp --stage mix --layers 12 --dim 1000 --process own")
        .succeeded();
    drive(in, out, "");
    assertArrayEquals(mix(bytes, 4000, 4, 12), Files.readAllBytes(out));
    assertEquals("shared", only(0).get("process").asText());
    assertTrue(only(0).get("pid").isNull());
    assertEquals("own", only(1).get("process").asText());
    long pid = only(1).get("pid").asLong();
    ProcessHandle worker = ProcessHandle.of(pid).orElseThrow();

    Platform.sh("bundle:update io.isle.fabric.tcp").succeeded();
    drive(in, out, "");
    assertArrayEquals(mix(bytes, 4000, 4, 12), Files.readAllBytes(out));
    assertEquals(pid, only(1).get("pid").asLong());

    assertTrue(worker.destroyForcibly());
    Awaiting.await(
        "another process runs",
        () -> only(1).get("process_starts").asLong() == 2 && isRunning(only(1)));
    drive(in, out, "");
    assertArrayEquals(mix(bytes, 4000, 4, 12), Files.readAllBytes(out));

    ProcessHandle second = ProcessHandle.of(only(1).get("pid").asLong()).orElseThrow();
    Platform.sh("bundle:restart io.isle.fabric.ring").succeeded();
    assertTrue(!second.isAlive(), "the process ends with the bundle");
    Awaiting.await("the node is back", () -> isRunning(only(1)));
    ProcessHandle third = ProcessHandle.of(only(1).get("pid").asLong()).orElseThrow();
    Platform.sh("ring:remove " + RING + "-1").succeeded();
    assertTrue(!third.isAlive(), "the process ends with the node");
  }
}
