package io.isle.faces.shell.spin.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.spin.BuildSpec;
import io.isle.api.spin.ContextSpec;
import io.isle.api.spin.ContextStats;
import io.isle.api.spin.HandlerBuild;
import io.isle.api.spin.HandlerBuilds;
import io.isle.api.spin.HandlerImage;
import io.isle.api.spin.HandlerRuns;
import io.isle.api.spin.HandlerSource;
import io.isle.api.spin.HandlerTimes;
import io.isle.api.spin.HostReply;
import io.isle.api.spin.MemoryRegion;
import io.isle.api.spin.RulesetPreset;
import io.isle.api.spin.RunResult;
import io.isle.api.spin.RunSpec;
import io.isle.api.spin.RunTrap;
import io.isle.api.tenancy.Capabilities;
import io.isle.core.testing.FakeCapabilities;
import io.isle.faces.shell.ShellException;
import io.isle.faces.shell.testing.FakeServices;
import io.isle.lib.packet.capture.CaptureReader;
import io.isle.lib.packet.capture.PcapWriter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunCommandTest {
  private static final int RAW_IP = 101;
  private static final long SECOND_NS = 1_000_000_000L;

  @TempDir private Path folder;
  private final FakeCapabilities capabilities = new FakeCapabilities();
  private final FakeServices services =
      new FakeServices()
          .add(Capabilities.class, capabilities)
          .add(HandlerRuns.class, handlerRuns());
  private final List<BuildSpec> builds = new ArrayList<>();
  private String stopped = "";
  private int traps;
  private RunSpec spec;
  private String capture;
  private String image;

  @BeforeEach
  void files() throws IOException {
    Path file = folder.resolve("trace.pcap");
    try (PcapWriter writer = new PcapWriter(Files.newOutputStream(file), RAW_IP, 65535)) {
      for (int i = 0; i < 4; i++) {
        byte[] packet = {(byte) i, 7, 9};
        writer.write(i * SECOND_NS, MemorySegment.ofArray(packet), 0, packet.length);
      }
    }
    capture = file.toString();
    image = Files.write(folder.resolve("an echo.spin"), new byte[] {1, 2}).toString();
  }

  /** Sends even packets back; the others match no rules. */
  private HandlerRuns handlerRuns() {
    return (capability, given, packets, observer) -> {
      assertTrue(capabilities.list().contains(capability));
      spec = given;
      long count = 0;
      long sent = 0;
      while (packets.next()) {
        if (packets.memory().get(ValueLayout.JAVA_BYTE, 0) % 2 == 0) {
          observer.sent(packets.memory(), 1, packets.length() - 1);
          sent++;
        } else {
          observer.unmatched(packets.memory(), packets.length());
        }
        count++;
      }
      observer.text("two\nlines\n");
      for (int i = 0; i < traps; i++) {
        observer.trap(new RunTrap(i, "packet", 8, "access", 0x1234, "echo_ph+0x4", 0x10));
      }
      for (MemoryRegion region : MemoryRegion.values()) {
        observer.memory(region, MemorySegment.ofArray(new byte[] {(byte) region.ordinal(), 5}));
      }
      HandlerTimes.Spread ns = new HandlerTimes.Spread(100, 200, 300, 400);
      HandlerTimes.Spread cycles = new HandlerTimes.Spread(4, 8, 12, 16);
      return new RunResult(
          "echo",
          "AND EOM TRUE",
          count,
          count - sent,
          sent,
          List.of(new HandlerTimes("packet", sent, traps, ns, cycles)),
          stats(sent),
          stopped,
          stopped.isEmpty() ? -1 : 3);
    };
  }

  private ContextStats stats(long packets) {
    List<ContextStats.Counter> counters =
        List.of(new ContextStats.Counter(0, 0), new ContextStats.Counter(30, 4));
    return new ContextStats(
        packets, 0, 1, 0, 0, 1, 0, 0, packets, traps, 0, packets, 0, 3, 0, 0, counters);
  }

  private RunCommand command(String... dumps) {
    return new RunCommand().of(image, capture, null, dumps);
  }

  private List<String> frames(Path file) throws IOException {
    List<String> frames = new ArrayList<>();
    try (CaptureReader reader = CaptureReader.open(Files.newInputStream(file), file.toString())) {
      while (reader.next()) {
        assertEquals(RAW_IP, reader.linkType());
        byte[] bytes = reader.memory().asSlice(0, reader.length()).toArray(ValueLayout.JAVA_BYTE);
        frames.add(reader.timeNs() / SECOND_NS + " " + Arrays.toString(bytes));
      }
    }
    return frames;
  }

  @Test
  void peopleReadTextThenTimes() {
    assertEquals(
        """
        two
        lines
        handler  runs  traps  min ns  p50 ns  p99 ns  max ns  min cycles  p50 cycles  p99 cycles  max cycles
        packet      2      0     100     200     300     400           4           8          12          16
        counter  count  sum  mean
              1      4   30  7.5
        4 packets: 2 handled, 2 unmatched, 1 dropped; 2 frames sent; 1 messages, 0 aborted
        """,
        services.run(command(), false));
    assertEquals(List.of(), capabilities.list(), "the capability ends with the run");
    assertEquals("spin-run", spec.context().name());
    assertEquals(1 << 20, spec.context().handlerMemory());
    assertEquals(Optional.empty(), spec.context().rules());
    assertEquals("an echo", spec.context().handlers().name());
    assertEquals(Optional.empty(), spec.device());
    assertEquals(HostReply.ECHO, spec.context().hostReply());
  }

  @Test
  void programsReadTheSame() {
    assertEquals(
        "{\"handlers\":\"echo\",\"rules\":\"AND EOM TRUE\",\"packets\":4,\"handled\":2,"
            + "\"unmatched\":2,\"dropped\":1,\"sent\":2,\"messages\":1,\"aborted\":0,\"traps\":0,"
            + "\"host_requests\":3,\"failed_calls\":0,\"times\":[{\"handler\":\"packet\","
            + "\"runs\":2,\"traps\":0,\"min_ns\":100,\"p50_ns\":200,\"p99_ns\":300,\"max_ns\":400,"
            + "\"min_cycles\":4,\"p50_cycles\":8,\"p99_cycles\":12,\"max_cycles\":16}],"
            + "\"counters\":[{\"counter\":1,\"count\":4,\"sum\":30}],\"first_traps\":[],"
            + "\"stdout\":\"two\\nlines\\n\",\"stdout_lost\":0,\"stopped\":\"\",\"not_run_from\":-1}\n",
        services.run(command(), true));
  }

  @Test
  void framesAndMemoryGoToFiles() throws IOException {
    Path out = folder.resolve("out.pcap");
    Path others = folder.resolve("others.pcap");
    Path host = folder.resolve("host.bin");
    Path pads = folder.resolve("a pad:1");
    String ignored =
        services.run(
            command("host:" + host, "scratchpad:" + pads)
                .writing(out.toString(), others.toString()),
            false);
    assertEquals(List.of("0 [7, 9]", "2 [7, 9]"), frames(out));
    assertEquals(List.of("1 [1, 7, 9]", "3 [3, 7, 9]"), frames(others));
    assertArrayEquals(new byte[] {0, 5}, Files.readAllBytes(host));
    assertArrayEquals(new byte[] {2, 5}, Files.readAllBytes(pads));
    try (Stream<Path> all = Files.list(folder)) {
      assertEquals(6, all.count(), "no parts of files are left");
    }
  }

  @Test
  void aTrapFailsBehindTheResult() {
    traps = 12;
    ShellException e = assertThrows(ShellException.class, () -> services.run(command(), false));
    assertEquals(1, e.exitStatus());
    assertEquals("handlers have not returned: 12", e.getMessage());
    stopped = "16 handlers in a row";
    assertEquals("16 handlers in a row", failure(1, command()));
    RunTrap trap = new RunTrap(5, "tail", 8, "access", 0x1234, "echo_ph+0x4", 0x10);
    assertEquals(
        "trap: packet 5, handler tail, HPU 8: access at 0x10, in echo_ph+0x4, instruction 0x1234",
        RunRows.text(trap));
  }

  @Test
  void aFileInCIsBuilt() throws IOException {
    Path source = Files.writeString(folder.resolve("ping.c"), "int x;");
    String messages = "";
    services.add(HandlerBuilds.class, builder(Optional.of(new byte[] {3}), messages));
    String ignored =
        services.run(
            new RunCommand()
                .of(source.toString(), capture, "udp")
                .with(null, 4, "none", "-DA=1 -I " + folder + " -O1"),
            false);
    assertEquals(
        List.of(new BuildSpec(List.of(source), List.of("-DA=1", "-I" + folder, "-O1"))), builds);
    ContextSpec context = spec.context();
    assertEquals("ping", context.handlers().name());
    assertEquals(Optional.of(RulesetPreset.UDP.ruleset()), context.rules());
    assertEquals(4, context.hostPages());
    assertEquals(HostReply.NONE, context.hostReply());
    services.add(HandlerBuilds.class, builder(Optional.empty(), "error"));
    assertEquals(
        source + " is refused by the compiler",
        failure(1, new RunCommand().of(source.toString(), capture, null)));
  }

  private HandlerBuilds builder(Optional<byte[]> bytes, String messages) {
    return (name, build) -> {
      builds.add(build);
      return new HandlerBuild(
          bytes.map(image -> new HandlerImage(name, image, Optional.empty())), true, messages);
    };
  }

  @Test
  void anImageIsWritten() throws IOException {
    Path source = Files.writeString(folder.resolve("ping.c"), "int x;");
    services.add(HandlerBuilds.class, builder(Optional.of(new byte[] {3, 4}), ""));
    Path built = folder.resolve("ping.spin");
    assertEquals(
        built + ": 2 bytes, built before\n",
        services.run(new BuildCommand().of(null, null, source.toString()), false));
    assertArrayEquals(new byte[] {3, 4}, Files.readAllBytes(built));
    Path other = folder.resolve("other");
    assertEquals(
        "{\"image\":\"" + other + "\",\"bytes\":2,\"cached\":true}\n",
        services.run(new BuildCommand().of(other.toString(), null, source.toString()), true));
    ShellException e =
        assertThrows(
            ShellException.class,
            () -> services.run(new BuildCommand().of(null, "-Wl,x", source.toString()), false));
    assertEquals(2, e.exitStatus());
  }

  @Test
  void othersAreHandlersOfBundles() throws IOException {
    Path init = Files.write(folder.resolve("init"), new byte[] {8, 9});
    String ignored =
        services.run(
            new RunCommand().of("ping", capture, null).with(init.toString(), 0, "none", null),
            false);
    assertEquals(new HandlerSource.Installed("ping"), spec.context().handlers());
    assertArrayEquals(new byte[] {8, 9}, spec.context().init());
  }

  @Test
  void mistakesAreNamed() {
    String none = folder.resolve("none").toString();
    assertEquals(none + ".spin does not exist", failure(1, of(none + ".spin", capture, null)));
    assertEquals(none + ".c does not exist", failure(1, of(none + ".c", capture, null)));
    assertEquals(none + " does not exist", failure(1, of(image, none, null)));
    assertEquals(
        "--rules has 2 rulesets; handlers have one", failure(2, of(image, capture, "udp; slmp")));
    assertTrue(failure(2, of(image, capture, "TCP")).startsWith("--rules, column 1"));
    assertEquals(
        "--dump 'heap:x' is not REGION:FILE with one of the regions host, handler, scratchpad",
        failure(2, command("heap:x")));
    assertEquals(
        "--cflags goes with a file in C", failure(2, command().with(null, 16, "none", "-O2")));
    assertEquals(
        "--host-reply 'all' is neither echo nor none",
        failure(2, command().with(null, 16, "all", null)));
    assertEquals(
        "host_pages 1025 is not in 0..1024", failure(2, command().with(null, 1025, "none", null)));
    assertTrue(failure(1, of(image, image, null)).startsWith(image + ": "));
    assertEquals(
        folder + "/none/out.pcap cannot be written: its folder does not exist",
        failure(1, command().writing(folder + "/none/out.pcap", null)));
    assertEquals(folder + " is a directory", failure(1, of(image, folder.toString(), null)));
    assertFalse(Files.exists(folder.resolve("none")));
  }

  private static RunCommand of(String handlers, String file, String rules) {
    return new RunCommand().of(handlers, file, rules);
  }

  private String failure(int status, RunCommand command) {
    ShellException e = assertThrows(ShellException.class, () -> services.run(command, false));
    assertEquals(status, e.exitStatus(), e.getMessage());
    return e.getMessage();
  }
}
