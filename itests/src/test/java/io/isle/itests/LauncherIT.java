package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The launcher's own contract: exit codes, instances, nothing left behind. */
@ExtendWith(Platform.class)
class LauncherIT {
  private static final int PIECE = 8 * Blocks.BLOCK;

  /** What the launcher calls before it looks for the tools of a build; Maven is not among it. */
  private static final List<String> BASICS =
      List.of("sh", "dirname", "readlink", "sed", "cat", "mkdir", "find", "head", "make", "cc");

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "nonsense",
        "run job.yml extra",
        "run --set a=b",
        "run job.yml --set novalue",
        "run job.yml --set",
        "sh",
        "sh list --as king",
        "start now",
        "status --instance ../up",
        "test everything",
        "test unit itests",
        "test --changed HEAD unit",
        "bench",
        "tck",
        "sim",
        "mltool",
        "mltool frobnicate",
        "mltool sign one",
        "model",
        "model --colour",
        "model LIST",
        "sdk",
        "sdk --colour",
        "sdk a b",
        "chaos",
        "chaos --seed 1",
        "chaos --minutes 1",
        "chaos --seed one --minutes 1",
        "chaos --seed 1 --minutes 1 --plant nothing",
        "chaos --seed 1 --minutes"
      })
  void wrongUsageIsTwoBeforeAnythingStarts(String line) {
    List<String> words = line.isEmpty() ? List.of() : List.of(line.split(" "));
    Platform.Result result = Call.isle(Map.of(), words).end().failed(2);
    assertEquals("", result.out());
    assertFalse(result.err().isBlank());
  }

  @Test
  void helpAndVersionsAreTold() throws Exception {
    assertTrue(isle("--help").succeeded().out().startsWith("usage: ./isle VERB"));
    JsonNode version = isle("version", "--json").succeeded().json();
    assertTrue(version.get("jdk").asText().startsWith("25"), version::toString);
    for (JsonNode row : isle("doctor", "--json").succeeded().json()) {
      if (row.get("name").asText().equals("rmem")) {
        String install = row.get("install").asText();
        assertTrue(install.startsWith("sysctl -w net.core.rmem_max=8388608 "), install);
        return;
      }
    }
    fail("doctor tells nothing of the buffers of rings");
  }

  @Test
  void toolsHaveHelpOfTheirOwn() {
    for (String tool : List.of("sim", "mltool")) {
      assertTrue(isle(tool, "--help").succeeded().out().startsWith("usage: ./isle " + tool + " "));
    }
  }

  @Test
  void aCommandOfModelsNeedsAStartedInstance() throws Exception {
    Platform.Result refused = on("absent", "model", "list").failed(1);
    assertEquals(
        "isle: instance absent is not started; start the instance with ./isle start\n",
        refused.err());
    assertTrue(Platform.isle("model", "list", "--json").succeeded().json().isArray());
    Platform.Result unknown = Platform.isle("model", "frobnicate", "a b", "--json").failed(2);
    assertTrue(unknown.err().contains("model:frobnicate"), unknown.err());
  }

  @Test
  void aMissingToolIsThreeAndNamedWithItsCure() throws Exception {
    Path bin = Files.createDirectory(folder.resolve("bin"));
    for (String name : BASICS) {
      String script = "#!/bin/sh\nexec " + found(name) + " \"$@\"\n";
      assertTrue(Files.writeString(bin.resolve(name), script).toFile().setExecutable(true));
    }
    Map<String, String> poor = Map.of("PATH", bin.toString());
    Platform.Result tests = Call.isle(poor, List.of("test", "unit")).end().failed(3);
    assertTrue(tests.err().contains("mvn is missing"), tests.err());
    assertTrue(tests.err().contains("apt-get install maven"), tests.err());
    Platform.Result doctor = Call.isle(poor, List.of("doctor", "--json")).end().failed(3);
    for (JsonNode row : doctor.json()) {
      if (row.get("name").asText().equals("mvn")) {
        assertFalse(row.get("found").asBoolean());
      }
    }
  }

  @Test
  void anInterruptedJobOfAPrivateInstanceLeavesNothing() throws Exception {
    Path output = folder.resolve("output");
    try (Feed feed = Feed.create(folder.resolve("feed"))) {
      Call call =
          Call.isle(
              Map.of(),
              List.of(
                  "run", Blocks.JOB, "--set", "input=" + feed.path(), "--set", "output=" + output));
      feed.give(Blocks.random(PIECE + Blocks.BLOCK));
      List<ProcessHandle> processes = call.process().descendants().toList();
      assertTrue(processes.size() >= 3, "the platform, a driver host and the client");
      call.interrupt();
      call.end().failed(130);
      Awaiting.await(
          "all processes have ended", () -> processes.stream().noneMatch(ProcessHandle::isAlive));
    }
    assertEquals(List.of(), names(Platform.STATE.resolve("private")));
    assertEquals(List.of("feed"), names(folder));
  }

  @Test
  void anInterruptedJobOfTheStartedInstanceIsCancelled() throws Exception {
    Path output = Files.writeString(folder.resolve("output"), "as it was");
    try (Feed feed = Feed.create(folder.resolve("feed"))) {
      Call call =
          Platform.begin(
              "run", Blocks.JOB, "--set", "input=" + feed.path(), "--set", "output=" + output);
      feed.give(Blocks.random(PIECE + Blocks.BLOCK));
      call.interrupt();
      call.end().failed(130);
    }
    Awaiting.await(
        "the job is cancelled",
        () -> {
          JsonNode list = Platform.sh("job:list", "--json").succeeded().json();
          return list.get(list.size() - 1).get("state").asText().equals("cancelled");
        });
    Awaiting.await(
        "its context is gone",
        () -> Platform.sh("accel:contexts", "--json").succeeded().json().isEmpty());
    assertEquals("as it was", Files.readString(output));
    assertEquals(List.of("feed", "output"), names(folder));
  }

  @Test
  void anInstanceBesideTheFirstIsOneOfItsOwn() throws Exception {
    Platform.Result beside =
        isle("sh", "device:disable soft0; device:info soft0 --json").succeeded();
    assertTrue(beside.out().contains("\"state\":\"disabled\""), beside.out());
    assertEquals("active", Devices.info("soft0").get("state").asText());
    assertEquals(List.of(), names(Platform.STATE.resolve("private")));
  }

  /** Each clears away what ended launchers left while the others make theirs. */
  @Test
  void launchersThatStartAtOnceHaveFoldersOfTheirOwn() throws Exception {
    String script =
        """
        note() { echo "$*" >&2; }
        die() { shift; note "$*"; exit 1; }
        . "$0/scripts/instance.sh"
        for i in $(seq 40); do
          (
            private_dir || die 1 "$DIR is not locked"
            sleep 0.05
            [ /proc/self/fd/9 -ef "$DIR/lock" ] || die 1 "$DIR was taken away"
            rm -rf "$DIR"
          ) &
        done
        wait
        """;
    Call.begin(
            folder,
            Map.of("ISLE_STATE", folder.resolve("state").toString()),
            List.of("bash", "-c", script, Platform.root().toString()))
        .end()
        .saysNothing();
    assertEquals(List.of(), names(folder.resolve("state/private")));
  }

  @Test
  void anInstanceThatDoesNotAnswerIsToldApartAndEnded() throws Exception {
    JsonNode started = on("mute", "start", "--json").succeeded().json();
    try {
      on("mute", "sh", "bundle:restart io.isle.faces.control; echo again").succeeded();
      on("mute", "sh", "bundle:update io.isle.faces.control; echo again").succeeded();
      on("mute", "sh", "bundle:stop -t io.isle.faces.control").succeeded();
      JsonNode status = on("mute", "status", "--json").succeeded().json();
      assertEquals("unresponsive", status.get("state").asText());
      assertEquals(started.get("pid"), status.get("pid"));
      Platform.Result refused = on("mute", "sh", "device:list").failed(1);
      assertTrue(refused.err().contains("does not answer"), refused.err());
    } finally {
      on("mute", "stop").succeeded();
    }
    // One that has ended and is not reaped yet has no command line any more.
    Path commandLine = Path.of("/proc", started.get("pid").asText(), "cmdline");
    assertTrue(!Files.exists(commandLine) || Files.readString(commandLine).isEmpty());
    assertEquals(
        "stopped", on("mute", "status", "--json").succeeded().json().get("state").asText());
  }

  @Test
  void aProcessThatHasTheNumberOfAnEndedPlatformIsLeftAlone() throws Exception {
    Path instance = Files.createDirectories(Platform.STATE.resolve("instances/old"));
    Process other = new ProcessBuilder("sleep", "60").start();
    try {
      for (String recorded : List.of(other.pid() + " 1", other.pid() + "", "")) {
        Files.writeString(instance.resolve("pid"), recorded + "\n");
        assertEquals("instance old is stopped\n", on("old", "stop").succeeded().out());
        assertTrue(other.isAlive(), recorded);
      }
    } finally {
      other.destroy();
    }
  }

  private static Platform.Result on(String instance, String... arguments) {
    List<String> words = new ArrayList<>(List.of(arguments));
    words.addAll(List.of("--instance", instance));
    return Call.isle(Map.of(), words).end();
  }

  @Test
  void pathsMayHaveSpacesAndCountFromTheCaller() throws Exception {
    Path spaced = Files.createDirectory(folder.resolve("a  folder"));
    byte[] bytes = Blocks.random(Blocks.BLOCK + 1);
    Files.write(spaced.resolve("in put"), bytes);
    Path job = Files.copy(Path.of(Blocks.JOB), spaced.resolve("the job.yml"));
    Call.begin(
            spaced,
            Map.of(),
            List.of(
                Platform.root().resolve("isle").toString(),
                "run",
                job.getFileName().toString(),
                "--set",
                "input=in put",
                "--set",
                "output=out put",
                "--instance",
                Platform.INSTANCE))
        .end()
        .succeeded();
    assertEquals(Blocks.expected(bytes), Files.readAllLines(spaced.resolve("out put")));
    assertEquals(List.of("in put", "out put", "the job.yml"), names(spaced));
  }

  /** Without {@code --instance}: no such instance is started, so it boots a private one. */
  private static Platform.Result isle(String... arguments) {
    return Call.isle(Map.of(), List.of(arguments)).end();
  }

  private static Path found(String name) {
    return Stream.of(System.getenv("PATH").split(":"))
        .map(part -> Path.of(part, name))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(() -> new AssertionError(name + " is not on the path"));
  }

  private static List<String> names(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return List.of();
    }
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
    }
  }
}
