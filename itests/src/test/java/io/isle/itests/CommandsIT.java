package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.tngtech.archunit.core.domain.JavaClass;
import io.isle.faces.shell.Role;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(Platform.class)
class CommandsIT {
  private static final String DISPLAY = "display6";
  private static final String RING = "ring6";
  private static final String NET = "net6";
  private static final String MODEL = "submission_time";
  private static final Path CAPTURE = Platform.root().resolve("examples/drops/sample.pcap");
  private static final Path LINK =
      Path.of(
          System.getProperty("java.io.tmpdir"),
          "isle-commands-" + ProcessHandle.current().pid() + ".link");

  /** What commands are called with here; all others are called without an argument. */
  private static final Map<String, String> ARGUMENTS =
      Map.ofEntries(
          Map.entry("device:info", "soft0"),
          Map.entry("device:power", "soft0"),
          Map.entry("driver:info", "soft"),
          Map.entry("driver:history", "soft0"),
          Map.entry("accel:contexts", "soft0"),
          Map.entry("accel:memory", "soft0"),
          Map.entry("accel:info", "soft0"),
          Map.entry("accel:programs", "soft0"),
          Map.entry("accel:top", "--interval 50"),
          Map.entry("accel:fences", "--devices"),
          Map.entry("agents:list", "--interval 50"),
          Map.entry("audit:tail", "-n 5"),
          Map.entry("display:modes", DISPLAY + " 1"),
          Map.entry("display:edid", DISPLAY + " 1"),
          Map.entry("group:show", "default"),
          Map.entry("group:top", "--interval 50"),
          Map.entry("job:show", "JOB"),
          Map.entry("device:disable", "soft0"),
          Map.entry("device:enable", "soft0"),
          Map.entry("device:suspend", "soft0"),
          Map.entry("device:resume", "soft0"),
          Map.entry("device:reset", "soft0"),
          Map.entry("device:set", "soft0 memory_bytes=64m"),
          Map.entry("driver:reload", "soft0"),
          Map.entry("driver:tier", "soft0 2"),
          Map.entry("driver:crash", "soft0 kill"),
          Map.entry("accel:inject-fault", "soft0 latency"),
          Map.entry("accel:journal", "soft0 --seconds 1 --out isle-commands"),
          Map.entry("chaos:run", "--seed 1 --minutes 1"),
          Map.entry("display:set", DISPLAY + " 1 preferred"),
          Map.entry("display:flip", DISPLAY + " 1 --color 336699"),
          Map.entry("display:save", DISPLAY + " 1 isle-commands.png"),
          Map.entry("job:run", Blocks.JOB + " --set input=" + Blocks.JOB),
          Map.entry("group:create", "commands"),
          Map.entry("group:set", "default --unset priority"),
          Map.entry("group:delete", "commands"),
          Map.entry("job:new", "isle-commands hash"),
          Map.entry("program:inspect", "isle-commands.cl"),
          Map.entry("ring:top", "--interval 50"),
          Map.entry("ring:check", RING + "-1"),
          Map.entry("ring:create", "isle-commands --nodes 2 --transport tcp"),
          Map.entry("ring:remove", RING),
          Map.entry("ring:set", RING + "-1 spin_us=40"),
          Map.entry("ring:switch", RING + " --transport tcp"),
          Map.entry("ring:resize", RING + " 1"),
          Map.entry("ring:bench", RING + " --seconds 1"),
          Map.entry("ring:drive", RING + " --in isle-commands.in --out isle-commands.out"),
          Map.entry("net:create", "isle-commands interface=none0"),
          Map.entry("net:set", NET + " flush_us=30"),
          Map.entry("net:reload", NET),
          Map.entry("net:info", NET),
          Map.entry("net:stats", NET),
          Map.entry("net:routes", NET),
          Map.entry("net:explain", NET),
          Map.entry("net:delete", NET),
          Map.entry("net:capture", NET + " --out isle-commands.pcapng --seconds 1"),
          Map.entry("net:pktgen", NET + " --count 1"),
          Map.entry("net:top", "--interval 50"),
          Map.entry("net:app-create", "isle-commands kind=drop nets=" + NET + " ports=9000"),
          Map.entry("net:app-set", NET + " depth=256"),
          Map.entry("net:app-delete", NET),
          Map.entry("net:configure", "check --interface lo --stage channels"),
          Map.entry("net:lab", "list"),
          Map.entry("net:program", "--ports 9000"),
          Map.entry("net:verdict", "--ports 9000 isle-commands.pcap"),
          Map.entry("net:link-create", LINK + ".new --depth 128 --mtu 64"),
          Map.entry("net:link-info", LINK.toString()),
          Map.entry("net:link-produce", LINK + " --count 1 --size 64"),
          Map.entry("net:link-consume", LINK + " --count 1"),
          Map.entry("spin:match", CAPTURE + " --rules udp"),
          Map.entry("spin:run", "isle-commands.spin " + CAPTURE),
          Map.entry("spin:build", "isle-commands.c"),
          Map.entry("spin:top", "--interval 50"),
          Map.entry("spin:stdout", "isle-commands"),
          Map.entry("spin:attach", "isle-commands"),
          Map.entry("spin:detach", "isle-commands"),
          Map.entry("spin:swap", "isle-commands isle-commands.spin"),
          Map.entry("spin:dump", "isle-commands host:isle-commands.bin"),
          Map.entry("model:info", MODEL),
          Map.entry("model:top", "--interval 50"),
          Map.entry("model:load", "isle-commands.islemodel"),
          Map.entry("model:shadow", "isle-commands.islemodel"),
          Map.entry("model:unload", MODEL),
          Map.entry("model:enable", MODEL),
          Map.entry("model:disable", MODEL),
          Map.entry("model:heuristic", MODEL),
          Map.entry("model:reset", MODEL),
          Map.entry("model:rollback", MODEL),
          Map.entry("model:retry", MODEL),
          Map.entry("model:hold", MODEL),
          Map.entry("model:capture", MODEL + " --out isle-commands.csv --seconds 1"),
          Map.entry("job:cancel", "JOB"));

