package io.isle.spin.jobs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.jobs.ActionMistake;
import io.isle.api.jobs.JobException;
import io.isle.api.spin.BuildSpec;
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
import io.isle.lib.packet.capture.CaptureReader;
import io.isle.lib.packet.capture.PcapWriter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpinActionTest {
  private static final int RAW_IP = 101;

  @TempDir Path folder;
  private final List<BuildSpec> builds = new ArrayList<>();
  private Optional<HandlerImage> built = Optional.empty();
  private int traps;
  private String stopped = "";
  private RunSpec spec;
  private String capture;
  private String image;
  private SpinAction action;

  @BeforeEach
  void files() throws IOException {
    Path file = folder.resolve("trace.pcap");
    try (PcapWriter writer = new PcapWriter(Files.newOutputStream(file), RAW_IP, 65535)) {
      for (int i = 0; i < 3; i++) {
        writer.write(i, MemorySegment.ofArray(new byte[] {(byte) i, 7}), 0, 2);
      }
    }
    capture = file.toString();
    image = Files.write(folder.resolve("ping.spin"), new byte[] {1}).toString();
    action = new SpinAction(runs(), builder());
  }

  /** Sends the first packet back; the others match no rules. */
  private HandlerRuns runs() {
    return (capability, given, packets, observer) -> {
      spec = given;
      long count = 0;
      while (packets.next()) {
        if (count++ == 0) {
          observer.sent(packets.memory(), 0, packets.length());
        } else {
          observer.unmatched(packets.memory(), packets.length());
        }
      }
      observer.text("a\nb\n");
      for (int i = 0; i < traps; i++) {
        observer.trap(new RunTrap(i, "tail", 0, "exit", 0, "", 0));
      }
      observer.memory(MemoryRegion.HOST, MemorySegment.ofArray(new byte[] {5, 6}));
      observer.memory(MemoryRegion.HANDLER, MemorySegment.ofArray(new byte[] {7}));
      HandlerTimes.Spread ns = new HandlerTimes.Spread(1, 2, 3, 4);
      return new RunResult(
          "ping",
          "",
          count,
          count - 1,
          1,
          List.of(new HandlerTimes("packet", 1, traps, ns, ns)),
          new ContextStats(1, 2, 8, 9, 0, 1, 1, 0, 1, traps, 0, 1, 2, 0, 6, 0, List.of()),
          stopped,
          -1);
    };
  }

  private HandlerBuilds builder() {
    return (name, build) -> {
      builds.add(build);
      return new HandlerBuild(built, false, "a warning");
    };
  }

  private FakeStep step(String... given) {
    Map<String, String> values = new HashMap<>(Map.of(SpinAction.CAPTURE, capture));
    for (int i = 0; i < given.length; i += 2) {
      values.put(given[i], given[i + 1]);
    }
    return new FakeStep(action.parameters(), values);
  }

  private FakeStep run(String... given) throws Exception {
    FakeStep step = step(given);
    action.run(step);
    return step;
  }

  @Test
  void handlersRunOnTheStepsDevice() throws Exception {
    FakeStep step =
        run(
            "handlers",
            image,
            "rules",
            "udp",
            "host_pages",
            "3",
            "host_reply",
            "none",
            "out",
            "x",
            "unmatched",
            "",
            "host",
            "y");
    assertEquals(Optional.of("spin0"), spec.device());
    assertEquals(Optional.of(RulesetPreset.UDP.ruleset()), spec.context().rules());
    assertEquals(3, spec.context().hostPages());
    assertEquals(HostReply.NONE, spec.context().hostReply());
    assertEquals(1 << 20, spec.context().handlerMemory());
    assertEquals("ping", spec.context().handlers().name());
    assertEquals(6, step.bytes);
    assertEquals(List.of("a", "b"), step.lines);
    assertEquals(Set.of("out", "host"), step.written.keySet());
    assertArrayEquals(new byte[] {5, 6}, step.written.get("host").toByteArray());
    try (CaptureReader reader =
        CaptureReader.open(
            new ByteArrayInputStream(step.written.get("out").toByteArray()), "out")) {
      assertTrue(reader.next());
      assertEquals(RAW_IP, reader.linkType());
      assertEquals(2, reader.length());
      assertFalse(reader.next());
    }
  }

  @Test
  void measuresAreThoseOfTheRun() throws Exception {
    Map<String, Double> measures = run("handlers", image).measures;
    assertTrue(action.measures().containsAll(measures.keySet()));
    assertEquals(3.0, measures.get("packets"));
    assertEquals(1.0, measures.get("handled"));
    assertEquals(2.0, measures.get("unmatched"));
    assertEquals(2.0, measures.get("dropped"));
    assertEquals(1.0, measures.get("sent"));
    assertEquals(8.0, measures.get("messages"));
    assertEquals(9.0, measures.get("aborted"));
    assertEquals(6.0, measures.get("failed_calls"));
    assertEquals(2.0, measures.get("packet_p50_ns"));
    assertEquals(4.0, measures.get("packet_max_ns"));
    assertNull(measures.get("tail_max_ns"));
  }

  @Test
  void aTrapFailsTheStepUnlessTheyAreCounted() throws Exception {
    traps = 150;
    JobException e = assertThrows(JobException.class, () -> run("handlers", image));
    assertTrue(e.getMessage().startsWith("handlers have not returned: 150;"), e.getMessage());
    FakeStep step = run("handlers", image, "traps", "count");
    assertEquals(150.0, step.measures.get("traps"));
    assertEquals("trap: packet 0, handler tail, HPU 0: exit", step.lines.get(2));
    assertEquals(101, step.lines.size());
    stopped = "16 handlers in a row";
    assertThrows(JobException.class, () -> run("handlers", image, "traps", "count"));
  }

  @Test
  void cIsBuilt() throws Exception {
    Path source = Files.writeString(folder.resolve("own.c"), "int x;");
    built = Optional.of(new HandlerImage("own", new byte[] {9}, Optional.empty()));
    FakeStep step = run("handlers", source.toString(), "cflags", "-DA=1  -O1");
    assertEquals(List.of(new BuildSpec(List.of(source), List.of("-DA=1", "-O1"))), builds);
    assertEquals("a warning", step.lines.getFirst());
    built = Optional.empty();
    assertThrows(JobException.class, () -> run("handlers", source.toString()));
  }

  @Test
  void handlersOfABundleHaveAName() throws Exception {
    FakeStep step = run("installed", "ping");
    assertEquals(new HandlerSource.Installed("ping"), spec.context().handlers());
    assertEquals(HostReply.ECHO, spec.context().hostReply());
    assertEquals(List.of(), builds);
    assertEquals(3.0, step.measures.get("packets"));
  }

  @Test
  void mistakesAreFoundBeforeTheJobBegins() {
    assertEquals("handlers", mistake());
    assertEquals("handlers", mistake("handlers", image, "installed", "ping"));
    assertEquals("cflags", mistake("handlers", image, "cflags", "-O2"));
    assertEquals("cflags", mistake("handlers", "/a.c", "cflags", "-Wl,x"));
    assertEquals("rules", mistake("installed", "ping", "rules", "TCP"));
    assertEquals("rules", mistake("installed", "ping", "rules", "udp; slmp"));
    assertEquals("none", mistake("handlers", "/a.c", "cflags", "-O2", "rules", "udp"));
  }

  private String mistake(String... given) {
    return action.check(step(given).values()).map(ActionMistake::parameter).orElse("none");
  }
}
