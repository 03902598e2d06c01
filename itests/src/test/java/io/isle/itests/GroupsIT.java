package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Groups by command and by file: one owner of their settings. */
@ExtendWith(Platform.class)
class GroupsIT {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final List<String> CHILDREN_FIRST = List.of("it-inner", "it-outer");

  @AfterEach
  void forget() throws IOException {
    for (String name : CHILDREN_FIRST) {
      Files.deleteIfExists(file(name));
    }
    until(list -> CHILDREN_FIRST.stream().allMatch(name -> find(list, name) == null));
  }

  @Test
  void aGroupMadeByCommandIsAFile() throws IOException {
    JsonNode made =
        Platform.sh("group:create it-outer priority=high 'memory.max=64m'", "--json")
            .succeeded()
            .json();
    assertEquals("active", made.path("state").asText());
    assertTrue(Files.readString(file("it-outer")).contains("memory.max"));
    Platform.sh("group:create it-inner --parent it-outer").succeeded();
    JsonNode inner = Platform.sh("group:show it-inner", "--json").succeeded().json();
    assertEquals("it-outer", inner.path("parent").asText());
    assertTrue(inner.path("children").isEmpty());
    Platform.Result busy = Platform.sh("group:delete it-outer").failed(1);
    assertTrue(busy.err().contains("such as it-inner"), busy.err());
    Platform.Result twice = Platform.sh("group:create it-inner").failed(1);
    assertTrue(twice.err().contains("exists already"), twice.err());
    Platform.sh("group:delete it-inner; group:delete it-outer").succeeded();
    assertFalse(Files.exists(file("it-outer")));
    Platform.Result audit = Platform.sh("audit:tail -n 20 --action group").succeeded();
    assertTrue(audit.out().contains("group.create") && audit.out().contains("group.delete"));
    assertTrue(audit.out().contains("such as it-inner"), audit.out());
  }

  @Test
  void anEditedFileActsAndItsCommentsStay() throws IOException {
    drop("it-outer", "# the first one\ncompute.weight = 5\npriority = high\n");
    until(list -> says(list, "compute.weight", "5", "priority", "high"));
    drop("it-outer", "# the first one\ncompute.weight = 5\npriority = background\n");
    until(list -> says(list, "compute.weight", "5", "priority", "background"));
    Platform.sh("group:set it-outer compute.weight=7 --unset priority").succeeded();
    String text = Files.readString(file("it-outer"));
    assertTrue(text.startsWith("# the first one"), text);
    assertTrue(text.contains("compute.weight") && !text.contains("priority"), text);
    until(list -> says(list, "compute.weight", "7"));
  }

  @Test
  void aGroupWaitsForItsParentAndOutlivesItsFile() throws IOException {
    drop("it-inner", "parent = it-outer\n");
    until(list -> is(list, "it-inner", "state", "held"));
    drop("it-outer", "");
    until(list -> is(list, "it-inner", "state", "active"));
    Files.delete(file("it-outer"));
    JsonNode list = until(now -> !find(now, "it-outer").path("error").isNull());
    assertTrue(
        find(list, "it-outer").path("error").asText().contains("its child group it-inner exists"));
    assertEquals("active", find(list, "it-inner").path("state").asText());
    assertTrue(find(list, "it-inner").path("error").isNull());
  }

  @Test
  void aBadEditChangesNothingAndSaysWhy() throws IOException {
    drop("it-outer", "priority = high\n");
    drop("it-inner", "parent = it-outer\n");
    until(list -> is(list, "it-inner", "state", "active"));
    drop("it-outer", "priority = high\nparent = it-inner\n");
    JsonNode list = until(now -> !find(now, "it-outer").path("error").isNull());
    JsonNode outer = find(list, "it-outer");
    assertEquals("default", outer.path("parent").asText());
    assertTrue(outer.path("error").asText().startsWith("parent: the parents form a cycle"));
    Platform.Result refused = Platform.sh("group:set it-inner Colour=red").failed(1);
    assertTrue(refused.err().contains("Colour: not a key of a group"), refused.err());
    assertEquals("parent = it-outer\n", Files.readString(file("it-inner")));
  }