  /** Lines with the commands that a role may run, or may not. */
  private static List<String> lines(Predicate<Role> wanted, String job) {
    List<String> lines = new ArrayList<>();
    CommandsPage.all()
        .forEach(
            (scope, commands) ->
                commands.forEach(
                    (name, type) -> {
                      if (wanted.test(AccessLists.role(type).value())) {
                        String command = scope + ":" + name;
                        String arguments = ARGUMENTS.getOrDefault(command, "");
                        lines.add((command + " " + arguments).replace("JOB", job).strip());
                      }
                    }));
    return lines;
  }

  @BeforeAll
  static void plugInADisplay() throws Exception {
    Devices.configure(DISPLAY, "driver = display", "compute_units = 1", "screens = hdmi:svga");
    Devices.awaitState(DISPLAY, "active");
    Platform.sh("ring:create " + RING + " --nodes 2 --transport tcp").succeeded();
    Platform.sh("net:link-create " + LINK + " --depth 128 --mtu 64").succeeded();
    Platform.sh("net:create " + NET + " interface=none0").succeeded();
    Platform.sh("net:app-create " + NET + " kind=drop nets=" + NET + " ports=9000").succeeded();
  }

  @AfterAll
  static void pullItOut() throws Exception {
    Files.delete(Devices.settings(DISPLAY));
    Awaiting.await(DISPLAY + " is gone", () -> !Devices.exists(DISPLAY));
    Platform.sh("ring:remove " + RING).succeeded();
    Platform.sh("net:app-delete " + NET).succeeded();
    Platform.sh("net:delete " + NET).succeeded();
    Files.delete(LINK);
    Files.delete(Path.of(LINK + ".made"));
  }

  private static List<String> looking(String job) {
    return lines(role -> role == Role.VIEWER, job);
  }

  private static List<String> doing(String job) {
    return lines(role -> role != Role.VIEWER, job);
  }

