package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Agents as the administrator sees and sets them, while devices work. */
@ExtendWith(Platform.class)
class AgentsIT {
  private static final Path SETTINGS = Platform.folder().resolve("etc/io.isle.agents.cfg");
  private static final Path OF_ACCEL = Platform.folder().resolve("etc/io.isle.accel.cfg");
  private static final Path LOG = Platform.folder().resolve("data/log/karaf.log");

  @TempDir Path folder;

  private static JsonNode agent(String name) throws Exception {
    for (JsonNode agent : Platform.sh("agents:list --interval 50", "--json").succeeded().json()) {
      if (agent.get("agent").asText().equals(name)) {
        return agent;
      }
    }
    throw new AssertionError("no agent " + name);
  }

  private static void write(Path file, String text) throws Exception {
    Path beside = Platform.folder().resolve("settings.new");
    Files.writeString(beside, text);
    Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Hashes a file on soft0 and checks the result. */
  private void works() throws Exception {
    byte[] bytes = Blocks.random(4 * Blocks.BLOCK + 1);
    Path input = Files.write(folder.resolve("input"), bytes);
    Path job = Blocks.jobOn("soft0", folder);
    assertEquals(
        Blocks.expected(bytes),
        Blocks.printed(
            Platform.isle("run", job.toString(), "--set", "input=" + input, "--set", "print=true")
                .succeeded()));
  }

  private static List<String> log(String part) throws Exception {
    try (Stream<String> lines = Files.lines(LOG)) {
      return lines.filter(line -> line.contains(part)).toList();
    }
  }

  @Test
  void agentsAreListedWithCountersThatGrow() throws Exception {
    Devices.awaitState("soft0", "active");
    JsonNode before = agent("soft0");
    assertEquals("soft0", before.get("thread").asText());
    assertEquals("adaptive", before.get("idle").asText());
    assertTrue(before.get("processors").isEmpty());
    works();
    JsonNode after = agent("soft0");
    for (String counter : List.of("worked", "idled", "sleeps", "work_ns", "idle_ns", "sleep_ns")) {
      assertTrue(
          after.get(counter).asLong() > before.get(counter).asLong(),
          counter + " of " + before + " and " + after);
    }
  }

  @Test
  void anEditOfTheSettingsHoldsAtOnce() throws Exception {
    Devices.awaitState("soft0", "active");
    String shipped = Files.readString(SETTINGS);
    Devices.configure("soft6", "driver = soft", "tier = 2", "memory_bytes = 16m");
    try {
      Devices.awaitState("soft6", "active");
      String epoch = Devices.info("soft0").get("epoch").asText();
      write(
          SETTINGS,
          "thread = soft* shared\ncpu = soft0 0\nidle = * sleep\nmax_sleep_us = soft6 500\n");
      Awaiting.await(
          "both run on one thread",
          () ->
              agent("soft0").get("thread").asText().equals("shared")
                  && agent("soft6").get("thread").asText().equals("shared")
                  && agent("soft6").get("idle").asText().equals("sleep")
                  && agent("soft0").get("processors").toString().equals("[0]"));
      works();
      write(SETTINGS, "idle = soft0 wild\nthread = soft* shared\n");
      Awaiting.await(
          "the refusal is logged",
          () -> log("io.isle.agents: idle: soft0: 'wild' is not adaptive").size() == 1);
      assertEquals("sleep", agent("soft0").get("idle").asText(), "the last good value stays");
      write(SETTINGS, shipped);
      Awaiting.await(
          "each has its own again",
          () ->
              agent("soft0").get("thread").asText().equals("soft0")
                  && agent("soft0").get("processors").isEmpty()
                  && agent("soft6").get("thread").asText().equals("soft6"));
      works();
      assertEquals(epoch, Devices.info("soft0").get("epoch").asText(), "no driver was replaced");
    } finally {
      write(SETTINGS, shipped);
      Files.delete(Devices.settings("soft6"));
      Awaiting.await("soft6 is gone", () -> !Devices.exists("soft6"));
    }
  }

  @Test
  void spinnersOfAccelHoldWhileThereAreNoneOfAgents() throws Exception {
    String shipped = Files.readString(OF_ACCEL);
    try {
      write(OF_ACCEL, shipped + "\nspinners = 1\n");
      Awaiting.await(
          "it is told",
          () ->
              log("spinners = 1 of io.isle.accel is in force, because io.isle.agents does not set"
                          + " spinners")
                      .size()
                  == 1);
    } finally {
      write(OF_ACCEL, shipped);
    }
  }

  @Test
  void aRestartOfTheHostLeavesThePlatformUp() throws Exception {
    Devices.awaitState("soft0", "active");
    Platform.sh("bundle:restart io.isle.core.agents").succeeded();
    Devices.awaitState("soft0", "active");
    Awaiting.await("its agent runs again", () -> agent("soft0").get("idled").asLong() > 0);
    works();
    assertFalse(Platform.sh("device:list").succeeded().out().isEmpty());
    assertEquals(List.of(), log("| ERROR |"));
  }
}
