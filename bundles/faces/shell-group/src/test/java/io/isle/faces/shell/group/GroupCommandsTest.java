package io.isle.faces.shell.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.AccelAdmin;
import io.isle.api.accel.GroupUsage;
import io.isle.api.accel.Usage;
import io.isle.api.base.ExitStatus;
import io.isle.api.tenancy.GroupSpec;
import io.isle.api.tenancy.GroupStatus;
import io.isle.api.tenancy.GroupTree;
import io.isle.api.tenancy.Groups;
import io.isle.api.tenancy.TenancyException;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.ShellException;
import io.isle.faces.shell.testing.FakeServices;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.karaf.shell.api.console.CommandLine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class GroupCommandsTest {
  private static final GroupUsage USED = usage("soft0", 1, 40);
  private static final GroupUsage OTHER = usage("soft1", 2, 90);

  private final FakeGroups groups = new FakeGroups();
  private final FakeServices services = new FakeServices().add(Groups.class, groups);

  private static GroupUsage usage(String device, long pending, long waitNs) {
    return new GroupUsage(
        "a",
        device,
        "a",
        1,
        new Usage(50, 25, 1_000_000_000, 5, 10, 9, pending, 1, 20, waitNs, 512, 4096, 3, 2, 1));
  }

  private String text(IsleCommand command) {
    return services.run(command, false);
  }

  private String json(IsleCommand command) {
    return services.run(command, true);
  }

  private int status(IsleCommand command) {
    RuntimeException thrown =
        assertThrows(RuntimeException.class, () -> services.run(command, false));
    return ((ExitStatus) thrown).exitStatus();
  }

  @Test
  void aGroupIsMadeWithItsSettings() {
    assertEquals(
        "team-a is in force\n",
        text(new CreateCommand().of("team-a", null, "compute.weight=200", "devices=")));
    assertEquals(
        Map.of("compute.weight", "200", "devices", ""),
        groups.tree.find("team-a").orElseThrow().own());
    assertEquals(
        "{\"name\":\"inner\",\"parent\":\"team-a\",\"state\":\"active\",\"children\":[],"
            + "\"settings\":{\"colour\":\"red\"},\"not_in_force\":[\"colour\"],\"error\":null}\n",
        json(new CreateCommand().of("inner", "team-a", "colour=red")));
    assertEquals(
        "other is in force, but for colour, because no running service enforces these settings\n",
        text(new CreateCommand().of("other", "default", "colour=red")));
  }

  @Test
  void settingsAreChangedAndUnset() {
    groups.create(GroupSpec.of("a", Map.of("compute.weight", "7", "devices", "soft0")));
    text(new SetCommand().of("a", List.of("compute.weight"), "devices=soft0 sim0"));
    assertEquals(Map.of("devices", "soft0 sim0"), groups.tree.find("a").orElseThrow().own());
    text(new SetCommand().of("a", null, "devices= sim0 "));
    assertEquals(Map.of("devices", "sim0"), groups.tree.find("a").orElseThrow().own());
    text(new SetCommand().of("a", null, "devices="));
    assertEquals(Map.of("devices", ""), groups.tree.find("a").orElseThrow().own());
  }

  @Test
  void whatIsNoSettingIsAMistakeOfUse() {
    groups.create(GroupSpec.of("a", Map.of()));
    assertEquals(2, status(new CreateCommand().of("b", null, "weight")));
    assertEquals(2, status(new CreateCommand().of("b", "a", "parent=a")));
    assertEquals(2, status(new CreateCommand().of("b", null, "=1")));
    assertEquals(2, status(new SetCommand().of("a", null)));
    assertEquals(2, status(new SetCommand().of("a", List.of("devices"), "devices=soft0")));
    assertEquals(2, status(new SetCommand().of("a", null, "devices=soft0", "devices=soft1")));
    assertEquals(1, status(new CreateCommand().of("Big", null)));
    assertEquals(1, status(new SetCommand().of("nobody", null, "devices=soft0")));
    assertEquals(List.of("default", "a"), groups.list().stream().map(GroupStatus::name).toList());
  }

  @Test
  void deletionSaysSo() {
    groups.create(GroupSpec.of("a", Map.of()));
    groups.create(GroupSpec.of("b", Map.of("parent", "a")));
    assertThrows(TenancyException.class, () -> text(new DeleteCommand().of("a")));
    assertEquals("{\"name\":\"b\",\"state\":\"gone\"}\n", json(new DeleteCommand().of("b")));
    assertEquals("group a is deleted\n", text(new DeleteCommand().of("a")));
    assertEquals(GroupTree.EMPTY, groups.tree);
  }

  @Test
  void listHasAllThatAreInForceOrHeld() {
    groups.create(GroupSpec.of("a", Map.of("compute.weight", "7")));
    groups.create(GroupSpec.of("b", Map.of("parent", "a")));
    groups.held.add(
        new GroupStatus(
            "waits",
            Optional.empty(),
            Map.of("parent", "nobody", "devices", "soft0"),
            "parent: no group 'nobody'",
            List.of()));
    String json = json(new ListCommand());
    assertTrue(
        json.startsWith(
            "[{\"name\":\"default\",\"parent\":null,\"state\":\"active\",\"children\":[\"a\"],"
                + "\"settings\":{},\"not_in_force\":[],\"error\":null},"),
        json);
    assertTrue(
        json.contains(
            "{\"name\":\"waits\",\"parent\":\"nobody\",\"state\":\"held\",\"children\":[],"
                + "\"settings\":{\"devices\":\"soft0\"},\"not_in_force\":[],\"error\":\"parent:"
                + " no group 'nobody'\"}"),
        json);
    List<String> lines = text(new ListCommand()).lines().toList();
    assertEquals(5, lines.size());
    assertTrue(lines.get(2).matches("a +default +active +1 +compute.weight=7 +- +-"), lines.get(2));
  }

  @Test
  void showSaysWhereAValueComesFrom() {
    groups.create(GroupSpec.of("a", Map.of("compute.weight", "7", "colour", "red")));
    groups.create(GroupSpec.of("b", Map.of("parent", "a", "devices", "")));
    String json = json(new ShowCommand().of("b"));
    assertTrue(json.contains("\"children\":[]"), json);
    assertTrue(json.contains("\"settings\":{\"devices\":\"\"}"), json);
    assertTrue(json.contains("\"file\":{\"devices\":\"\",\"parent\":\"a\"}"), json);
    assertTrue(
        json.contains(
            "{\"key\":\"compute.weight\",\"value\":\"7\",\"from\":\"a\",\"in_force\":true,"
                + "\"values\":\"1 to 10000\",\"help\":\"a share\"}"),
        json);
    assertTrue(json.contains("\"compute_time_us\":5"), json);
    String a = text(new ShowCommand().of("a"));
    assertTrue(a.contains("children    b\n"), a);
    assertTrue(a.lines().anyMatch(line -> line.matches("devices +all +- +yes +device ids")), a);
    assertTrue(a.lines().anyMatch(line -> line.matches("colour +red +own +no +-")), a);
    assertTrue(
        text(new ShowCommand().of("b"))
            .lines()
            .anyMatch(line -> line.matches("devices +\\(none\\) +own +yes +device ids")));
  }

  @Test
  void showHasWhatTheGroupHasOfEachDevice() {
    groups.create(GroupSpec.of("a", Map.of()));
    groups.create(GroupSpec.of("b", Map.of()));
    assertTrue(json(new ShowCommand().of("a")).endsWith("\"usage\":[]}\n"));
    services.add(
        AccelAdmin.class,
        (AccelAdmin)
            Proxy.newProxyInstance(
                AccelAdmin.class.getClassLoader(),
                new Class<?>[] {AccelAdmin.class},
                (proxy, method, args) -> List.of(USED, OTHER)));
    String json = json(new ShowCommand().of("a"));
    assertTrue(
        json.contains(
            "{\"group\":\"a\",\"device\":\"soft1\",\"contexts\":1,\"promised_by\":\"a\","
                + "\"pending\":2,\"in_flight\":1,\"submitted\":9,\"busy_ns\":10,"
                + "\"memory_bytes\":512,\"promised_percent\":50.0,\"given_percent\":25.0,"
                + "\"window_ns\":1000000000,\"given_ns\":5,\"wait_p50_ns\":20,"
                + "\"wait_p99_ns\":90,\"memory_peak_bytes\":4096,\"preemptions\":3,"
                + "\"overruns\":2,\"throttled_ns\":1}"),
        json);
    String text = text(new ShowCommand().of("a"));
    assertTrue(
        text.lines().anyMatch(line -> line.matches("a +soft0 +1 +1 +512 B +50.0 +25.0 +40 ns")),
        text);
    assertTrue(json(new ShowCommand().of("b")).endsWith("\"usage\":[]}\n"));
  }

  @Test
  void showOfAHeldGroupSaysWhyAndWhatItsFileSays() {
    groups.held.add(
        new GroupStatus(
            "waits",
            Optional.empty(),
            Map.of("parent", "nobody"),
            "parent: no group 'nobody'",
            List.of()));
    String text = text(new ShowCommand().of("waits"));
    assertTrue(text.contains("error       parent: no group 'nobody'\n"), text);
    assertTrue(text.contains("settings in the file\n  parent = nobody\n"), text);
    assertTrue(json(new ShowCommand().of("waits")).contains("\"stat\":{}"));
    assertEquals(1, status(new ShowCommand().of("nobody")));
  }

  @Test
  void topIsWhatHappenedBetweenTwoReadings() {
    groups.create(GroupSpec.of("a", Map.of("compute.guarantee", "soft0 500000")));
    groups.create(GroupSpec.of("b", Map.of("parent", "a")));
    Map<String, Long> first = new LinkedHashMap<>();
    first.put("compute_time_us", 1_000_000L);
    first.put("submissions", 10L);
    Map<String, Long> second = new LinkedHashMap<>();
    second.put("compute_time_us", 2_000_000L);
    second.put("submissions", 30L);
    second.put("preemptions", 4L);
    second.put("memory_current", 512L);
    second.put("memory_peak", 4096L);
    second.put("throttled_us", 100_000L);
    List<TopRow> rows =
        TopRow.between(
            new TopReading(1, groups.tree, Map.of("a", first), List.of()),
            new TopReading(
                2_000_000_001,
                groups.tree,
                Map.of("a", second, "b", second),
                List.of(USED, OTHER)));
    assertEquals(
        new TopRow(
            "default", null, null, null, null, null, null, null, null, null, null, null, null),
        rows.get(0));
    assertEquals(
        new TopRow(
            "a",
            "default",
            "soft0 500000",
            100.0,
            50.0,
            50.0,
            10.0,
            2.0,
            5.0,
            3L,
            90L,
            512L,
            4096L),
        rows.get(1));
    assertEquals(
        new TopRow(
            "b", "a", "soft0 500000", null, null, 100.0, 15.0, 2.0, 5.0, null, null, 512L, 4096L),
        rows.get(2));
  }

  @Test
  void topIsOneDocumentInJson() {
    assertEquals(
        "[{\"group\":\"default\",\"parent\":null,\"guarantee\":null,\"promised_percent\":null,\"given_percent\":null,\"busy_percent\":0.0,"
            + "\"submissions_per_s\":null,\"preemptions_per_s\":null,"
            + "\"throttled_percent\":null,\"pending\":null,\"wait_p99_ns\":null,"
            + "\"memory_bytes\":1024,"
            + "\"memory_peak_bytes\":null}]\n",
        json(new TopCommand().of(null, 50, null)));
    assertEquals(2, text(new TopCommand().of(2, 50, null)).split("busy %", -1).length - 1);
    ShellException thrown =
        assertThrows(ShellException.class, () -> text(new TopCommand().of(0, 50, null)));
    assertEquals(2, thrown.exitStatus());
  }

  @Test
  void withoutTheServiceEveryCommandSaysSo() {
    FakeServices none = new FakeServices();
    ShellException thrown =
        assertThrows(ShellException.class, () -> none.run(new ListCommand(), true));
    assertEquals(1, thrown.exitStatus());
    assertEquals(List.of(), new GroupCompleter().ids(none));
    assertEquals(List.of(), new KeyCompleter().ids(none));
  }

  @Test
  void namesAndKeysAreCompleted() {
    groups.create(GroupSpec.of("a", Map.of()));
    assertEquals(List.of("default", "a"), new GroupCompleter().ids(services));
    assertEquals(List.of("parent", "devices", "compute.weight"), new KeyCompleter().ids(services));
    List<String> found = new ArrayList<>();
    assertEquals(
        12, new SettingCompleter().using(services).complete(null, line("comp", 16), found));
    assertEquals(List.of("compute.weight="), found);
    found.clear();
    assertEquals(-1, new SettingCompleter().using(services).complete(null, line("x", 13), found));
  }

  /** The cursor stands at the end of the last argument. */
  private static CommandLine line(String argument, int position) {
    return (CommandLine)
        Proxy.newProxyInstance(
            CommandLine.class.getClassLoader(),
            new Class<?>[] {CommandLine.class},
            (proxy, method, args) ->
                switch (method.getName()) {
                  case "getCursorArgument" -> argument;
                  case "getArgumentPosition" -> argument.length();
                  case "getBufferPosition" -> position;
                  default -> throw new AssertionError(method.getName());
                });
  }
}