  /** Help shows what the platform has: nothing that is compiled is missing from it. */
  @Test
  void theShellHasEveryCommand() {
    Set<String> known = new TreeSet<>();
    Set<String> shown = new TreeSet<>();
    for (Map.Entry<String, Map<String, JavaClass>> scope : CommandsPage.all().entrySet()) {
      scope.getValue().keySet().forEach(name -> known.add(scope.getKey() + ":" + name));
      Matcher found =
          Pattern.compile(scope.getKey() + ":[a-z-]+")
              .matcher(Platform.sh("help " + scope.getKey()).succeeded().out());
      while (found.find()) {
        shown.add(found.group());
      }
    }
    assertEquals(known, shown);
    assertTrue(known.containsAll(ARGUMENTS.keySet()), () -> "arguments of no command: " + known);
  }

  @Test
  void everyCommandThatShowsGivesOneJsonDocument() throws Exception {
    for (String line : looking(aJob())) {
      JsonNode json = Platform.sh(line, "--json").succeeded().json();
      boolean one =
          line.contains(":info")
              || line.contains("-info")
              || line.contains(":show")
              || line.contains(":edid");
      assertTrue(one ? json.isObject() : json.isArray(), () -> line + " says " + json);
      assertTrue(Platform.sh(line).succeeded().out().length() > 1, line);
    }
  }

  @Test
  void everyCommandThatActsGivesOneJsonDocument() throws Exception {
    for (String line :
        List.of(
            "device:disable soft0",
            "device:enable soft0",
            "driver:reload soft0",
            "driver:tier soft0 2",
            "device:suspend soft0",
            "device:resume soft0",
            "device:reset soft0",
            "device:set soft0 memory_bytes=64m",
            "device:power soft0 balanced",
            "device:power soft0 auto",
            "group:create commands",
            "group:set commands priority=high",
            "group:delete commands",
            "ring:create commands --nodes 2 --transport tcp",
            "ring:set commands-1 spin_us=40",
            "ring:resize commands 1",
            "ring:drive commands --in '" + Blocks.JOB + "' --out isle-commands.replies",
            "ring:bench commands --seconds 1",
            "ring:remove commands",
            "ring:impair commands fault_injection=true listen=tcp://127.0.0.1:19531"
                + " to=tcp://127.0.0.1:19532 delay_ms=5",
            "ring:impair commands delay_ms=6 --cut",
            "ring:impair",
            "ring:impair commands --remove",
            "net:create commands interface=none0",
            "net:set commands flush_us=30",
            "net:reload commands",
            "net:app-create commands kind=drop nets=commands ports=9000",
            "net:app-set commands ports=9001",
            "net:app-delete commands",
            "net:delete commands",
            "net:link-create " + LINK + ".made --depth 128 --mtu 64",
            "net:link-produce " + LINK + ".made --count 10 --size 64",
            "net:link-consume " + LINK + ".made --count 10 --from 0",
            "job:run '" + Blocks.JOB + "' --set 'input=" + Blocks.JOB + "'")) {
      JsonNode json = Platform.sh(line, "--json").succeeded().json();
      assertTrue(json.isObject() || json.isArray(), () -> line + " says " + json);
    }
    Devices.awaitState("soft0", "active");
  }

  @Test
  void aViewerSeesAllAndChangesNothing() throws Exception {
    String job = aJob();
    for (String line : looking(job)) {
      Platform.sh(line, "--as", "viewer").succeeded();
    }
    int epoch = Devices.info("soft0").get("epoch").asInt();
    for (String line : doing(job)) {
      Platform.Result refused = Platform.sh(line, "--as", "viewer").failed(1);
      assertTrue(refused.err().contains("your role may not run it"), refused.err());
    }
    Platform.sh("device:power soft0 low", "--as", "viewer").failed(1);
    assertEquals(epoch, Devices.info("soft0").get("epoch").asInt());
    assertEquals(job, aJobOf(Platform.sh("job:list", "--json").succeeded().json()));
  }

  @Test
  void aRelativePathOfABundleSaysRelativeToWhat() {
    String update = "bundle:update io.isle.apps.jobs ";
    Platform.Result relative = Platform.sh(update + "file:none.jar").failed(1);
    assertTrue(relative.err().contains("starts at the platform's folder, /"), relative.err());
    Platform.Result path = Platform.sh(update + "none.jar").failed(1);
    assertTrue(path.err().contains("such as file:/home/me/x.jar"), path.err());
  }

