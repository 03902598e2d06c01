package io.isle.net.jobs.trial;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.jobs.ActionMistake;
import io.isle.api.jobs.ActionValues;
import io.isle.api.jobs.JobException;
import io.isle.core.testing.FakeStep;
import io.isle.lib.packet.capture.LinkType;
import io.isle.lib.packet.capture.PcapWriter;
import io.isle.net.tile.TileService;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FramesActionTest {
  private final FramesAction action = new FramesAction(new TileService());

  private FakeStep step(byte[] file, String ports, String address, String checksum) {
    return new FakeStep(
        action,
        file,
        Map.of(
            "file",
            "/tmp/a.pcap",
            "ports",
            ports,
            "address",
            address,
            "checksum",
            checksum,
            "table",
            "/tmp/table"));
  }

  private static List<String> outcomes(FakeStep step) {
    return step.out
        .toString(StandardCharsets.US_ASCII)
        .lines()
        .skip(1)
        .map(line -> line.substring(line.lastIndexOf(',') + 1))
        .toList();
  }

  private FakeStep ran(FakeStep step) throws Exception {
    action.run(step);
    return step;
  }

  /** The outcome is the name of the frame up to its first space or colon. */
  private static List<String> expected() {
    return Sample.frames().keySet().stream().map(name -> name.split("[ :]", 2)[0]).toList();
  }

  @Test
  void withoutTilesTheReasonIsNamed() {
    JobException refused =
        assertThrows(
            JobException.class,
            () -> new FramesAction().run(step(new byte[0], "9000", "any", "off")));
    assertTrue(refused.getMessage().contains("no bundle offers tiles"), refused::getMessage);
  }

  @Test
  void eachFrameHasTheOutcomeThatItWasMadeFor() throws Exception {
    FakeStep step = ran(step(Sample.file(), "9000", "198.18.0.1", "drop"));
    assertEquals(expected(), outcomes(step));
    assertEquals(10, step.measures.get("frames"));
    assertEquals(2, step.measures.get("app"));
    assertEquals(3, step.measures.get("kernel"));
    assertEquals(5, step.measures.get("dropped"));
    assertEquals(1, step.measures.get("checksum"));
    assertEquals(0, step.measures.get("no_app"));
    assertEquals(action.measures(), step.measures.keySet());
    assertEquals(10, step.doneBlocks);
    assertEquals("frames                   10", step.lines.getLast());
  }

  @Test
  void settingsChangeTheOutcome() throws Exception {
    FakeStep step = ran(step(Sample.file(), "53, 9000", "any", "off"));
    List<String> expected = new ArrayList<>(expected());
    expected.set(2, "app");
    expected.set(3, "app");
    expected.set(8, "app");
    assertEquals(expected, outcomes(step));
  }

  @Test
  void framesThatCannotBeJudgedAreNamed() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (PcapWriter writer = new PcapWriter(bytes, LinkType.ETHERNET, 40)) {
      writer.write(0, MemorySegment.ofArray(new byte[60]), 0, 60);
    }
    assertEquals(List.of("cut"), outcomes(ran(step(bytes.toByteArray(), "1", "any", "off"))));

    bytes.reset();
    try (PcapWriter writer = new PcapWriter(bytes, LinkType.ETHERNET, 262_144)) {
      writer.write(0, MemorySegment.ofArray(new byte[70_000]), 0, 70_000);
    }
    assertEquals(List.of("too_long"), outcomes(ran(step(bytes.toByteArray(), "1", "any", "off"))));

    bytes.reset();
    try (PcapWriter writer = new PcapWriter(bytes, 113, 65_535)) {
      writer.write(0, MemorySegment.ofArray(new byte[60]), 0, 60);
    }
    assertEquals(
        List.of("other_link"), outcomes(ran(step(bytes.toByteArray(), "1", "any", "off"))));
  }

  @Test
  void aFileThatIsNoCaptureIsNamed() {
    FakeStep step = step(new byte[64], "1", "any", "off");
    IOException failed = assertThrows(IOException.class, () -> action.run(step));
    assertTrue(failed.getMessage().contains("a.pcap"), failed.getMessage());
  }

  @Test
  void mistakesNameParameterAndLimit() {
    assertEquals("ports", mistake("0", "any").parameter());
    assertEquals("70000 is not in 1..65535", mistake("70000", "any").message());
    assertEquals("ports", mistake("53 53", "any").parameter());
    assertEquals("address", mistake("53", "1.2.3").parameter());
    assertTrue(action.check(new ActionValues(Map.of("ports", "53", "address", "any"))).isEmpty());
  }

  private ActionMistake mistake(String ports, String address) {
    return action.check(new ActionValues(Map.of("ports", ports, "address", address))).orElseThrow();
  }

  /** The file of the example is this sample, byte by byte. */
  @Test
  void theExampleHasThisSample() throws IOException {
    Path file = Path.of("../../../examples/drops/sample.pcap");
    assertArrayEquals(Sample.file(), Files.readAllBytes(file));
  }
}
