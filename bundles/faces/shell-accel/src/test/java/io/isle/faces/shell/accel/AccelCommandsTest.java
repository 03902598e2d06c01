package io.isle.faces.shell.accel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.AccelAdmin;
import io.isle.api.accel.AccelException;
import io.isle.api.accel.Accelerator;
import io.isle.api.accel.AcceleratorInfo;
import io.isle.api.accel.Accelerators;
import io.isle.api.accel.ContextInfo;
import io.isle.api.accel.DeviceQuery;
import io.isle.api.accel.Estimate;
import io.isle.api.accel.GroupUsage;
import io.isle.api.accel.HostTimeline;
import io.isle.api.accel.ProgramKind;
import io.isle.api.accel.Usage;
import io.isle.api.base.Errno;
import io.isle.api.device.DeviceClass;
import io.isle.api.device.DeviceNode;
import io.isle.api.device.DeviceState;
import io.isle.api.device.DeviceTree;
import io.isle.api.device.Priority;
import io.isle.api.health.FaultInjector;
import io.isle.api.tenancy.Capability;
import io.isle.faces.shell.ShellException;
import io.isle.faces.shell.testing.FakeDevices;
import io.isle.faces.shell.testing.FakeServices;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class AccelCommandsTest {
  private static final ContextInfo CONTEXT =
      new ContextInfo(
          "0200",
          "hash",
          "job:1",
          "default",
          "soft0",
          Priority.HIGH,
          "open",
          4096,
          0,
          5_000_000,
          9,
          8,
          1,
          0,
          1,
          1500,
          Usage.NONE,
          new Estimate(2500, 3, 4, 0.5, 0.25, 2.0));

  private final List<String> planned = new ArrayList<>();
  private final FakeServices services =
      new FakeServices()
          .add(AccelAdmin.class, new Admin(List.of(CONTEXT)))
          .add(
              FaultInjector.class,
              (device, fault, after, count, value) ->
                  planned.add(String.join(" ", device, fault, "" + after, "" + count, "" + value)))
          .add(DeviceTree.class, new NoDevices());

  @Test
  void contextsInBothForms() {
    assertEquals(
        "[{\"id\":\"0200\",\"name\":\"hash\",\"tenant\":\"job:1\",\"group\":\"default\",\"device\":\"soft0\",\"priority\":\"high\",\"state\":\"open\",\"memory_bytes\":4096,\"max_memory_bytes\":0,\"max_execution_ns\":5000000000,\"submitted\":9,\"completed\":8,\"failed\":1,\"pending\":0,\"in_flight\":1,\"busy_ns\":1500,"
            + "\"promised_percent\":0.0,\"given_percent\":0.0,\"window_ns\":0,\"given_ns\":0,"
            + "\"wait_p50_ns\":0,\"wait_p99_ns\":0,\"memory_peak_bytes\":0,\"preemptions\":0,"
            + "\"overruns\":0,\"throttled_ns\":0,\"estimate_ns\":2500,\"estimate_error\":0.5,"
            + "\"estimate_answered\":3,\"estimate_model_error\":0.25,"
            + "\"estimate_average_error\":2.0}]\n",
        services.run(new ContextsCommand(), true));
    String table = services.run(new ContextsCommand(), false);
    assertTrue(table.contains("4 KiB") && table.contains("1.5 us"), table);
    assertTrue(table.contains("2.5 us") && table.contains("x1.41"), table);
  }

  @Test
  void fencesInBothForms() {
    assertEquals(
        "[{\"id\":\"0500\",\"kind\":\"context\",\"device\":\"soft0\",\"name\":\"hash\",\"tenant\":\"job:1\","
            + "\"ended\":8,\"submitted\":9,\"state\":\"open\",\"deadline_ns\":null,\"shared_with\":[]},"
            + "{\"id\":\"0800\",\"kind\":\"host\",\"device\":null,\"name\":\"input\",\"tenant\":\"job:1\","
            + "\"ended\":3,\"submitted\":3,\"state\":\"open\",\"deadline_ns\":1500,\"shared_with\":[\"other\"]}]\n",
        services.run(new FencesCommand(), true));
    String table = services.run(new FencesCommand(), false);
    assertTrue(table.contains("1.5 us") && table.contains("host"), table);
  }

  @Test
  void fencesOfDevicesInBothForms() {
    assertEquals(
        "[{\"device\":\"soft0\",\"domain\":1,\"mode\":\"core\",\"timeline_semaphores\":true,"
            + "\"hw_cross_device\":false,\"cpu_signal\":false,\"max_fence_value\":255,\"waiting\":2,"
            + "\"handed\":0,\"timeouts\":4,\"refused\":5}]\n",
        services.run(new FencesCommand().ofDevices(), true));
    String table = services.run(new FencesCommand().ofDevices(), false);
    assertTrue(table.contains("core") && table.contains("255"), table);
  }

  @Test
  void programsInBothForms() {
    assertEquals(
        "[{\"id\":\"0400\",\"device\":\"soft0\",\"context\":\"0200\",\"tenant\":\"job:1\","
            + "\"kind\":\"opencl_c\",\"name\":null,\"source_bytes\":2048,\"options\":\"-w\","
            + "\"entries\":[\"scale(buffer, f32)\",\"sum(buffer)\"]}]\n",
        services.run(new ProgramsCommand(), true));
    String table = services.run(new ProgramsCommand(), false);
    assertTrue(table.contains("scale(buffer, f32); sum(buffer)"), table);
    assertTrue(table.contains("2 KiB"), table);
    assertThrows(ShellException.class, () -> services.run(new ProgramsCommand().of("soft7"), true));
  }

  @Test
  void infoTellsTheKindsThatADeviceTakes() {
    services.add(DeviceTree.class, new FakeDevices().add("soft0", DeviceState.ACTIVE, "", null));
    services.add(Accelerators.class, new OneAccelerator());
    assertEquals(
        "{\"id\":\"soft0\",\"class\":\"gpu\",\"tier\":2,\"compute_units\":4,"
            + "\"memory_bytes\":4096,\"memory_used\":1024,\"contexts\":3,\"max_contexts\":8,"
            + "\"max_command_bytes\":65536,\"preemption\":\"draw_dispatch\",\"scheduling\":\"guaranteed\",\"program_kinds\":[\"builtin\",\"spirv\"],"
            + "\"builtins\":[\"noop\",\"copy\"]}\n",
        services.run(new InfoCommand().of("soft0"), true));
    String lines = services.run(new InfoCommand().of("soft0"), false);
    assertTrue(lines.contains("program kinds       builtin, spirv"), lines);
    assertThrows(ShellException.class, () -> services.run(new InfoCommand().of("soft7"), true));
  }

  @Test
  void infoOfADeviceThatIsNotOpenSaysSo() {
    services.add(DeviceTree.class, new FakeDevices().add("soft1", DeviceState.FAILED, "x", null));
    services.add(Accelerators.class, new OneAccelerator());
    ShellException thrown =
        assertThrows(ShellException.class, () -> services.run(new InfoCommand().of("soft1"), true));
    assertTrue(thrown.getMessage().contains("soft1 is not open"), thrown.getMessage());
  }

  private static final class OneAccelerator implements Accelerators {
    @Override
    public List<AcceleratorInfo> list() {
      return List.of(
          new AcceleratorInfo(
              "soft0",
              DeviceClass.GPU,
              2,
              4,
              4096,
              1024,
              8,
              3,
              65_536,
              "draw_dispatch",
              "guaranteed",
              List.of(ProgramKind.BUILTIN, ProgramKind.SPIRV),
              List.of("noop", "copy")));
    }

    @Override
    public Accelerator find(DeviceQuery query) {
      throw new AccelException(Errno.ENODEV, "nobody asked");
    }

    @Override
    public List<GroupUsage> usage(Capability capability, String group) {
      throw new UnsupportedOperationException();
    }

    @Override
    public HostTimeline hostTimeline(Capability capability, String name) {
      throw new UnsupportedOperationException();
    }
  }

  @Test
  void memoryShowsWhatIsKeptOfIt() {
    String table = services.run(new MemoryCommand(), false);
    assertTrue(table.lines().findFirst().orElseThrow().contains("retained"), table);
    String[] cells = table.lines().skip(1).findFirst().orElseThrow().split("\\s{2,}");
    assertEquals(List.of("8 KiB", "8 KiB"), List.of(cells[4], cells[5]), table);
    String json = services.run(new MemoryCommand(), true);
    assertTrue(json.contains("\"bytes\":8192,\"retained_bytes\":8192,\"references\":1"), json);
    assertTrue(json.contains("\"bytes\":4096,\"retained_bytes\":0,\"references\":2"), json);
  }

  @Test
  void anEmptyTableHasText() {
    services.add(AccelAdmin.class, new Admin(List.of()));
    assertTrue(services.run(new ContextsCommand(), false).startsWith("No open contexts."));
    assertTrue(services.run(new MemoryCommand(), false).startsWith("No device memory"));
    assertEquals("[]\n", services.run(new MemoryCommand(), true));
  }

  @Test
  void anUnknownDeviceIsAFailure() {
    ShellException thrown =
        assertThrows(
            ShellException.class, () -> services.run(new MemoryCommand().of("soft7"), true));
    assertEquals(1, thrown.exitStatus());
  }

  @Test
  void faultsArePlannedAsTold() {
    assertEquals(
        "{\"device\":\"soft0\",\"fault\":\"throttle\",\"after\":2,\"count\":3,\"value\":0}\n",
        services.run(new InjectFaultCommand().of("soft0", "throttle", 2, 3), true));
    assertEquals(List.of("soft0 throttle 2 3 0"), planned);
    ShellException thrown =
        assertThrows(
            ShellException.class,
            () -> services.run(new InjectFaultCommand().of("soft0", "segv", 0, 0), true));
    assertEquals(2, thrown.exitStatus());
    assertEquals(1, planned.size());
  }

  private record Admin(List<ContextInfo> contexts) implements AccelAdmin {
    @Override
    public List<WorkErrorInfo> workErrors() {
      return List.of();
    }

    @Override
    public List<FenceInfo> fences() {
      return List.of(
          new FenceInfo(
              "0500",
              false,
              Optional.of("soft0"),
              "hash",
              "job:1",
              8,
              9,
              "open",
              OptionalLong.empty(),
              List.of()),
          new FenceInfo(
              "0800",
              true,
              Optional.empty(),
              "input",
              "job:1",
              3,
              3,
              "open",
              OptionalLong.of(1500),
              List.of("other")));
    }

    @Override
    public List<FenceDeviceInfo> fenceDevices() {
      return List.of(new FenceDeviceInfo("soft0", 1, "core", true, false, false, 255, 2, 0, 4, 5));
    }

    @Override
    public List<MemoryInfo> memory() {
      return contexts.isEmpty()
          ? List.of()
          : List.of(
              new MemoryInfo("0300", "soft0", "0200", "job:1", 8192, 8192, 1, "valid"),
              new MemoryInfo("0301", "soft0", "0200", "job:1", 4096, 0, 2, "lost"));
    }

    @Override
    public List<ProgramInfo> programs() {
      return List.of(
          new ProgramInfo(
              "0400",
              "soft0",
              "0200",
              "job:1",
              ProgramKind.OPENCL_C,
              "",
              2048,
              "-w",
              List.of("scale(buffer, f32)", "sum(buffer)")));
    }

    @Override
    public List<ComputeInfo> compute() {
      return List.of();
    }

    @Override
    public List<GroupUsage> groups() {
      return List.of();
    }

    @Override
    public JournalInfo journal(String device, Duration time, OutputStream out) {
      throw new UnsupportedOperationException();
    }
  }

  private static final class NoDevices implements DeviceTree {
    @Override
    public List<DeviceNode> nodes() {
      return List.of();
    }

    @Override
    public Optional<DeviceNode> find(String id) {
      return Optional.empty();
    }

    @Override
    public Map<String, String> settings(String id) {
      return Map.of();
    }
  }
}
