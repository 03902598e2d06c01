package io.isle.faces.shell.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Accelerators;
import io.isle.api.base.Errno;
import io.isle.api.device.DeviceAdmin;
import io.isle.api.device.DeviceState;
import io.isle.api.device.DeviceTree;
import io.isle.api.device.Recovery;
import io.isle.api.device.RecoveryCause;
import io.isle.api.device.RecoveryLog;
import io.isle.api.driver.DriverInfo;
import io.isle.api.driver.Drivers;
import io.isle.api.health.FaultInjector;
import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.Capability;
import io.isle.faces.shell.ShellException;
import io.isle.faces.shell.testing.FakeDevices;
import io.isle.faces.shell.testing.FakeServices;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class CrashCommandTest {
  private final FakeDevices devices = new FakeDevices().add("soft0", DeviceState.ACTIVE, "", null);
  private final FakeRecoveries recoveries = new FakeRecoveries();
  private final List<String> done = new ArrayList<>();
  private boolean tells = true;
  private Recovery.Outcome outcome = Recovery.Outcome.RECOVERED;

  private final FakeServices services =
      new FakeServices()
          .add(DeviceTree.class, devices)
          .add(RecoveryLog.class, recoveries)
          .add(
              DeviceAdmin.class,
              answering(
                  DeviceAdmin.class,
                  args -> {
                    boolean whole = args.length == 2;
                    crashed(args[args.length - 1] + " " + args[0] + (whole ? "" : " " + args[1]));
                    return null;
                  }))
          .add(
              Drivers.class,
              answering(
                  Drivers.class,
                  args ->
                      List.of(
                          new Drivers.DriverStatus(
                              new DriverInfo("soft", "1", 1 << 16, List.of(), true),
                              "",
                              "",
                              "",
                              List.of()))))
          .add(
              FaultInjector.class,
              (device, fault, after, count, value) -> crashed("inject " + fault))
          // Nobody can open a context: others' work meets the fault.
          .add(
              Accelerators.class,
              answering(
                  Accelerators.class,
                  args -> {
                    throw new AccelException(Errno.ENOSPC, "all contexts are taken");
                  }))
          .add(
              Capabilities.class,
              answering(Capabilities.class, args -> answering(Capability.class, none -> null)));

  private void crashed(String how) {
    done.add(how);
    if (tells) {
      recoveries.add("soft0", RecoveryCause.Kind.CRASH, outcome);
    }
  }

  private ShellException refused(String kind) {
    return assertThrows(
        ShellException.class, () -> services.run(new CrashCommand().of("soft0", kind), true));
  }

  @Test
  void eachKindIsDoneAndTheNewRecoveryShown() {
    devices.settings.put("fault_injection", "true");
    recoveries.add("soft0", RecoveryCause.Kind.HANG, outcome);
    int number = 2;
    for (String kind : List.of("segv", "abort", "exit", "kill", "hang")) {
      String json = services.run(new CrashCommand().of("soft0", kind), true);
      assertTrue(json.startsWith("[{\"device\":\"soft0\",\"number\":" + number++), json);
    }
    assertEquals(
        List.of("inject segv", "inject abort", "inject exit", "KILL soft0", "STOP soft0"), done);
  }

  @Test
  void theProcessOfAGroupIsKilledOrStoppedAndNoOther() {
    devices.settings.put("fault_injection", "true");
    for (String kind : List.of("kill", "hang")) {
      String ignored = services.run(new CrashCommand().of("soft0", kind, "a"), true);
    }
    assertEquals(List.of("KILL soft0 a", "STOP soft0 a"), done);
    ShellException thrown =
        assertThrows(
            ShellException.class,
            () -> services.run(new CrashCommand().of("soft0", "segv", "a"), true));
    assertTrue(thrown.getMessage().contains("kill or hang"), thrown.getMessage());
  }

  @Test
  void withoutFaultInjectionNothingHappens() {
    ShellException thrown = refused("kill");
    assertTrue(thrown.getMessage().contains("fault_injection = true"), thrown.getMessage());
    assertEquals(List.of(), done);
  }

  @Test
  void aDeviceThatDoesNotComeBackIsAFailure() {
    devices.settings.put("fault_injection", "true");
    outcome = Recovery.Outcome.FAILED;
    assertEquals(1, refused("segv").exitStatus());
  }

  @Test
  void aDriverServiceThatGoesIsNotADeviceThatStaysAway() {
    devices.settings.put("fault_injection", "true");
    tells = false;
    ShellException thrown = refused("segv");
    assertTrue(thrown.getMessage().contains("the driver service stopped"), thrown.getMessage());
  }

  @Test
  void anUnknownKindIsWrongUsage() {
    assertEquals(2, refused("explode").exitStatus());
  }

  @Test
  void nativeCodeInThePlatformsOwnProcessIsSpared() {
    devices.settings.put("fault_injection", "true");
    devices.withoutHost();
    assertTrue(refused("segv").getMessage().contains("driver:tier soft0 2"));
    assertTrue(refused("kill").getMessage().contains("no driver process"));
    assertEquals(List.of(), done);
  }

  @Test
  void onlyAnActiveDeviceCanCrash() {
    devices.nodes.clear();
    devices.add("soft0", DeviceState.SUSPENDED, "", null);
    devices.settings.put("fault_injection", "true");
    assertTrue(refused("segv").getMessage().contains("suspended"));
  }

  @Test
  void historyIsOfAllOrOfOne() {
    recoveries.add("soft0", RecoveryCause.Kind.HANG, outcome);
    recoveries.add("sim0", RecoveryCause.Kind.RELOAD, outcome);
    assertTrue(services.run(new HistoryCommand(), true).contains("\"cause\":\"reload\""));
    String one = services.run(new HistoryCommand().of("soft0", null), true);
    assertTrue(one.contains("\"cause\":\"hang\"") && !one.contains("reload"), one);
    assertThrows(
        ShellException.class, () -> services.run(new HistoryCommand().of("soft9", null), true));
  }

  @Test
  void aNumberShowsAllOfOneRecovery() {
    recoveries.add("soft0", RecoveryCause.Kind.HANG, outcome);
    recoveries.add("soft0", RecoveryCause.Kind.RELOAD, outcome);
    String text = services.run(new HistoryCommand().of("soft0", 2L), false);
    assertTrue(text.lines().anyMatch(line -> line.matches("cause +reload")), text);
    assertTrue(text.lines().anyMatch(line -> line.matches("text +seen")), text);
    String json = services.run(new HistoryCommand().of("soft0", 1L), true);
    assertTrue(json.startsWith("{\"device\":\"soft0\",\"number\":1,"), json);
    ShellException thrown =
        assertThrows(
            ShellException.class, () -> services.run(new HistoryCommand().of("soft0", 3L), true));
    assertTrue(thrown.getMessage().contains("soft0 has no recovery 3"), thrown.getMessage());
  }

  private static <S> S answering(Class<S> type, Function<Object[], Object> answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(), new Class<?>[] {type}, (p, called, args) -> answer.apply(args)));
  }
}
