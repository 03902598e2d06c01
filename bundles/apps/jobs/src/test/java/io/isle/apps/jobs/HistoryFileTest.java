package io.isle.apps.jobs;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.jobs.JobInfo;
import io.isle.api.jobs.JobResult;
import io.isle.api.jobs.JobState;
import io.isle.api.jobs.Measured;
import io.isle.api.jobs.StepTimes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is left of a history whatever happened to its file. */
class HistoryFileTest {
  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void setUp() {
    file = folder.resolve("history.jsonl");
  }

  @Test
  void aLineThatWasCutOffIsLostAlone() throws IOException {
    byte[] whole = three();
    int begin = new String(whole, ISO_8859_1).indexOf("{\"id\":\"3\"");
    for (int length = begin + 1; length < whole.length - 1; length++) {
      Files.write(file, Arrays.copyOf(whole, length));
      History history = new History(file);
      assertEquals(List.of("1", "2"), ids(history), "cut off at " + length);
      history.put(job("4"));
      assertEquals(List.of("1", "2", "4"), ids(new History(file)), "cut off at " + length);
    }
    assertEquals(List.of("history.jsonl"), names());
  }

  /** The order of values in rows is the file's format: lines of earlier versions are read. */
  @Test
  void rowsOfALineAreReadInTheirOrder() throws IOException {
    Files.writeString(
        file,
        """
        {"id":"1","job":"j","file":"f","user":"u","started_ms":5,"state":"DONE","device":"soft0",\
        "tier":1,"elapsed_ns":9,"bytes":8,"blocks":7,"retries":1,"recoveries":2,"failed":3,\
        "replayed":4,"wrong":0,"error":null,"exit_status":0,\
        "steps":[["main","hash","soft0","normal",1,2,3,4,5,6,7,8],["main","new","soft0","normal",1,2,3,4,5,6,7,8,9]],\
        "groups":[["default","NaN","12.5",1,2,3,4,5]],"periodic":[["s","p","high",1,2,3,4,5,6]],\
        "outputs":[["hash","/o","42"]],"claims":[["c","1.5",">= 1","true"]]}
        """);
    JobResult result = new History(file).find("1").orElseThrow().result();
    assertEquals(
        List.of(
            new StepTimes("main", "hash", "soft0", "normal", 1, 2, 3, 4, 5, 6, 7, 8, 0, List.of()),
            new StepTimes("main", "new", "soft0", "normal", 1, 2, 3, 4, 5, 6, 7, 8, 9, List.of())),
        result.steps());
    assertEquals(
        new Measured(
            List.of(new Measured.GroupShare("default", Double.NaN, 12.5, 1, 2, 3, 4, 5)),
            List.of(new Measured.PeriodicTimes("s", "p", "high", 1, 2, 3, 4, 5, 6))),
        result.measured());
    assertEquals(List.of(new JobResult.Output("hash", "/o", 42)), result.outputs());
    assertEquals(List.of(new JobResult.Claim("c", 1.5, ">= 1", true)), result.claims());
  }

