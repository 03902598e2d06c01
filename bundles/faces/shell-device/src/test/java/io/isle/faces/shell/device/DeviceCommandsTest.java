package io.isle.faces.shell.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.AccelAdmin;
import io.isle.api.accel.AcceleratorInfo;
import io.isle.api.accel.Accelerators;
import io.isle.api.device.DeviceAdmin;
import io.isle.api.device.DeviceClass;
import io.isle.api.device.DeviceState;
import io.isle.api.device.DeviceTree;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.ShellException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DeviceCommandsTest {
  private static final AcceleratorInfo USE =
      new AcceleratorInfo(
          "soft0", DeviceClass.GPU_COMPUTE, 2, 2, 1 << 26, 4096, 64, 3, 65536, List.of());

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
                "utilization",
                List.of(new AccelAdmin.UtilizationInfo("soft0", 50, 1, 2, 3, 4, 5, 6, 7)),
                "compute",
                List.of(new AccelAdmin.ComputeInfo("soft0", 9, 8, 7, 6, 5, 4, 3, 2)))));
    String json = services.run(new InfoCommand().of("soft0"), true);
    assertTrue(json.contains("\"epoch\":3,\"host_pid\":42,\"standby_pid\":43"), json);
    assertTrue(json.contains("\"utilisation\":{\"compute_percent\":50"), json);
    assertTrue(json.contains("\"compute\":{\"isa_version\":9"), json);
    assertTrue(json.contains("\"settings\":{\"tier\":\"2\"}"), json);
    assertTrue(services.run(new InfoCommand().of("soft1"), false).contains("no memory"));
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
    assertTrue(thrown.getMessage().startsWith("the service DeviceTree is not there"));
  }

  private int status(IsleCommand command) {
    return assertThrows(ShellException.class, () -> services.run(command, true)).exitStatus();
  }

  /** A service that answers these methods and no other. */
  private static <S> S answers(Class<S> type, Map<String, Object> answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, called, args) -> {
              assertTrue(answers.containsKey(called.getName()), called.getName());
              return answers.get(called.getName());
            }));
  }
}