  @Test
  void whatIsPromisedTwiceIsRefusedWithTheSum() throws IOException {
    Platform.sh("group:create it-outer 'compute.guarantee=soft0 600000'").succeeded();
    Platform.Result refused =
        Platform.sh("group:create it-inner 'compute.guarantee=soft0 250000 500000'").failed(1);
    assertTrue(
        refused
            .err()
            .contains(
                "compute.guarantee: soft0: it-inner 50 % + it-outer 60 % = 110 % of soft0; 40 %"
                    + " is left"),
        refused.err());
    assertFalse(Files.exists(file("it-inner")));
    drop("it-inner", "compute.guarantee = soft0 250000 500000\n");
    JsonNode list = until(now -> is(now, "it-inner", "state", "held"));
    assertTrue(find(list, "it-inner").path("error").asText().contains("110 %"));
    Platform.sh("group:set it-outer 'compute.guarantee=soft0 500000'").succeeded();
    until(now -> is(now, "it-inner", "state", "active"));
  }

  @Test
  void whatAJobUsesCountsForItsGroupAndThoseAbove(@TempDir Path folder) throws IOException {
    Platform.sh("group:create it-outer 'compute.guarantee=soft0 100000'").succeeded();
    Platform.sh("group:create it-inner --parent it-outer").succeeded();
    Files.write(folder.resolve("in"), Blocks.random(1 << 20));
    Path job =
        Files.writeString(
            folder.resolve("job.yml"),
            "{job: j, device: soft0, streams: [{group: it-inner, steps:"
                + " [{program: sha256, in: in, args: [1MiB]}]}]}");
    Platform.isle("run", job.toString()).succeeded();
    for (String name : List.of("it-inner", "it-outer")) {
      JsonNode group = Platform.sh("group:show " + name, "--json").succeeded().json();
      JsonNode stat = group.path("stat");
      assertTrue(stat.path("submissions").asLong() > 0, group::toString);
      assertTrue(stat.path("compute_time_us").asLong() > 0, group::toString);
      assertEquals(0, stat.path("memory_current").asLong());
      assertTrue(stat.path("memory_peak").asLong() >= 1 << 20, group::toString);
      assertTrue(stat.has("preemptions") && stat.has("throttled_us"), group::toString);
      assertEquals(0, stat.path("faults").asLong() + stat.path("migrations").asLong());
      JsonNode usage = group.path("usage").get(0);
      assertEquals("soft0", usage.path("device").asText());
      assertEquals("it-outer", usage.path("promised_by").asText());
      assertEquals(10, usage.path("promised_percent").asDouble());
      assertTrue(usage.path("given_ns").asLong() > 0, group::toString);
    }
    JsonNode device = Platform.sh("device:info soft0", "--json").succeeded().json();
    assertEquals("default", device.path("groups").get(0).path("group").asText());
  }

  private static Path file(String name) {
    return Platform.folder().resolve("etc").resolve("io.isle.group-" + name + ".cfg");
  }

  /** As an editor does it: written beside, then renamed. */
  private static void drop(String name, String text) throws IOException {
    Path file = file(name);
    Path beside = Files.writeString(file.resolveSibling("dropped"), text);
    Files.move(beside, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  private static JsonNode until(Predicate<JsonNode> done) throws IOException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      JsonNode list = Platform.sh("group:list", "--json").succeeded().json();
      if (done.test(list)) {
        return list;
      }
      assertTrue(System.nanoTime() - deadline < 0, () -> "group:list says " + list);
    }
  }

  private static JsonNode find(JsonNode list, String name) {
    for (JsonNode group : list) {
      if (group.path("name").asText().equals(name)) {
        return group;
      }
    }
    return null;
  }

  /** Whether these are the settings of the outer group. */
  private static boolean says(JsonNode list, String... settings) {
    JsonNode group = find(list, "it-outer");
    if (group == null || group.path("settings").size() != settings.length / 2) {
      return false;
    }
    for (int i = 0; i < settings.length; i += 2) {
      if (!group.path("settings").path(settings[i]).asText().equals(settings[i + 1])) {
        return false;
      }
    }
    return true;
  }

  private static boolean is(JsonNode list, String name, String field, String value) {
    JsonNode group = find(list, name);
    return group != null && group.path(field).asText().equals(value);
  }
}
