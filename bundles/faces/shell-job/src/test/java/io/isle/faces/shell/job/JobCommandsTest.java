package io.isle.faces.shell.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import io.isle.api.device.Recovery;
import io.isle.api.device.RecoveryCause;
import io.isle.api.jobs.JobException;
import io.isle.api.jobs.JobInfo;
import io.isle.api.jobs.JobObserver;
import io.isle.api.jobs.JobRecovery;
import io.isle.api.jobs.JobRequest;
import io.isle.api.jobs.JobResult;
import io.isle.api.jobs.JobState;
import io.isle.api.jobs.Jobs;
import io.isle.api.jobs.StepTimes;
import io.isle.api.jobs.Survival;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.Services;
import io.isle.faces.shell.ShellException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class JobCommandsTest {
  private static final Survival SURVIVED =
      new Survival(
          3,
          1,
          4,
          5,
          0,
          List.of(
              new JobRecovery(
                  Optional.of("segv"),
                  new Recovery(
                      "soft0",
                      1,
                      new RecoveryCause(RecoveryCause.Kind.CRASH, "signal 11"),
                      0,
                      1,
                      2,
                      1,
                      true,
                      Recovery.Outcome.RECOVERED,
                      List.of(new Recovery.PhaseTime(Recovery.Phase.FREEZE, 12_000)),
                      1_500_000,
                      Recovery.Work.NONE))));

  private static final StepTimes STEP =
      new StepTimes(
          "main",
          "hash",
          "soft0",
          "normal",
          100_000,
          1_000_000,
          3,
          5,
          10_000,
          200_000,
          700_000,
          List.of(
              new StepTimes.Span(StepTimes.Kind.TRANSFER, 100_000, 300_000),
              new StepTimes.Span(StepTimes.Kind.QUEUE, 300_000, 310_000),
              new StepTimes.Span(StepTimes.Kind.COMPUTE, 310_000, 1_010_000)));

  @TempDir Path folder;

  private final FakeJobs jobs = new FakeJobs();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  @Test
  void runPrintsTheLinesThenTheSummary() {
    execute(new RunCommand().of("job.yml", List.of("input=a=b", "print=true")), false);
    assertEquals(Map.of("input", "a=b", "print", "true"), jobs.request.parameters());
    assertEquals(
        List.of(
            "abcd  0",
            "# job      hash",
            "# bytes    2000000000",
            "# blocks   2",
            "# seconds  2.000",
            "# GB/s     1.000",
            "# device   soft0",
            "# tier     2",
            "# recoveries 1",
            "# retries  3",
            "# replayed 5",
            "# failed   4",
            "# wrong    0",
            "# device  kind  epoch   total  drain   freeze  fail  revoke  reset  open  rebuild "
                + " thaw",
            "# soft0   segv      2  1.5 ms  -      12.0 us  -     -       -      -     -        -",
            "# stream  step  device  priority    time    queue  transfer   compute  pieces  bytes",
            "# main    hash  soft0   normal    1.0 ms  10.0 us  200.0 us  700.0 us       3    5 B",
            "# output   /tmp/o (70 bytes)",
            "# claim    all: 2 == 2, holds"),
        out.toString(UTF_8).lines().toList());
  }

  @Test
  void runAsJsonIsOneDocumentWithTheAgreedFields() throws IOException {
    execute(new RunCommand().of("job.yml", null), true);
    assertEquals(
        List.of(
            "job",
            "state",
            "device",
            "tier",
            "elapsed_ns",
            "bytes",
            "retries",
            "recoveries",
            "failed",
            "replayed",
            "retried",
            "wrong",
            "recovery_log",
            "kind",
            "device",
            "number",
            "started",
            "cause",
            "outcome",
            "total_ns",
            "attempts",
            "standby",
            "from_epoch",
            "to_epoch",
            "contexts",
            "interrupted",
            "kept",
            "replayed",
            "restored",
            "lost",
            "drain_ns",
            "freeze_ns",
            "fail_ns",
            "revoke_ns",
            "reset_ns",
            "open_ns",
            "rebuild_ns",
            "thaw_ns",
            "text",
            "steps",
            "stream",
            "step",
            "device",
            "priority",
            "start_ns",
            "elapsed_ns",
            "queue_ns",
            "transfer_ns",
            "compute_ns",
            "pieces",
            "bytes",
            "outputs",
            "step",
            "path",
            "bytes",
            "claims",
            "name",
            "value",
            "goal",
            "holds",
            "error"),
        fields());
  }

  @Test
  void theTimelineIsOneWellFormedPictureOfEachSpan() throws Exception {
    Path file = folder.resolve("times.svg");
    execute(new RunCommand().of("job.yml", null).drawing(file.toString()), true);
    Document picture = xml(file);
    assertEquals("svg", picture.getDocumentElement().getTagName());
    Map<String, Integer> spans = new TreeMap<>();
    NodeList bars = picture.getElementsByTagName("rect");
    for (int i = 0; i < bars.getLength(); i++) {
      spans.merge(((Element) bars.item(i)).getAttribute("class"), 1, Integer::sum);
    }
    assertEquals(1, spans.get("transfer"));
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
  void namesInATimelineAreOnlyText() throws Exception {
    StepTimes odd =
        new StepTimes("<&\"", "a\u0001\ud800", "d", "p", 0, 0, 0, 0, 0, 0, 0, List.of());
    jobs.result =
        new JobResult(
            "j<",
            JobState.DONE,
            null,
            0,
            0,
            0,
            0,
            Survival.CALM,
            List.of(odd),
            List.of(),
            List.of(),
            null,
            0);
    Path file = folder.resolve("times.svg");
    execute(new RunCommand().of("job.yml", null).drawing(file.toString()), true);
    assertTrue(xml(file).getDocumentElement().getTextContent().contains("<&\"/a??"));
  }

  @Test
  void aTimelineThatCannotBeWrittenFailsAfterTheDocument() throws IOException {
    RunCommand run = new RunCommand().of("job.yml", null).drawing(folder + "/none/times.svg");
    JobException e = assertThrows(JobException.class, () -> execute(run, true));
    assertEquals(1, e.exitStatus());
    assertTrue(e.getMessage().contains("cannot be written"), e.getMessage());
    assertTrue(fields().contains("state"));
  }

  private static Element bar(NodeList bars, String kind) {
    for (int i = 0; i < bars.getLength(); i++) {
      Element bar = (Element) bars.item(i);
      if (bar.getAttribute("class").equals(kind)) {
        return bar;
      }
    }
    throw new AssertionError(kind);
  }

  private static Document xml(Path file) throws Exception {
    return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
  }

  @Test
  void newListsItsTemplates() throws IOException {
    execute(new NewCommand(), false);
    for (String name : Templates.names()) {
      assertTrue(out.toString(UTF_8).contains(name), name);
      assertTrue(Templates.text(name, "mine").contains("\njob: mine\n"), name);
    }
    assertEquals(Templates.names(), new TemplateCompleter().ids(services()));
  }

  @Test
  void newRefusesWhatIsNoNameAndNoTemplate() {
    for (NewCommand wrong :
        List.of(
            new NewCommand().of("../x", "hash"),
            new NewCommand().of("x", "none"),
            new NewCommand().of("x", null))) {
      ShellException e = assertThrows(ShellException.class, () -> execute(wrong, false));
      assertEquals(2, e.exitStatus(), e.getMessage());
    }
  }

  @Test
  void newWritesOnceAndLeavesWhatIsThere() throws IOException {
    Path file = folder.resolve("mine.yml");
    execute(new NewCommand().of("mine", "matrix").in(folder), true);
    assertEquals(List.of("file", "template"), fields());
    assertTrue(Files.readString(file).contains("job: mine"));
    Files.writeString(file, "my work");
    ShellException e =
        assertThrows(
            ShellException.class,
            () -> execute(new NewCommand().of("mine", "matrix").in(folder), false));
    assertTrue(e.getMessage().contains("is there already"), e.getMessage());
    assertEquals("my work", Files.readString(file));
  }

  @Test
  void aFailedJobThrowsItsExitStatusAfterItsDocument() throws IOException {
    jobs.result = result(JobState.FAILED, "soft0: lost", 1);
    JobException e =
        assertThrows(JobException.class, () -> execute(new RunCommand().of("job.yml", null), true));
    assertEquals(1, e.exitStatus());
    assertEquals("soft0: lost", e.getMessage());
    assertTrue(fields().contains("error"));
    jobs.result = result(JobState.CANCELLED, "stopped", 130);
    assertEquals(
        130,
        assertThrows(JobException.class, () -> execute(new RunCommand().of("job.yml", null), false))
            .exitStatus());
  }

  @Test
  void aRefusedJobGivesADocumentToo() throws IOException {
    jobs.refusal = JobException.usage(3, "job.yml:3:1: wrong");
    JobException e =
        assertThrows(JobException.class, () -> execute(new RunCommand().of("job.yml", null), true));
    assertEquals(2, e.exitStatus());
    assertTrue(fields().contains("error"));
    assertTrue(out.toString(UTF_8).contains("job.yml:3:1: wrong"));
  }

  @Test
  void settingsAreKeyAndValueAndNoneTwice() {
    for (List<String> wrong : List.of(List.of("a"), List.of("=a"), List.of("a=1", "a=2"))) {
      JobException e = assertThrows(JobException.class, () -> RunCommand.values(wrong));
      assertEquals(2, e.exitStatus());
    }
  }

  @Test
  void listShowsRowsOrSaysWhatToType() throws IOException {
    execute(new ListCommand(), false);
    assertTrue(out.toString(UTF_8).contains("job:run FILE"));
    jobs.history.add(info("7"));
    out.reset();
    execute(new ListCommand(), false);
    assertTrue(out.toString(UTF_8).contains("1.9 GiB"), out.toString(UTF_8));
    out.reset();
    execute(new ListCommand(), true);
    assertEquals(
        List.of(
            "id",
            "job",
            "state",
            "device",
            "tier",
            "bytes",
            "elapsed_ns",
            "started",
            "user",
            "file",
            "error"),
        fields());
  }

  @Test
  void showAndCancelKnowTheirIds() throws IOException {
    jobs.history.add(info("7"));
    execute(new ShowCommand().of("7"), false);
    assertTrue(out.toString(UTF_8).contains("claim    all: 2 == 2, holds"));
    out.reset();
    execute(new ShowCommand().of("7"), true);
    assertEquals("id", fields().getFirst());
    assertThrows(ShellException.class, () -> execute(new ShowCommand().of("8"), false));
    assertThrows(JobException.class, () -> execute(new CancelCommand().of("8"), false));
    assertThrows(ShellException.class, () -> execute(new CancelCommand().of("7"), false));
    jobs.cancellable = true;
    out.reset();
    execute(new CancelCommand().of("7"), true);
    assertEquals(List.of("id", "cancelled"), fields());
  }

  @Test
  void aJobThatWaitsForItsDeviceSaysSo() {
    RunDisplay display = new RunDisplay(new Output(stream(), true, 0), stream(), true);
    display.recovering("soft0");
    assertEquals("\r\033[Krecovering: waiting for soft0", out.toString(UTF_8));
    display.end();
    assertTrue(out.toString(UTF_8).endsWith("soft0\r\033[K"));
    out.reset();
    new RunDisplay(new Output(stream(), true, 0), stream(), false).recovering("soft0");
    assertEquals("", out.toString(UTF_8));
  }

  private PrintStream stream() {
    return new PrintStream(out, true, UTF_8);
  }

  @Test
  void theBarShowsShareAndRate() {
    assertEquals(
        "[###############...............]  50 %  1000.0 MB  2.00 GB/s",
        RunDisplay.bar(1_000_000_000, 2_000_000_000, 500_000_000));
    assertEquals("1.0 MB  1.00 GB/s", RunDisplay.bar(1_000_000, -1, 1_000_000));
  }

  private void execute(IsleCommand command, boolean json) {
    PrintStream stream = new PrintStream(out, true, UTF_8);
    command.execute(services(), new Output(stream, json, 0));
  }

  private Services services() {
    return new Services() {
      @Override
      public <S, R> Optional<R> ifThere(Class<S> type, Function<S, R> use) {
        return Optional.ofNullable(use.apply(type.cast(jobs)));
      }
    };
  }

  /** Names of all fields in the one document that was printed. */
  private List<String> fields() throws IOException {
    List<String> names = new ArrayList<>();
    try (JsonParser parser = new JsonFactory().createParser(out.toString(UTF_8))) {
      while (parser.nextToken() != null) {
        if (parser.currentToken() == com.fasterxml.jackson.core.JsonToken.FIELD_NAME) {
          names.add(parser.currentName());
        }
      }
    }
    assertEquals(1, out.toString(UTF_8).lines().count());
    return names;
  }

  private static JobResult result(JobState state, String error, int status) {
    return new JobResult(
        "hash",
        state,
        "soft0",
        2,
        2_000_000_000L,
        2_000_000_000L,
        2,
        SURVIVED,
        List.of(STEP),
        List.of(new JobResult.Output("s", "/tmp/o", 70)),
        List.of(new JobResult.Claim("all", 2, "== 2", true)),
        error,
        status);
  }

  private static JobInfo info(String id) {
    return new JobInfo(id, "hash", "/j.yml", "me", 0, result(JobState.DONE, null, 0));
  }

  private static final class FakeJobs implements Jobs {
    final List<JobInfo> history = new ArrayList<>();
    JobRequest request;
    JobResult result = result(JobState.DONE, null, 0);
    JobException refusal;
    boolean cancellable;

    @Override
    public JobResult run(JobRequest asked, JobObserver observer) {
      request = asked;
      if (refusal != null) {
        throw refusal;
      }
      byte[] line = "abcd  0\nrest of the buffer".getBytes(UTF_8);
      observer.print(line, 8);
      observer.progress(1, 2);
      return result;
    }

    @Override
    public List<JobInfo> list() {
      return history;
    }

    @Override
    public Optional<JobInfo> find(String id) {
      return history.stream().filter(job -> job.id().equals(id)).findFirst();
    }

    @Override
    public boolean cancel(String id) {
      if (find(id).isEmpty()) {
        throw JobException.failed(2, "unknown job " + id, null);
      }
      return cancellable;
    }
  }
}
