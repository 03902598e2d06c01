package io.isle.faces.shell.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Setting;
import io.isle.api.device.DeviceAdmin;
import io.isle.api.device.DeviceState;
import io.isle.api.device.DeviceTree;
import io.isle.api.driver.DriverInfo;
import io.isle.api.driver.Drivers;
import io.isle.api.driver.Drivers.DriverStatus;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.ShellException;
import io.isle.faces.shell.testing.FakeDevices;
import io.isle.faces.shell.testing.FakeServices;
import java.util.List;
import org.junit.jupiter.api.Test;

class DriverCommandsTest {
  private static final DriverStatus SOFT =
      new DriverStatus(
          new DriverInfo(
              "soft", "1.2", 0x10002, List.of(Setting.bytes("memory_bytes", 1, 9, 4, "how")), true),
          "io.isle.drivers.soft 0.1.0",
          "",
          "0.1.0 does not open",
          List.of("soft0", "soft1"));

  private final FakeDevices devices =
      new FakeDevices()
          .add("soft0", DeviceState.ACTIVE, "", null)
          .add("soft1", DeviceState.DISABLED, "", null)
          .add("sim0", DeviceState.FAILED, "broken", null);
  private final FakeServices services =
      new FakeServices()
          .add(DeviceTree.class, devices)
          .add(DeviceAdmin.class, devices)
          .add(Drivers.class, new OneDriver());

  @Test
  void listAndInfo() {
    assertEquals(
        "[{\"name\":\"soft\",\"version\":\"1.2\",\"kabi\":\"1.2\",\"native\":true,\"devices\":2,"
            + "\"source\":\"io.isle.drivers.soft 0.1.0\",\"error\":null,"
            + "\"rollback\":\"0.1.0 does not open\"}]\n",
        services.run(new ListCommand(), true));
    String json = services.run(new InfoCommand().of("soft"), true);
    assertTrue(json.contains("\"devices\":[\"soft0\",\"soft1\"]"), json);
    assertTrue(json.contains("\"key\":\"memory_bytes\",\"type\":\"bytes\""), json);
    assertEquals(1, status(new InfoCommand().of("cuda")));
  }

  @Test
  void infoOfADeviceTellsHowItsDriverRuns() {
    String json = services.run(new InfoCommand().of("soft0"), true);
    assertTrue(json.startsWith("{\"device\":\"soft0\",\"driver\":\"soft\""), json);
    assertTrue(
        json.contains(
            "\"version\":\"1.0\",\"source\":\"io.isle.drivers.soft 0.0.9\","
                + "\"rollback\":\"0.1.0 does not open\",\"error\":null"),
        json);
    assertTrue(json.contains("\"host_pid\":42,\"standby_pid\":43"), json);
    assertTrue(
        json.contains("\"sandbox\":[\"seccomp: applied\",\"landlock: not applied: ENOSYS\"]"),
        json);
    String text = services.run(new InfoCommand().of("soft0"), false);
    assertTrue(text.contains("\n  landlock: not applied: ENOSYS\n"), text);
  }

  @Test
  void reloadTakesADeviceOrADriver() {
    assertTrue(services.run(new ReloadCommand().of("soft0"), true).contains("\"epoch\":3"));
    services.run(new ReloadCommand().of("soft"), true);
    assertEquals(List.of("reload soft0", "reload soft0"), devices.asked);
    assertEquals(1, status(new ReloadCommand().of("nothing")));
    assertEquals(1, status(new ReloadCommand().of("sim0")));
  }

  @Test
  void tierIsASetting() {
    assertTrue(services.run(new TierCommand().of("soft0", "1"), true).startsWith("[{\"id\""));
    assertEquals(List.of("soft0 {tier=1}"), devices.asked);
    assertEquals(2, status(new TierCommand().of("soft0", "3")));
  }

  private int status(IsleCommand command) {
    return assertThrows(ShellException.class, () -> services.run(command, true)).exitStatus();
  }

  private static final class OneDriver implements Drivers {
    @Override
    public List<DriverStatus> list() {
      return List.of(SOFT);
    }

    @Override
    public void settle() {}
  }
}