  /** Each would read any file, run code of one's own, or change who may do what. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "shell:cat etc/users.properties",
        "shell:grep -n karaf etc/users.properties",
        "shell:tail -n 5 etc/users.properties",
        "bundle:list | shell:tail -n 5 etc/users.properties",
        "shell:less",
        "shell:history etc/users.properties",
        "shell:addCommand viewer ls",
        "echo viewer > etc/users.properties",
        "config:install -o file:/dev/null users.properties",
        "config:property-set -p io.isle.drivers standby false",
        "bundle:stop io.isle.apps.jobs",
        "bundle:update io.isle.apps.jobs",
        "feature:requirement-add nothing",
        "feature:repo-add file:/dev/null",
        "event:send nothing",
        "cm:listConfigurations",
        "jaas:user-list",
        "log:display",
        "log:tail",
        "log:exception-display",
        "ssh:sshd",
        "scr:disable nothing",
        "chaos:run --seed 1 --minutes 1",
        "system:version 9"
      })
  void whatKarafBringsIsAnAdministratorsUnlessItLooks(String line) {
    for (String role : List.of("viewer", "manager")) {
      Platform.Result refused = Platform.sh(line, "--as", role).failed(1);
      assertTrue(refused.err().contains("your role may not run it"), refused.err());
      assertEquals("", refused.out());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "help device:list",
        "help | grep -i 'Lists the devices'",
        "bundle:list | head -n 3 | tail -n 1",
        "bundle:list | sort -r | wc -l",
        "config:list | cat",
        "feature:list -i | head -n 1",
        "service:list",
        "log:get | head -n 3 | tail -n 1",
        "scr:list | head -n 1",
        "system:version",
        "each [1 2] { echo $it }",
        "if { true } { date }"
      })
  void aViewerMayLook(String line) {
    assertFalse(Platform.sh(line, "--as", "viewer").succeeded().out().isBlank());
  }

  @Test
  void aManagerRunsJobsAndSwitchesDevicesButChangesNoDriver() throws Exception {
    Platform.sh("device:disable soft0; device:enable soft0", "--as", "manager").succeeded();
    Devices.awaitState("soft0", "active");
    Platform.isle("run", Blocks.JOB, "--set", "input=" + Blocks.JOB, "--as", "manager").succeeded();
    assertNotEquals(0, Platform.sh("driver:reload soft0", "--as", "manager").code());
    assertNotEquals(0, Platform.sh("driver:tier soft0 1", "--as", "manager").code());
    assertNotEquals(0, Platform.sh("device:reset soft0", "--as", "manager").code());
  }

  /** Id of the newest job, which was run just now. */
  private static String aJob() throws Exception {
    Platform.isle("run", Blocks.JOB, "--set", "input=" + Blocks.JOB).succeeded();
    return aJobOf(Platform.sh("job:list", "--json").succeeded().json());
  }

  private static String aJobOf(JsonNode list) {
    return list.get(list.size() - 1).get("id").asText();
  }

