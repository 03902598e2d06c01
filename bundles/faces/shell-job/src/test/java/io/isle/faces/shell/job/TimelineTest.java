package io.isle.faces.shell.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.jobs.JobException;
import io.isle.api.jobs.JobResult;
import io.isle.api.jobs.JobState;
import io.isle.api.jobs.Measured;
import io.isle.api.jobs.StepTimes;
import io.isle.api.jobs.Survival;
import io.isle.lib.svg.testing.PictureLayout;
import io.isle.lib.svg.testing.RenderedPicture;
import io.isle.lib.svg.testing.StoredPicture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class TimelineTest {
  @TempDir Path folder;

  private final Shell shell = new Shell();
  private final FakeJobs jobs = shell.jobs;

  @Test
  void theTimelineIsOneWellFormedPictureOfEachSpan() throws Exception {
    Path file = folder.resolve("times.svg");
    shell.execute(new RunCommand().of("job.yml", null).drawing(file.toString()), true);
    Document picture = xml(file);
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(List.of(file), files.toList());
    }
    assertEquals("svg", picture.getDocumentElement().getTagName());
    Map<String, Integer> spans = new TreeMap<>();
    NodeList bars = picture.getElementsByTagName("rect");
    for (int i = 0; i < bars.getLength(); i++) {
      spans.merge(kind((Element) bars.item(i)), 1, Integer::sum);
    }
    assertEquals(1, spans.get("transfer"));
    assertEquals(1, spans.get("build"));
    assertEquals(1, spans.get("queue"));
    assertEquals(1, spans.get("compute"));
    Element compute = bar(bars, "compute");
    Element transfer = bar(bars, "transfer");
    double width = Double.parseDouble(compute.getAttribute("width"));
    assertEquals(3.5, width / Double.parseDouble(transfer.getAttribute("width")), 0.01);
    assertTrue(!compute.getAttribute("y").equals(transfer.getAttribute("y")));
    assertTrue(!Files.readString(file).contains("href"), "it needs nothing else");
  }

  @Test
  void aTimelineHasRoomForItsLabels() throws Exception {
    Path file = folder.resolve("times.svg");
    shell.execute(new RunCommand().of("job.yml", null).drawing(file.toString()), true);
    assertEquals(List.of(), PictureLayout.faults(file));
    long day = 86_400_000_000_000L;
    StepTimes wide =
        new StepTimes(
            "w".repeat(64), "m".repeat(64), "d", "p", 0, day, 1, 0, 0, 0, 0, day, 0, List.of());
    jobs.result = result("w".repeat(64), wide);
    shell.execute(new RunCommand().of("job.yml", null).drawing(file.toString()), true);
    assertEquals(List.of(), PictureLayout.faults(file));
    assertTrue(xml(file).getDocumentElement().getTextContent().contains("m".repeat(64)));
  }

  @Test
  void theTimelineIsTheStoredPicture() throws Exception {
    StepTimes first =
        new StepTimes(
            "main",
            "hash",
            "soft0",
            "normal",
            0,
            8_000_000,
            4,
            4096,
            1_000_000,
            500_000,
            1_500_000,
            5_000_000,
            0,
            List.of(
                new StepTimes.Span(StepTimes.Kind.BUILD, 0, 1_000_000),
                new StepTimes.Span(StepTimes.Kind.TRANSFER, 1_000_000, 2_500_000),
                new StepTimes.Span(StepTimes.Kind.QUEUE, 2_500_000, 3_000_000),
                new StepTimes.Span(StepTimes.Kind.COMPUTE, 3_000_000, 8_000_000)));
    StepTimes second =
        new StepTimes(
            "aside",
            "a-step-with-a-" + "long-".repeat(16) + "name",
            "soft1",
            "realtime",
            4_000_000,
            6_000_000,
            1,
            0,
            0,
            0,
            0,
            6_000_000,
            0,
            List.of(new StepTimes.Span(StepTimes.Kind.COMPUTE, 4_000_000, 10_000_000)));
    String svg = Timeline.of(result("pictured", first, second));
    StoredPicture.check("timeline", svg);
    RenderedPicture.check(folder, svg);
  }

  private static JobResult result(String job, StepTimes... steps) {
    return new JobResult(
        job,
        JobState.DONE,
        null,
        0,
        0,
        0,
        0,
        Survival.CALM,
        List.of(steps),
        Measured.NONE,
        List.of(),
        List.of(),
        null,
        0);
  }

  @Test
  void namesInATimelineAreOnlyText() throws Exception {
    StepTimes odd =
        new StepTimes("<&\"", "a\u0001\ud800", "d", "p", 0, 0, 0, 0, 0, 0, 0, 0, 0, List.of());
    jobs.result = result("j<", odd);
    Path file = folder.resolve("times.svg");
    shell.execute(new RunCommand().of("job.yml", null).drawing(file.toString()), true);
    assertTrue(xml(file).getDocumentElement().getTextContent().contains("<&\"/a??"));
  }

  @Test
  void aTimelineThatCannotBeWrittenFailsAfterTheDocument() throws IOException {
    RunCommand run = new RunCommand().of("job.yml", null).drawing(folder + "/none/times.svg");
    JobException e = assertThrows(JobException.class, () -> shell.execute(run, true));
    assertEquals(1, e.exitStatus());
    assertTrue(e.getMessage().contains("cannot be written"), e.getMessage());
    assertTrue(shell.fields().contains("state"));
  }

  private static Element bar(NodeList bars, String kind) {
    for (int i = 0; i < bars.getLength(); i++) {
      Element bar = (Element) bars.item(i);
      if (kind(bar).equals(kind)) {
        return bar;
      }
    }
    throw new AssertionError(kind);
  }

  private static String kind(Element bar) {
    return bar.getAttribute("class").split(" ")[0];
  }

  private static Document xml(Path file) throws Exception {
    return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
  }
}
