package io.isle.faces.shell.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.AccelAdmin;
import io.isle.api.accel.AcceleratorInfo;
import io.isle.api.accel.Accelerators;
import io.isle.api.accel.CompletionStatus;
import io.isle.api.accel.ContextInfo;
import io.isle.api.accel.GroupUsage;
import io.isle.api.accel.Usage;
import io.isle.api.accel.WorkError;
import io.isle.api.base.Errno;
import io.isle.api.device.DeviceAdmin;
import io.isle.api.device.DeviceClass;
import io.isle.api.device.DeviceState;
import io.isle.api.device.DeviceTree;
import io.isle.api.device.Priority;
import io.isle.api.device.Recovery;
import io.isle.api.device.Recovery.PhaseTime;
import io.isle.api.device.RecoveryCause;
import io.isle.api.device.RecoveryLog;
import io.isle.api.driver.DriverInfo;
import io.isle.api.driver.Drivers;
import io.isle.api.health.DeviceHealth;
import io.isle.api.health.DevicePower;
import io.isle.api.health.DeviceUtilization;
import io.isle.api.health.HealthInfo;
import io.isle.api.health.PowerInfo;
import io.isle.api.health.UtilizationInfo;
import io.isle.api.observe.Actor;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.ShellException;
import io.isle.faces.shell.testing.FakeDevices;
import io.isle.faces.shell.testing.FakeServices;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class DeviceCommandsTest {
  private static final AcceleratorInfo USE =
      new AcceleratorInfo(
          "soft0",
          DeviceClass.GPU_COMPUTE,
          2,
          2,
          1 << 26,
          4096,
          64,
          3,
          65536,
          "none",
          "priority",
          List.of(),
          List.of());

  private static final Actor ADMIN = new Actor(Actor.Kind.USER, "a", Set.of("admin", "viewer"));
  private static final Actor VIEWER = new Actor(Actor.Kind.USER, "v", Set.of("viewer"));
  private static final Recovery CRASH =
      new Recovery(
          "soft0",
          1,
          new RecoveryCause(RecoveryCause.Kind.CRASH, "killed by SIGSEGV"),
          0,
          1,
          2,
          1,
          true,
          Recovery.Outcome.RECOVERED,
          List.of(new PhaseTime(Recovery.Phase.OPEN, 1500)),
          2000,
          Recovery.Work.NONE);

  private final FakeDevices devices =
      new FakeDevices()
          .add("soft0", DeviceState.ACTIVE, "", null)
          .add("soft1", DeviceState.FAILED, "no memory", "soft0");
  private final FakeServices services =
      new FakeServices()
          .add(DeviceTree.class, devices)
          .add(DeviceAdmin.class, devices)
          .add(Accelerators.class, answers(Accelerators.class, Map.of("list", List.of(USE))));

  @Test
  void listHasALineForEachDriverThatSaysWhyItHasNoDevice() {
    services.add(
        Drivers.class,
        answers(
            Drivers.class,
            Map.of(
                "list",
                List.of(
                    driver("soft", List.of("soft0"), ""),
                    driver("npu", List.of("npu0"), "it was not there when it was looked for"),
                    driver("sim", List.of(), ""),
                    driver("opencl", List.of(), "no libOpenCL.so.1")))));
    List<String> lines = services.run(new ListCommand(), false).lines().toList();
    assertEquals("driver opencl has no device: no libOpenCL.so.1", lines.getLast());
    assertEquals(4, lines.size(), lines::toString); // head, two devices
    String json = services.run(new ListCommand(), true);
    assertFalse(json.contains("opencl"), json);
  }

  private static Drivers.DriverStatus driver(String name, List<String> devices, String missing) {
    DriverInfo info = new DriverInfo(name, "1", DriverInfo.KABI, List.of(), true);
    return new Drivers.DriverStatus(info, "a bundle", "", "", devices, missing);
  }

  @Test
  void listHasTheAgreedShape() {
    String first = services.run(new ListCommand(), true).split("\\},")[0];
    assertEquals(
        "[{\"id\":\"soft0\",\"class\":\"gpu_compute\",\"driver\":\"soft\",\"tier\":2,"
            + "\"state\":\"active\",\"parent\":null,\"memory_bytes\":67108864,"
            + "\"memory_used\":4096,\"compute_units\":2,\"contexts\":3",
        first);
    String table = services.run(new ListCommand(), false);
    assertTrue(table.contains("64 MiB") && table.startsWith("id     class"), table);
  }

  @Test
  void withoutDevicesItSaysHowToGetSome() {
    devices.nodes.clear();
    assertEquals("[]\n", services.run(new ListCommand(), true));
    assertTrue(services.run(new ListCommand(), false).startsWith("No devices."));
  }

  @Test
  void infoAddsAllThatIsKnown() {
    services.add(
        AccelAdmin.class,
        answers(
            AccelAdmin.class,
            Map.of(
                "compute",
                List.of(new AccelAdmin.ComputeInfo("soft0", 9, 8, 7, 6, 5, 4, 3, 2)),
                "workErrors",
                List.of(
                    new AccelAdmin.WorkErrorInfo(
                        "soft0",
                        "0200000100000002",
                        "job:7",
                        new WorkError(5, CompletionStatus.ERROR, -Errno.EINVAL, "no such op"),
                        0,
                        3)),
                "groups",
                List.of(
                    new GroupUsage("default", "soft1", "", 1, Usage.NONE),
                    new GroupUsage("a", "soft0", "", 1, Usage.NONE)))));
    services
        .add(
            DeviceUtilization.class,
            () -> List.of(new UtilizationInfo("soft0", 50, 1, 2, 3, 4, 5, 6, 7)))
        .add(DevicePower.class, power(new ArrayList<>()))
        .add(DeviceHealth.class, () -> List.of(new HealthInfo("soft0", Optional.empty())));
    String text = services.run(new InfoCommand().of("soft0"), false);
    assertTrue(text.lines().anyMatch(line -> line.matches("  group +contexts +pending.*")), text);
    assertTrue(text.lines().anyMatch(line -> line.matches("  a +1 +0 +0 B +0.0 +0.0 +-")), text);
    assertTrue(text.lines().allMatch(line -> line.length() <= 100), text);
    String json = services.run(new InfoCommand().of("soft0"), true);
    assertTrue(json.contains("\"epoch\":3,\"host_pid\":42,\"standby_pid\":43"), json);
    assertTrue(json.contains("\"utilisation\":{\"compute_percent\":50"), json);
    assertTrue(
        json.contains(
            "\"power\":{\"state\":\"d0_active\",\"level\":\"auto\",\"temperature_mc\":41500,"
                + "\"power_mw\":0,\"power_limit_mw\":75000,\"clock_mhz\":900,\"throttled\":false,"
                + "\"throttle_count\":null,"),
        json);
    assertTrue(json.contains("\"compute\":{\"isa_version\":9"), json);
    assertTrue(
        json.contains(
            "\"last_work_error\":{\"time\":\"1970-01-01T00:00:00Z\","
                + "\"context\":\"0200000100000002\",\"tenant\":\"job:7\",\"submission\":5,"
                + "\"outcome\":\"ERROR\",\"code\":\"EINVAL\",\"detail\":-22,"
                + "\"line\":\"no such op\",\"count\":3}"),
        json);
    assertTrue(json.contains("\"settings\":{\"tier\":\"2\"}"), json);
    assertTrue(
        json.contains("\"groups\":[{\"group\":\"a\",\"contexts\":1,\"promised_by\":null,"), json);
    assertTrue(services.run(new InfoCommand().of("soft1"), false).contains("no memory"));
  }

  @Test
  void infoNamesTheProcessesOfGroupsAndCountsTheirContexts() {
    devices.withGroups();
    services.add(
        AccelAdmin.class,
        answers(
            AccelAdmin.class,
            Map.of(
                "compute",
                List.of(),
                "workErrors",
                List.of(),
                "contexts",
                List.of(context("soft0", "a"), context("soft0", "a"), context("soft1", "a")))));
    String json = services.run(new InfoCommand().of("soft0"), true);
    assertTrue(
        json.contains(
            "\"isolation\":\"group\",\"hosts\":[{\"group\":\"default\",\"pid\":42,\"contexts\":0},"
                + "{\"group\":\"a\",\"pid\":44,\"contexts\":2}]"),
        json);
    String text = services.run(new InfoCommand().of("soft0"), false);
    assertTrue(text.contains("  group a, pid 44, contexts 2\n"), text);
  }

  private static ContextInfo context(String device, String group) {
    return new ContextInfo(
        "1", "c", "t", group, device, Priority.NORMAL, "open", 0, 0, 0, 0, 0, 0, 0, 0, 0);
  }

  @Test
  void infoTellsTheLastRecoveryWithItsPhases() {
    assertTrue(
        services
            .run(new InfoCommand().of("soft0"), true)
            .contains("\"recoveries\":0,\"last_recovery\":null"));
    services.add(
        RecoveryLog.class, answers(RecoveryLog.class, Map.of("of", List.of(CRASH, CRASH))));
    String json = services.run(new InfoCommand().of("soft0"), true);
    assertTrue(
        json.contains(
            "\"sandbox\":[\"seccomp: applied\",\"landlock: not applied:"
                + " ENOSYS\"],\"recoveries\":2"),
        json);
    assertTrue(json.contains("\"last_recovery\":{\"number\":1,"), json);
    assertTrue(json.contains("\"open_ns\":1500,\"rebuild_ns\":null"), json);
    String text = services.run(new InfoCommand().of("soft0"), false);
    assertTrue(text.contains("  open                    1.5 us\n"), text);
    assertFalse(text.contains("rebuild"), text);
  }

  @Test
  void powerShowsAndAnAdministratorSetsTheLevel() {
    List<String> set = new ArrayList<>();
    services
        .add(DevicePower.class, power(set))
        .add(
            DeviceHealth.class,
            () ->
                List.of(
                    new HealthInfo("soft0", Optional.of(new HealthInfo.Counters(1, 2, 3, 4, 5)))));
    assertEquals(
        "[{\"id\":\"soft0\",\"state\":\"d0_active\",\"level\":\"auto\",\"temperature_mc\":41500,"
            + "\"power_mw\":0,\"power_limit_mw\":75000,\"clock_mhz\":900,\"throttled\":false,"
            + "\"throttle_count\":3,\"ecc_correctable\":1,\"ecc_uncorrectable\":2,"
            + "\"pcie_replay_count\":5,\"error_code\":4}]\n",
        services.run(new PowerCommand().of(null, null, ADMIN), true));
    String table = services.run(new PowerCommand().of("soft0", "low", ADMIN), false);
    assertTrue(table.contains("41.5 C") && table.contains("75.0 W"), table);
    assertEquals(List.of("soft0 low"), set);
    assertEquals(1, status(new PowerCommand().of("soft0", "low", VIEWER)));
    assertEquals(2, status(new PowerCommand().of("soft0", "full", ADMIN)));
    assertEquals(1, status(new PowerCommand().of("soft1", null, VIEWER)));
    assertEquals(List.of("soft0 low"), set);
  }

  /** As {@code device:power} and {@code device:info} see soft0. */
  private static DevicePower power(List<String> set) {
    return new DevicePower() {
      @Override
      public List<PowerInfo> list() {
        return List.of(new PowerInfo("soft0", "d0_active", "auto", 41_500, 0, 75_000, 900, false));
      }

      @Override
      public void setPerformanceLevel(String device, String level) {
        set.add(device + " " + level);
      }
    };
  }

  @Test
  void aDeviceThatWentBetweenPowerAndHealthHasNoRow() {
    services.add(DevicePower.class, power(new ArrayList<>())).add(DeviceHealth.class, List::of);
    assertEquals("[]\n", services.run(new PowerCommand().of(null, null, VIEWER), true));
  }

  @Test
  void withoutTheServicesOfHealthPowerSaysSoAndInfoGoesOn() {
    ShellException thrown =
        assertThrows(
            ShellException.class,
            () -> services.run(new PowerCommand().of(null, null, VIEWER), true));
    assertTrue(
        thrown.getMessage().startsWith("the service DevicePower is not available"),
        thrown.getMessage());
    String json = services.run(new InfoCommand().of("soft0"), true);
    assertTrue(json.contains("\"utilisation\":null,\"power\":null,"), json);
  }

  @Test
  void suspendResumeAndResetSayWhatBecameOfIt() {
    assertEquals("soft0 is active\n", services.run(new SuspendCommand().of("soft0"), false));
    assertEquals(
        "{\"id\":\"soft0\",\"state\":\"active\",\"epoch\":3}\n",
        services.run(new ResumeCommand().of("soft0"), true));
    services.run(new ResetCommand().of("soft0"), true);
    assertEquals(List.of("suspend soft0", "resume soft0", "reset soft0"), devices.asked);
  }

  @Test
  void settingsAreSetOrGoBackToTheirDefaults() {
    services.run(new SetCommand().of("soft0", "fault_injection=true", "memory_bytes="), true);
    assertEquals(List.of("soft0 {fault_injection=true, memory_bytes=null}"), devices.asked);
    assertEquals(2, status(new SetCommand().of("soft0", "=x")));
    assertEquals(2, status(new SetCommand().of("soft0", "tier")));
  }

  @Test
  void anUnknownIdIsAFailure() {
    assertEquals(1, status(new InfoCommand().of("soft9")));
  }

  @Test
  void theTreeStandsUnderItsParents() {
    String text = services.run(new TreeCommand(), false);
    assertTrue(text.contains("\n+-- soft1"), text);
    assertTrue(services.run(new TreeCommand(), true).contains("\"parent\":\"soft0\",\"depth\":1"));
  }

  @Test
  void parentsInACircleAreShownToo() {
    devices.add("sim8", DeviceState.ACTIVE, "", "sim9").add("sim9", DeviceState.ACTIVE, "", "sim8");
    String text = services.run(new TreeCommand(), false);
    assertTrue(text.contains("\nsim8 ") && text.contains("\n+-- sim9 "), text);
  }

  @Test
  void switchingSaysWhatBecameOfIt() {
    assertEquals("soft0 is active\n", services.run(new EnableCommand().of("soft0"), false));
    assertEquals(
        "{\"id\":\"soft0\",\"state\":\"active\"}\n",
        services.run(new DisableCommand().of("soft0"), true));
    assertEquals(1, status(new EnableCommand().of("soft1")));
    assertEquals(
        List.of("soft0 {enabled=true}", "soft0 {enabled=false}", "soft1 {enabled=true}"),
        devices.asked);
  }

  @Test
  void idsAreCompleted() {
    assertEquals(List.of("soft0", "soft1"), new DeviceCompleter().ids(services));
    assertEquals(List.of(), new DeviceCompleter().ids(new FakeServices()));
  }

  @Test
  void aMissingServiceIsOneClearLine() {
    ShellException thrown =
        assertThrows(ShellException.class, () -> new FakeServices().run(new ListCommand(), false));
    assertTrue(thrown.getMessage().startsWith("the service DeviceTree is not available"));
  }

  private int status(IsleCommand command) {
    return assertThrows(ShellException.class, () -> services.run(command, true)).exitStatus();
  }

  /** A service that answers these methods and no other. */
  private static <S> S answers(Class<S> type, Map<String, Object> answers) {
    Map<String, Function<Object[], Object>> calls = new HashMap<>();
    answers.forEach((name, answer) -> calls.put(name, args -> answer));
    calls.putIfAbsent("groups", args -> List.of());
    return calls(type, calls);
  }

  private static <S> S calls(Class<S> type, Map<String, Function<Object[], Object>> calls) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, called, args) -> {
              assertTrue(calls.containsKey(called.getName()), called.getName());
              return calls.get(called.getName()).apply(args);
            }));
  }
}
