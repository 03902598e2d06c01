package io.isle.net.jobs.trial;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.jobs.ActionMistake;
import io.isle.api.jobs.ActionStep;
import io.isle.api.jobs.ActionValues;
import io.isle.api.jobs.JobException;
import io.isle.api.tenancy.Capability;
import io.isle.lib.packet.capture.LinkType;
import io.isle.lib.packet.capture.PcapWriter;
import io.isle.net.tile.TileService;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FramesActionTest {
  private final FramesAction action = new FramesAction(new TileService());

  /** A step over bytes, which remembers what it is told. */
  private static final class FakeStep implements ActionStep {
    final Map<String, Double> measures = new HashMap<>();
    final List<String> printed = new ArrayList<>();
    final ByteArrayOutputStream table = new ByteArrayOutputStream();
    final byte[] file;
    final ActionValues values;
    long blocks;

    FakeStep(byte[] file, String ports, String address, String checksum) {
      this.file = file;
      values =
          new ActionValues(
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

    List<String> outcomes() {
      return table
          .toString(StandardCharsets.US_ASCII)
          .lines()
          .skip(1)
          .map(line -> line.substring(line.lastIndexOf(',') + 1))
          .toList();
    }

    @Override
    public boolean scheduleOver() {
      return true;
    }

    @Override
    public String job() {
      return "1";
    }

    @Override
    public String stream() {
      return "main";
    }

    @Override
    public String name() {
      return "look";
    }

    @Override
    public String group() {
      return "";
    }

    @Override
    public String device() {
      return "soft0";
    }

    @Override
    public Capability capability() {
      throw new AssertionError("no device is used");
    }

    @Override
    public ActionValues values() {
      return values;
    }

    @Override
    public InputStream read(String parameter) {
      return new ByteArrayInputStream(file);
    }

    @Override
    public OutputStream write(String parameter) {
      return table;
    }

    @Override
    public void done(long bytes, long done) {
      blocks += done;
    }

    @Override
    public void measure(String name, double value) {
      measures.put(name, value);
    }

    @Override
    public void print(String line) {
      printed.add(line);
    }
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
            () -> new FramesAction().run(new FakeStep(new byte[0], "9000", "any", "off")));
    assertTrue(refused.getMessage().contains("no bundle offers tiles"), refused::getMessage);
  }

  @Test
  void eachFrameHasTheOutcomeThatItWasMadeFor() throws Exception {
    FakeStep step = ran(new FakeStep(Sample.file(), "9000", "198.18.0.1", "drop"));
    assertEquals(expected(), step.outcomes());
    assertEquals(10, step.measures.get("frames"));
    assertEquals(2, step.measures.get("app"));
    assertEquals(3, step.measures.get("kernel"));
    assertEquals(5, step.measures.get("dropped"));
    assertEquals(1, step.measures.get("checksum"));
    assertEquals(0, step.measures.get("no_app"));
    assertEquals(action.measures(), step.measures.keySet());
    assertEquals(10, step.blocks);
    assertEquals("frames                   10", step.printed.getLast());
  }

  @Test
  void settingsChangeTheOutcome() throws Exception {
    FakeStep step = ran(new FakeStep(Sample.file(), "53, 9000", "any", "off"));
    List<String> expected = new ArrayList<>(expected());
    expected.set(2, "app");
    expected.set(3, "app");
    expected.set(8, "app");
    assertEquals(expected, step.outcomes());
  }

  @Test
  void framesThatCannotBeJudgedAreNamed() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (PcapWriter writer = new PcapWriter(bytes, LinkType.ETHERNET, 40)) {
      writer.write(0, MemorySegment.ofArray(new byte[60]), 0, 60);
    }
    assertEquals(
        List.of("cut"), ran(new FakeStep(bytes.toByteArray(), "1", "any", "off")).outcomes());

    bytes.reset();
    try (PcapWriter writer = new PcapWriter(bytes, LinkType.ETHERNET, 262_144)) {
      writer.write(0, MemorySegment.ofArray(new byte[70_000]), 0, 70_000);
    }
    assertEquals(
        List.of("too_long"), ran(new FakeStep(bytes.toByteArray(), "1", "any", "off")).outcomes());

    bytes.reset();
    try (PcapWriter writer = new PcapWriter(bytes, 113, 65_535)) {
      writer.write(0, MemorySegment.ofArray(new byte[60]), 0, 60);
    }
    assertEquals(
        List.of("other_link"),
        ran(new FakeStep(bytes.toByteArray(), "1", "any", "off")).outcomes());
  }

  @Test
  void aFileThatIsNoCaptureIsNamed() {
    FakeStep step = new FakeStep(new byte[64], "1", "any", "off");
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