  @ParameterizedTest
  @CsvSource({
    "no:such, 2",
    "device:info, 2",
    "device:list --nope, 2",
    "'device:list {', 2",
    "device:info nothing9, 1",
    "device:suspend nothing9, 1",
    "device:resume soft0, 1",
    "device:set soft0 memory_bytes, 2",
    "device:set soft0 memory_bytes=much, 1",
    "driver:crash soft0, 1",
    "driver:crash soft0 explode, 2",
    "driver:history nothing9, 1",
    "accel:inject-fault soft0 segv, 1",
    "accel:inject-fault soft0 segv --count 0, 2",
    "audit:tail -n 0, 2",
    "group:show nothing, 1",
    "group:create Nothing, 1",
    "group:create nothing --parent nobody, 1",
    "group:set default, 2",
    "group:set default priority, 2",
    "group:delete default, 1",
    "ring:status nothing9, 1",
    "ring:check nothing9, 1",
    "ring:impair nothing9, 1",
    "ring:impair nothing9 loss_ppm=1, 1",
    "ring:impair nothing9 --remove loss_ppm=1, 2",
    "ring:create nothing9 --nodes 1 --transport tcp, 2",
    "ring:create nothing9 --nodes 2 --transport ib, 2",
    "ring:set ring6-1, 2",
    "ring:set ring6-1 dim=much, 1",
    "ring:resize ring6-1 1, 1",
    "ring:drive ring6 --in nothing9 --out nothing9, 1",
    "ring:drive ring6 --in nothing9 --out nothing9 --window 0, 2",
    "net:configure check --interface nothing9, 1",
    "net:configure check --interface lo --netns lab:nothing9, 1",
    "net:configure check --interface lo --tiles 17, 1",
    "net:configure check, 2",
    "net:configure check nothing9, 1",
    "net:configure start --interface lo, 2",
    "net:lab, 2",
    "net:lab make nothing9, 2",
    "net:lab create, 2",
    "net:lab create Nothing, 1",
    "net:lab create nothing9 --queues 17, 1",
    "net:lab delete nothing9, 1",
    "net:program, 2",
    "net:program --ports 0, 2",
    "net:verdict isle-commands.pcap, 2",
    "net:verdict --ports 9000 --expect LOST isle-commands.pcap, 2",
    "net:verdict --program isle-commands.bpf isle-commands.pcap, 1",
    "spin:match nothing9.pcap, 2",
    "spin:match nothing9.pcap --rules udp, 1",
    "spin:match nothing9.pcap --rules tcp, 2",
    "spin:run nothing9.spin nothing9.pcap, 1",
    "spin:run nothing9 nothing9.pcap --dump heap:x, 2",
    "spin:build nothing9.c, 1",
    "spin:build nothing9.c --cflags -I, 2",
    "spin:list nothing9, 1",
    "spin:contexts nothing9, 1",
    "spin:counters nothing9, 1",
    "spin:queues nothing9, 1",
    "spin:hpus nothing9, 1",
    "spin:stdout nothing9, 1",
    "spin:stdout nothing9 --follow --json, 2",
    "spin:attach nothing9, 1",
    "spin:detach nothing9, 1",
    "spin:swap nothing9 nothing9.spin, 1",
    "spin:dump nothing9 heap:x, 2",
    "spin:dump nothing9 host:x, 1",
    "job:show 999, 1",
    "program:inspect isle-commands.cl, 1",
    "job:new --from isle-commands.cl, 1",
    "job:new one hash --from isle-commands.cl, 2"
  })
  void failuresHaveTheirCodeAndAReasonOnStandardErrorOnly(String command, int code) {
    Platform.Result result = Platform.sh(command).failed(code);
    assertEquals("", result.out());
    assertFalse(result.err().isBlank());
  }

  @Test
  void aLineStopsAtTheFirstFailure() {
    Platform.Result result = Platform.sh("echo one; no:such; echo two").failed(2);
    assertEquals("one\n", result.out());
  }

  @Test
  void outputIsPlainWithoutATerminal() {
    String out = Platform.sh("device:list; bundle:list | grep isle").succeeded().out();
    assertFalse(out.contains("\u001b"), out);
  }

  @Test
  void statusIsOneDocument() throws Exception {
    JsonNode status = Platform.isle("status", "--json").succeeded().json();
    assertEquals("running", status.get("state").asText());
    assertTrue(status.get("pid").asLong() > 0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bundle:install mvn:a/b/1",
        "device:disable soft0",
        "driver:reload soft",
        "job:run nothing.yml",
        "shell:exec id",
        "($.context getBundle 0) getSymbolicName",
        "echo x > FILE"
      })
  void aViewerMayOnlyLook(String command, @TempDir Path folder) {
    Path file = folder.resolve("must-not-exist");
    String line = command.replace("FILE", file.toString());
    assertFalse(Platform.sh(line, "--as", "viewer").code() == 0);
    assertFalse(Files.exists(file));
    Platform.sh("device:list", "--as", "viewer").succeeded();
  }
}