  @Test
  void aLineWithoutItsEndIsRead() throws IOException {
    byte[] whole = three();
    Files.write(file, Arrays.copyOf(whole, whole.length - 1));
    History history = new History(file);
    history.put(job("4"));
    assertEquals(List.of("1", "2", "3", "4"), ids(new History(file)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "null",
        "[]",
        "{}",
        "{\"id\":\"x\"}",
        "{\"id\":\"3\",\"job\":\"j\",\"file\":\"f\",\"user\":\"u\",\"state\":\"NEVER\"}",
        "{\"id\":\"3\",\"job\":\"j\",\"file\":\"f\",\"user\":\"u\",\"state\":\"DONE\",\"steps\":[[1]]}",
        "\u0000\u00ff",
        "{\"id\":\"1\"} {\"id\":\"1\"}"
      })
  void aFileWithASpoiltLineIsKeptAndTheOtherLinesAreRead(String line) throws IOException {
    byte[] whole = three();
    String spoilt = new String(whole, ISO_8859_1).replaceFirst("\n", "\n" + line + "\n");
    Files.writeString(file, spoilt, ISO_8859_1);
    History history = new History(file);
    assertEquals(List.of("1", "2", "3"), ids(history));
    history.put(job("4"));
    assertEquals(List.of("1", "2", "3", "4"), ids(new History(file)));
    assertEquals(List.of("history.jsonl", "history.jsonl.unreadable-1"), names());
    assertEquals(
        spoilt, Files.readString(folder.resolve("history.jsonl.unreadable-1"), ISO_8859_1));
  }

  @Test
  void lostFilesAreNeverOverwritten() throws IOException {
    for (int i = 1; i <= 3; i++) {
      Files.writeString(file, "just text " + i + "\n");
      History history = new History(file);
      history.put(job("1"));
    }
    for (int i = 1; i <= 3; i++) {
      Path kept = folder.resolve("history.jsonl.unreadable-" + i);
      assertEquals("just text " + i + "\n", Files.readString(kept));
    }
    assertEquals(List.of("1"), ids(new History(file)));
  }

  @Test
  void whatIsNoFileIsMovedAway() throws IOException {
    Files.createDirectories(file.resolve("something"));
    new History(file).put(job("1"));
    assertEquals(List.of("1"), ids(new History(file)));
    assertTrue(
        Files.isDirectory(folder.resolve("history.jsonl.unreadable-1").resolve("something")));
  }

  @Test
  void aFileThatCannotBeKeptUnderAnotherNameIsNotWritten() throws IOException {
    Files.writeString(file, "just text\n");
    for (int i = 1; i <= 1000; i++) {
      Files.createFile(folder.resolve("history.jsonl.unreadable-" + i));
    }
    History history = new History(file);
    history.put(job("1"));
    assertEquals(List.of("1"), ids(history));
    assertEquals("just text\n", Files.readString(file));
  }

  @Test
  void aFileThatCannotBeWrittenIsWrittenLater() throws IOException {
    History history = new History(file);
    history.put(job("1"));
    Path elsewhere = Files.move(file, folder.resolve("elsewhere"));
    Files.createDirectory(file);
    history.put(job("2"));
    history.put(job("3"));
    Files.delete(file);
    Files.move(elsewhere, file);
    history.put(job("4"));
    assertEquals(List.of("1", "2", "3", "4"), ids(new History(file)));
  }

  /** As the version before wrote it: YAML with more aliases than its own reader takes. */
  @Test
  void theHistoryOfAnEarlierVersionIsRead() throws IOException {
    byte[] old = old();
    Files.write(folder.resolve("history.yml"), old);
    History history = new History(file);
    assertEquals(IntStream.rangeClosed(1, 30).mapToObj(Integer::toString).toList(), ids(history));
    JobInfo first = history.find("1").orElseThrow();
    assertEquals("/home/me/job.yml", first.file());
    assertEquals("step0", first.result().steps().getFirst().step());
    history.put(job(history.nextId()));
    assertEquals(history.list(), new History(file).list());
    assertEquals("31", history.list().getLast().id());
    assertArrayEquals(old, Files.readAllBytes(folder.resolve("history.yml")));
  }

  /** The version before could not read its file, renamed it, and began with id 1 again. */
  @Test
  void whatAnEarlierVersionHadRenamedIsReadToo() throws IOException {
    Files.write(folder.resolve("history.yml.unreadable"), old());
    String begin = new String(old(), ISO_8859_1);
    begin = begin.substring(0, begin.indexOf("- id: '3'")).replace("job: j", "job: later");
    Files.writeString(folder.resolve("history.yml"), begin);
    History history = new History(file);
    assertEquals(30, history.list().size());
    assertEquals(List.of("30", "1", "2"), ids(history).subList(27, 30));
    assertEquals("later", history.find("2").orElseThrow().job());
    assertEquals("31", history.nextId());
    assertEquals(history.list(), new History(file).list());
  }

  @ParameterizedTest
  @ValueSource(strings = {"- {id: [1", "just text", "", "[[[[[[[[", "- &a [*a]", "- null"})
  void anOldHistoryThatCannotBeReadStays(String text) throws IOException {
    String deep = text.startsWith("[[") ? text.repeat(20_000) : text;
    Files.writeString(folder.resolve("history.yml"), deep);
    History history = new History(file);
    assertEquals(List.of(), history.list());
    history.put(job("1"));
    assertEquals(deep, Files.readString(folder.resolve("history.yml")));
    assertEquals(List.of("1"), ids(new History(file)));
  }

  /** As a version before wrote it. */
  @Test
  void aJobWithoutStepsIsRead() throws IOException {
    new History(file).put(HistoryTest.job("1", JobState.DONE));
    Files.writeString(file, Files.readString(file).replace("\"steps\":", "\"other\":"));
    JobResult result = new History(file).find("1").orElseThrow().result();
    assertEquals(List.of(), result.steps());
    assertEquals(JobState.DONE, result.state());
  }

  @Test
  void aJobThatIsTooLongIsKeptWithoutItsLists() {
    JobInfo plain = HistoryTest.job("1", JobState.DONE);
    StepTimes step = plain.result().steps().getFirst();
    History history = new History(file);
    history.put(HistoryTest.withSteps(plain, Collections.nCopies(200_000, step)));
    JobInfo kept = new History(file).find("1").orElseThrow();
    assertEquals(List.of(), kept.result().steps());
    assertEquals(plain.result().elapsedNs(), kept.result().elapsedNs());
  }

  @Test
  void aFileThatIsMuchTooLongIsKeptAside() throws IOException {
    Files.write(file, new byte[2 * HistoryFile.MAX_BYTES + 1]);
    assertEquals(List.of(), new History(file).list());
    assertEquals(0, Files.size(file));
    Path kept = folder.resolve("history.jsonl.unreadable-1");
    assertEquals(2L * HistoryFile.MAX_BYTES + 1, Files.size(kept));
  }

  private byte[] three() throws IOException {
    Files.deleteIfExists(file);
    History history = new History(file);
    for (int i = 1; i <= 3; i++) {
      history.put(job(Integer.toString(i)));
    }
    return Files.readAllBytes(file);
  }

  private static JobInfo job(String id) {
    return HistoryTest.job(id, JobState.DONE);
  }

  private static byte[] old() throws IOException {
    try (InputStream in = HistoryFileTest.class.getResourceAsStream("history.yml")) {
      return in.readAllBytes();
    }
  }

  private static List<String> ids(History history) {
    return history.list().stream().map(JobInfo::id).toList();
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }
}
