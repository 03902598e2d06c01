package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Document;

/** The example with two groups that share a device. */
@Alone("the groups get half of a processor at least")
@ExtendWith(Platform.class)
class FairShareIT {
  private static final String JOB =
      Platform.root().resolve("examples/fair-share/job.yml").toString();

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"70, plain", "50, plain", "90, plain", "70, memory", "70, overrun"})
  void bothGroupsGetWhatTheyWerePromised(int share, String flood) throws Exception {
    JsonNode job = run("share=" + share, "flood=" + flood).succeeded().json();
    JsonNode quiet = job.get("groups").get(0);
    JsonNode flooder = job.get("groups").get(1);
    assertEquals("quiet", quiet.get("name").asText());
    assertEquals("flood", flooder.get("name").asText());
    assertEquals(share, quiet.get("promised").asDouble(), 1e-9);
    assertEquals(100 - share, flooder.get("promised").asDouble(), 1e-9);
    double spent = quiet.get("cpu_ns").asDouble() + flooder.get("cpu_ns").asDouble();
    assertEquals(
        100 * quiet.get("cpu_ns").asDouble() / spent, quiet.get("measured").asDouble(), 1e-6);
    assertEquals(share, quiet.get("measured").asDouble(), 0.5);
    assertTrue(spent / quiet.get("window_ns").asDouble() >= 0.5, job.get("groups")::toString);
    assertTrue(quiet.get("bytes").asLong() > 1 << 20, quiet::toString);
    assertTrue(quiet.get("idle_ns").asLong() < quiet.get("window_ns").asLong(), quiet::toString);
    if (flood.equals("memory")) {
      assertTrue(flooder.get("held_bytes").asLong() > 0, flooder::toString);
    }
    assertPicture();
    assertNothingIsLeft();
  }

  private void assertPicture() throws Exception {
    Document svg =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(folder.resolve("when.svg").toFile());
    String text = svg.getDocumentElement().getTextContent();
    assertTrue(text.contains("quiet") && text.contains("flood"), text);
    int boxes = svg.getElementsByTagName("rect").getLength();
    assertTrue(boxes > 50 && boxes < 10_000, "boxes " + boxes);
  }

  private static void assertNothingIsLeft() throws InterruptedException {
    Awaiting.await("soft95 is gone", () -> !Devices.exists("soft95"));
    String groups = Platform.sh("group:list --json").succeeded().out();
    assertTrue(!groups.contains("quiet") && !groups.contains("flood"), groups);
  }

  @Test
  void aPromiseThatIsTooSmallIsRefusedInTheGroupsWords() throws Exception {
    Platform.Result result = run("share=1").failed(1);
    assertTrue(result.err().contains("setup.groups.quiet: compute.guarantee"), result.err());
    assertNothingIsLeft();
  }

  @Test
  void wrongValuesAreRefusedBeforeAnythingIsMade() throws Exception {
    assertTrue(run("flood=none").failed(2).err().contains("'none' is not one of plain, memory"));
    assertTrue(run("speed=1").failed(2).err().contains("unknown parameter"));
  }

  /** Ended by Ctrl-C in its middle: groups and device go, and no picture is left half-written. */
  @Test
  void anInterruptedRunLeavesNothing() throws Exception {
    Call call = Platform.begin(words("seconds=60"));
    Awaiting.await(
        "the groups are there",
        () -> Platform.sh("group:list --json").succeeded().out().contains("\"flood\""));
    call.interrupt();
    call.end().failed(130);
    assertNothingIsLeft();
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(List.of(), files.toList());
    }
  }

  /** Devices that have come and gone leave nothing mapped, and no collection is waited for. */
  @Test
  void tenRunsLeaveNoMappings() throws Exception {
    long pid = Platform.isle("status", "--json").succeeded().json().get("pid").asLong();
    long before = mappings(pid);
    for (int i = 0; i < 10; i++) {
      // so short that shares need not come out: the claims may fail
      JsonNode job = run("seconds=0.1").json();
      assertTrue(job.get("bytes").asLong() > 0, job::toString);
    }
    assertNothingIsLeft();
    Awaiting.await("mappings as before", () -> mappings(pid) <= before);
  }

  private static long mappings(long pid) {
    try (Stream<String> lines = Files.lines(Path.of("/proc/" + pid + "/maps"))) {
      return lines.filter(line -> line.contains("/memfd:isle-")).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Platform.Result run(String... values) {
    return Platform.isle(words(values));
  }

  private String[] words(String... values) {
    List<String> words = new ArrayList<>(List.of("run", JOB, "--json"));
    List<String> all = new ArrayList<>(List.of(values));
    all.add("timeline=" + folder.resolve("when.svg"));
    if (all.stream().noneMatch(value -> value.startsWith("seconds="))) {
      all.add("seconds=4");
    }
    all.forEach(value -> words.addAll(List.of("--set", value)));
    return words.toArray(String[]::new);
  }
}
