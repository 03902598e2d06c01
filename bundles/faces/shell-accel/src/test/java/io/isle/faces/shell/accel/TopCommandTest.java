package io.isle.faces.shell.accel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
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
import io.isle.api.accel.Usage;
import io.isle.api.base.Errno;
import io.isle.api.device.DeviceClass;
import io.isle.api.device.DeviceState;
import io.isle.api.device.DeviceTree;
import io.isle.api.device.Priority;
import io.isle.api.tenancy.Capability;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.ShellException;
import io.isle.faces.shell.testing.FakeDevices;
import io.isle.faces.shell.testing.FakeServices;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jline.terminal.Terminal;
import org.jline.terminal.impl.DumbTerminal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class TopCommandTest {
  private static final long SECOND_NS = 1_000_000_000;
  private static final Usage OF_DEVICE =
      new Usage(90, 75, SECOND_NS, 7, 14, 9, 1, 1, 500, 800, 512, 4096, 3, 2, 1);

  private final FakeDevices devices =
      new FakeDevices()
          .add("soft0", DeviceState.ACTIVE, "", null)
          .add("soft1", DeviceState.FAILED, "x", null);
  private final FakeServices services =
      new FakeServices()
          .add(DeviceTree.class, devices)
          .add(Accelerators.class, new Open())
          .add(AccelAdmin.class, admin());

  /** soft0 alone, with two compute units. */
  private static final class Open implements Accelerators {
    @Override
    public List<AcceleratorInfo> list() {
      return List.of(
          new AcceleratorInfo(
              "soft0",
              DeviceClass.GPU,
              2,
              2,
              4096,
              1024,
              8,
              1,
              65_536,
              "none",
              "priority",
              List.of(),
              List.of()));
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

  private static AccelAdmin admin() {
    return (AccelAdmin)
        Proxy.newProxyInstance(
            AccelAdmin.class.getClassLoader(),
            new Class<?>[] {AccelAdmin.class},
            (proxy, method, args) -> {
              return switch (method.getName()) {
                case "contexts" -> List.of(context("0200", 9, 8, 1, 500));
                case "groups" ->
                    List.of(
                        new GroupUsage("default", "soft0", "", 1, OF_DEVICE),
                        new GroupUsage("a", "soft0", "a", 1, Usage.NONE));
                default -> throw new AssertionError(method.getName());
              };
            });
  }

  private static ContextInfo context(
      String id, long submitted, long completed, int pending, long busyNs) {
    return new ContextInfo(
        id,
        "hash",
        "job:1",
        "default",
        "soft0",
        Priority.HIGH,
        "open",
        512,
        0,
        0,
        submitted,
        completed,
        0,
        pending,
        (int) (submitted - completed - pending),
        busyNs);
  }

  private TopReading reading(long atNs, ContextInfo... contexts) {
    return new TopReading(
        atNs,
        devices.nodes(),
        new Open().list(),
        List.of(contexts),
        List.of(
            new GroupUsage("a", "soft0", "", 1, Usage.NONE),
            new GroupUsage("default", "soft0", "", 1, OF_DEVICE),
            new GroupUsage("default", "soft1", "", 1, OF_DEVICE)));
  }

  @Test
  void rowsAreWhatHappenedBetweenTwoReadings() {
    List<TopRow> rows =
        TopRow.between(
            reading(SECOND_NS, context("0200", 10, 4, 4, 0)),
            reading(
                3 * SECOND_NS,
                context("0200", 20, 14, 6, SECOND_NS),
                context("0201", 5, 5, 0, 2 * SECOND_NS)));
    assertEquals(
        new TopRow(
            "soft0",
            null,
            null,
            null,
            "active",
            6,
            0,
            75.0,
            666_666_667L,
            7.5,
            1024,
            4096L,
            OF_DEVICE,
            null),
        rows.get(0));
    assertEquals(
        new TopRow(
            "soft0",
            "0200",
            "hash",
            "job:1",
            "open",
            6,
            0,
            25.0,
            SECOND_NS,
            5.0,
            512,
            null,
            Usage.NONE,
            Estimate.NONE),
        rows.get(1));
    assertEquals(
        new TopRow(
            "soft0",
            "0201",
            "hash",
            "job:1",
            "open",
            0,
            0,
            50.0,
            0L,
            2.5,
            512,
            null,
            Usage.NONE,
            Estimate.NONE),
        rows.get(2),
        "one that was opened in between");
    assertEquals(
        new TopRow("soft1", null, null, null, "failed", 0, 0, null, null, 0, 0, null, null, null),
        rows.get(3));
    assertEquals(4, rows.size());
  }

  @Test
  void whereNothingEndsNobodyKnowsHowLongItWaits() {
    TopReading same = reading(SECOND_NS, context("0200", 10, 4, 4, 7));
    TopRow row = TopRow.between(same, same).get(1);
    assertNull(row.waitNs());
    assertEquals(0.0, row.perSecond());
    assertEquals(0.0, row.busyPercent());
  }

  @Test
  void jsonIsOneSample() {
    String json = services.run(new TopCommand().of(null, 50, null), true);
    assertEquals(
        "{\"device\":\"soft0\",\"context\":\"0200\",\"name\":\"hash\",\"tenant\":\"job:1\","
            + "\"state\":\"open\",\"queue\":1,\"in_flight\":0,\"busy_percent\":0.0,"
            + "\"wait_ns\":null,\"ended_per_s\":0.0,\"promised_percent\":0.0,"
            + "\"given_percent\":0.0,\"window_ns\":0,\"given_ns\":0,\"wait_p50_ns\":0,"
            + "\"wait_p99_ns\":0,\"memory_peak_bytes\":0,\"preemptions\":0,\"overruns\":0,"
            + "\"throttled_ns\":0,\"memory_bytes\":512,\"memory_total\":null,"
            + "\"estimate_ns\":0,\"estimate_error\":null,\"estimate_answered\":0,"
            + "\"estimate_model_error\":null,\"estimate_average_error\":null}",
        json.substring(json.indexOf(",{") + 1, json.lastIndexOf(",{")));
    assertTrue(
        json.contains(
            "\"promised_percent\":90.0,\"given_percent\":75.0,\"window_ns\":1000000000,"
                + "\"given_ns\":7,\"wait_p50_ns\":500,\"wait_p99_ns\":800,"
                + "\"memory_peak_bytes\":4096,\"preemptions\":3,\"overruns\":2,"
                + "\"throttled_ns\":1,\"memory_bytes\":1024,\"memory_total\":4096,"
                + "\"estimate_ns\":null,\"estimate_error\":null,\"estimate_answered\":null,"
                + "\"estimate_model_error\":null,\"estimate_average_error\":null}"),
        json);
    assertEquals(2, status(new TopCommand().of(2, 50, null), true));
  }

  @Test
  void withoutATerminalItIsOneTableASample() {
    assertEquals(1, tables(services.run(new TopCommand().of(null, 50, null), false)));
    String three = services.run(new TopCommand().of(3, 50, null), false);
    assertEquals(3, tables(three));
    assertTrue(!three.contains("\033"), "no control codes");
  }

  private static int tables(String text) {
    return text.split("busy %", -1).length - 1;
  }

  @Test
  void aTerminalIsPaintedOver() {
    String painted = live(new TopCommand().of(2, 50, null));
    assertEquals(3, painted.split("\033\\[H", -1).length - 1, "at once, then each sample");
    assertTrue(painted.endsWith("\033[J") && painted.contains("1 KiB  4 KiB"), painted);
    assertTrue(painted.lines().allMatch(line -> line.replaceAll("\033\\[.", "").length() <= 100));
  }

  @Test
  void eightyColumnsAreEnoughAndNoIdIsCut() {
    ContextInfo busy = context("0200", 4_000_000, 3_999_000, 999, 70_000_000_000L);
    TopReading now = reading(100 * SECOND_NS, busy);
    List<String> lines = TopRow.table().lines(TopRow.between(reading(SECOND_NS), now), 80);
    assertTrue(lines.stream().allMatch(line -> line.length() <= 80), lines::toString);
    assertTrue(lines.get(0).contains("ended/s") && lines.get(0).contains("memory"), lines.get(0));
    assertTrue(lines.get(1).startsWith("soft0 "), lines.get(1));
    assertTrue(lines.get(2).startsWith("  job:1 "), lines.get(2));
    assertTrue(lines.stream().noneMatch(line -> line.contains("~")), lines::toString);
  }

  @Test
  void qEndsIt() throws IOException {
    try (Terminal terminal =
        new DumbTerminal(
            new ByteArrayInputStream("xyq".getBytes(StandardCharsets.US_ASCII)),
            new ByteArrayOutputStream())) {
      String painted = live(new TopCommand().of(null, 3_600_000, terminal));
      assertEquals(1, tables(painted));
    }
  }

  @Test
  void anInterruptEndsIt() {
    Thread.currentThread().interrupt();
    assertEquals(1, tables(live(new TopCommand().of(null, 3_600_000, null))));
    assertTrue(Thread.interrupted());
  }

  @Test
  void limitsAreNamed() {
    assertEquals(2, status(new TopCommand().of(0, 50, null), false));
    assertEquals(2, status(new TopCommand().of(1_000_001, 50, null), false));
    assertEquals(2, status(new TopCommand().of(1, 49, null), false));
    assertEquals(2, status(new TopCommand().of(1, 3_600_001, null), false));
  }

  private int status(IsleCommand command, boolean json) {
    return assertThrows(ShellException.class, () -> services.run(command, json)).exitStatus();
  }

  private String live(IsleCommand command) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream stream = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    command.execute(services, new Output(stream, false, 100));
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
