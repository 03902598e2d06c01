package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A user of each role at Karaf's ssh console: what it may do, what not, and what is left of that.
 */
@ExtendWith(Platform.class)
class SshRolesIT {
  private static final List<String> ROLES = SshUsers.ROLES;
  private static final String PASSWORD = SshUsers.PASSWORD;

  /** Commands that may be repeated, by the lowest role that may run them. */
  private static final Map<String, List<String>> COMMANDS =
      Map.of(
          "viewer",
          List.of(
              "device:list", "driver:info soft", "accel:info soft0", "job:list", "audit:tail -n 1"),
          "manager",
          List.of("device:enable soft0", "job:new"),
          "admin",
          List.of(
              "device:set soft0 memory_bytes=64m",
              "driver:tier soft0 2",
              "device:power soft0 auto",
              "shell:exec true"));

  private static final Path LOG = Platform.folder().resolve("data/log/karaf.log");
  private static SshUsers users;
  private static Ssh ssh;

  @BeforeAll
  static void addUsers() throws IOException {
    users = new SshUsers();
    ssh = new Ssh(SshUsers.port());
  }

  @AfterAll
  static void removeUsers() throws IOException {
    ssh.close();
    users.close();
  }

  private static Ssh.Said run(String user, String line) throws IOException {
    return ssh.run(user, PASSWORD, line).orElseThrow(() -> new AssertionError("not let in"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"viewer", "manager", "admin"})
  void aUserMayDoWhatItsRoleMayAndIsToldOfTheRest(String user) throws IOException {
    int epoch = Devices.info("soft0").get("epoch").asInt();
    for (String lowest : ROLES) {
      boolean may = ROLES.indexOf(user) >= ROLES.indexOf(lowest);
      for (String line : COMMANDS.get(lowest)) {
        if (may) {
          passes(user, line);
        } else {
          isRefused(user, line);
        }
      }
    }
    if (!user.equals("admin")) {
      assertEquals(epoch, Devices.info("soft0").get("epoch").asInt(), "nothing was touched");
    }
  }

  private static void passes(String user, String line) throws IOException {
    Ssh.Said said = run(user, line);
    assertEquals(0, said.code(), () -> user + " " + line + ": " + said);
  }

  private static void isRefused(String user, String line) throws IOException {
    long last = lastRefusal();
    Ssh.Said said = run(user, line);
    String command = line.split(" ")[0];
    assertNotEquals(0, said.code(), () -> user + " " + line + ": " + said);
    assertTrue(
        said.text().contains(command + ": ") && said.text().contains("role"),
        () -> user + " " + line + ": " + said);
    JsonNode record = refusals().get(0);
    assertTrue(record.get("number").asLong() > last, record::toString);
    assertEquals("user:" + user + "(" + user + ")", record.get("actor").asText());
    assertEquals("EACCES", record.get("outcome").asText(), record::toString);
    assertTrue(record.get("detail").asText().startsWith(command + ": "), record::toString);
  }

  private static long lastRefusal() throws IOException {
    JsonNode all = refusals();
    return all.isEmpty() ? 0 : all.get(0).get("number").asLong();
  }

  private static JsonNode refusals() throws IOException {
    return Platform.sh("audit:tail -n 1 --action shell.refuse", "--json").succeeded().json();
  }

  @ParameterizedTest
  @CsvSource({"admin, wrong", "nobody, PASSWORD", "karaf, karaf", "local, PASSWORD"})
  void whoIsUnknownOrMayNotUseSshIsNotLetInAndThatIsWrittenDown(String user, String password)
      throws IOException {
    String given = password.replace("PASSWORD", PASSWORD);
    assertEquals(Optional.empty(), ssh.run(user, given, "device:list"));
    JsonNode record =
        Platform.sh("audit:tail -n 1 --action shell.login", "--json").succeeded().json().get(0);
    assertEquals("user:(none)", record.get("actor").asText());
    assertEquals(user, record.get("object").asText());
    assertEquals("EACCES", record.get("outcome").asText());
    assertTrue(record.get("detail").asText().contains("127.0.0.1"), record::toString);
  }

  /** However long it is, and whoever caused it: nobody fills the log with stack traces. */
  @ParameterizedTest
  @ValueSource(strings = {"device:reset soft0", "device:info nonesuch", "device:info LONG"})
  void aCommandThatFailsIsOneLineOfTheLog(String line) throws IOException {
    String word = "w".repeat(30_000);
    long before = Files.size(LOG);
    Ssh.Said said = run("viewer", line.replace("LONG", word));
    assertNotEquals(0, said.code());
    List<String> lines = log(before);
    assertEquals(1, lines.size(), lines::toString);
    assertTrue(lines.get(0).contains("| WARN  |"), lines::toString);
    assertTrue(lines.get(0).length() < 21_000, "a line of " + lines.get(0).length());
  }

  /** What was logged since, but for news such as who was let in. */
  private static List<String> log(long from) throws IOException {
    byte[] all = Files.readAllBytes(LOG);
    return new String(all, (int) from, all.length - (int) from, StandardCharsets.UTF_8)
        .lines()
        .filter(line -> !line.contains("| INFO  |"))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"help device:list", "device:info nonesuch", "bundle:list", "nonsense"})
  void withoutATerminalThereIsNoColour(String line) throws IOException {
    String text = ssh.raw("viewer", PASSWORD, line).orElseThrow();
    assertFalse(text.isBlank());
    assertFalse(text.contains("\u001b"), text);
  }

  /** The console's own scripts run with the user's role. */
  @Test
  void aViewersConsoleBeginsWithoutARefusal() throws IOException {
    long last = lastRefusal();
    Ssh.Said said =
        ssh.type("viewer", PASSWORD, "help device:list\nls\nla\nexit\n")
            .orElseThrow(() -> new AssertionError("not let in"));
    assertTrue(said.text().contains("Lists the devices of this node"), said::toString);
    assertTrue(said.text().contains("io.isle.api.accel.Accelerators"), said::toString);
    assertFalse(said.text().contains("may not run"), said::toString);
    assertEquals(last, lastRefusal());
  }

  @Test
  void aCommandThatIsNotThereIsNoRefusal() throws IOException {
    long last = lastRefusal();
    Ssh.Said said = run("viewer", "device:nonsense");
    assertTrue(said.text().contains("Command not found: device:nonsense"), said::toString);
    assertEquals(last, lastRefusal());
  }

  /** Whose exceptions reach nobody. */
  @ParameterizedTest
  @ValueSource(strings = {"device:reset soft0 | shell:cat", "device:reset soft0 &"})
  void aRefusalInAPipeOrInTheBackgroundIsWrittenDownToo(String line) throws Exception {
    long last = lastRefusal();
    int epoch = Devices.info("soft0").get("epoch").asInt();
    Ssh.Said ignored = run("viewer", line);
    Awaiting.await("the refusal is written down", () -> lastRefusal() > last);
    assertTrue(refusals().get(0).get("detail").asText().startsWith("device:reset: "));
    assertEquals(epoch, Devices.info("soft0").get("epoch").asInt());
  }

  /** What the user of a role did stands in the book as its doing. */
  @Test
  void whatAnAdministratorDoesOverSshIsWrittenDownAsItsDoing() throws IOException {
    passes("admin", "device:set soft0 max_contexts=63");
    JsonNode record =
        Platform.sh("audit:tail -n 1 --action device --device soft0", "--json").succeeded().json();
    assertEquals("user:admin(admin)", record.get(0).get("actor").asText(), record::toString);
    passes("admin", "device:set soft0 max_contexts=");
  }
}
