package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A driver crashes, is reset or suspended while a job works on its device. */
@ExtendWith(Platform.class)
class RecoveryIT {
  private static final String DEVICE = "soft7";
  private static final int PIECE = 8 * Blocks.BLOCK;

  @TempDir Path folder;

  private final byte[] bytes = Blocks.random(3 * PIECE + 5);

  @BeforeEach
  void addTheDevice() throws Exception {
    Devices.configure(DEVICE, "driver = soft", "fault_injection = true");
    Devices.awaitState(DEVICE, "active");
    Devices.awaitState("soft0", "active");
  }

  @AfterEach
  void removeIt() throws Exception {
    Files.delete(Devices.settings(DEVICE));
    Awaiting.await(DEVICE + " is gone", () -> !Devices.exists(DEVICE));
  }

  /** What is done to the device in the middle of a job. */
  private interface Blow {
    void fall() throws Exception;
  }

  /** The job reads a FIFO, so it is in the middle for certain; it must end right. */
  private JsonNode jobThatMeets(Blow blow) throws Exception {
    Path output = folder.resolve("output");
    Path job = Blocks.jobOn(DEVICE, folder);
    Call call;
    try (Feed input = Feed.create(folder.resolve("input"))) {
      call =
          Platform.begin(
              "run",
              job.toString(),
              "--set",
              "input=" + input.path(),
              "--set",
              "output=" + output,
              "--json");
      input.give(Arrays.copyOf(bytes, PIECE + Blocks.BLOCK));
      blow.fall();
      input.give(Arrays.copyOfRange(bytes, PIECE + Blocks.BLOCK, bytes.length));
    }
    JsonNode result = call.end().succeeded().json();
    assertEquals(Blocks.expected(bytes), Files.readAllLines(output));
    return result;
  }

  @ParameterizedTest
  @CsvSource({
    "segv, segv, crash",
    "abort, abort, crash",
    "exit, exit, crash",
    "kill, kill, crash",
    "hang, stop, hang"
  })
  void aJobOutlivesEachKindOfCrash(String kind, String fault, String cause) throws Exception {
    JsonNode before = Devices.info(DEVICE);
    int others = Devices.info("soft0").get("epoch").asInt();
    JsonNode result =
        jobThatMeets(
            () -> {
              JsonNode recovery =
                  Platform.sh("driver:crash " + DEVICE + " " + kind, "--json")
                      .succeeded()
                      .json()
                      .get(0);
              assertEquals("recovered", recovery.get("outcome").asText());
              assertEquals(cause, recovery.get("cause").asText());
              assertTrue(recovery.get("open_ns").asLong() > 0, recovery::toString);
            });
    assertEquals(1, result.get("recoveries").asInt(), result::toString);

    JsonNode after = Devices.info(DEVICE);
    assertTrue(after.get("epoch").asInt() > before.get("epoch").asInt());
    assertNotEquals(before.get("host_pid").asLong(), after.get("host_pid").asLong());
    assertEquals(cause, after.get("last_recovery").get("cause").asText());
    assertEquals(others, Devices.info("soft0").get("epoch").asInt());

    JsonNode history = Platform.sh("driver:history " + DEVICE, "--json").succeeded().json();
    JsonNode last = history.get(history.size() - 1);
    assertEquals(after.get("last_recovery").get("number"), last.get("number"));
    assertEquals(List.of("ok"), outcomes("device.inject-fault", fault));
    if (kind.equals("segv")) {
      String where = ", at pc 0x[0-9a-f]+ in fault_meet\\+0x[0-9a-f]+ \\(driver\\+0x[0-9a-f]+\\)";
      String text = last.get("text").asText();
      assertTrue(Pattern.compile(where).matcher(text).find(), text);
      String book =
          Platform.sh("audit:tail -n 1 --device " + DEVICE + " --action device.recovery")
              .succeeded()
              .out();
      assertTrue(book.contains("fault_meet+0x"), book);
    }
  }

  @Test
  void aResetInterruptsAndTheJobGoesOn() throws Exception {
    JsonNode result = jobThatMeets(() -> Platform.sh("device:reset " + DEVICE).succeeded());
    assertEquals("done", result.get("state").asText());
    assertEquals("reset", Devices.info(DEVICE).get("last_recovery").get("cause").asText());
  }

  @Test
  void aSuspendedDeviceKeepsTheJobsWorkUntilItResumes() throws Exception {
    Path input = Files.write(folder.resolve("data"), bytes);
    Path job = Blocks.jobOn(DEVICE, folder);
    Platform.sh("device:suspend " + DEVICE).succeeded();
    assertEquals("suspended", Devices.info(DEVICE).get("state").asText());
    Platform.sh("device:suspend soft99").failed(1);
    Call call =
        Platform.begin("run", job.toString(), "--set", "input=" + input, "--set", "print=true");
    Awaiting.await("work waits", () -> pending() > 0);
    assertTrue(call.process().isAlive());
    Platform.sh("device:resume " + DEVICE).succeeded();
    assertEquals(Blocks.expected(bytes), Blocks.printed(call.end().succeeded()));
    assertEquals("active", Devices.info(DEVICE).get("state").asText());
    Platform.sh("device:resume " + DEVICE).failed(1);
  }

  @Test
  void suspendingInTheMiddleOfAJobLosesNothing() throws Exception {
    JsonNode result =
        jobThatMeets(
            () -> {
              Platform.sh("device:suspend " + DEVICE).succeeded();
              Platform.sh("device:resume " + DEVICE).succeeded();
            });
    assertEquals(0, result.get("retries").asInt(), result::toString);
  }

  @Test
  void burstsOfCrashesAreOutlivedToo() throws Exception {
    JsonNode result =
        jobThatMeets(
            () -> {
              for (String kind : List.of("kill", "segv", "kill", "exit")) {
                Platform.sh("driver:crash " + DEVICE + " " + kind).succeeded();
              }
            });
    assertTrue(result.get("recoveries").asInt() >= 1, result::toString);
    assertFalse(result.get("outputs").isEmpty());
  }

  private static long pending() throws Exception {
    long sum = 0;
    for (JsonNode context : Platform.sh("accel:contexts " + DEVICE, "--json").succeeded().json()) {
      sum += context.get("pending").asLong();
    }
    return sum;
  }

  /** How the actions of that kind on the object ended, by the audit book; the newest one. */
  private static List<String> outcomes(String action, String detail) throws Exception {
    JsonNode records =
        Platform.sh("audit:tail -n 100 --device " + DEVICE + " --action " + action, "--json")
            .succeeded()
            .json();
    JsonNode last = records.get(records.size() - 1);
    assertTrue(last.get("detail").asText().startsWith(detail), last::toString);
    assertTrue(last.get("actor").asText().contains("(admin)"), last::toString);
    return List.of(last.get("outcome").asText());
  }
}
