package io.isle.core.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.observe.Actor;
import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditEvent;
import io.isle.api.observe.AuditFilter;
import io.isle.api.observe.AuditRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The book without its thread, under simulated clocks. */
class AuditBookTest {
  private static final AuditLimits LIMITS =
      new AuditLimits(Duration.ofDays(30), 4096, 64 << 10, 10);
  private static final AuditFilter ALL = AuditFilter.ALL;

  @TempDir Path data;

  private final List<String> warnings = new CopyOnWriteArrayList<>();
  private long nowNs;
  private Instant wall = Instant.parse("2026-02-03T04:05:06.789Z");

  private Path folder() {
    return data.resolve("audit");
  }

  private AuditBook book() {
    return new AuditBook(folder(), LIMITS, () -> nowNs, () -> wall, warnings::add);
  }

  private static AuditEvent event(String actor, String detail) {
    return new AuditEvent(actor, 0, "device.reset", "soft0", "", 0, detail);
  }

  private static void write(AuditBook book, int from, int to) {
    for (int i = from; i < to; i++) {
      book.record(event("isle", "event " + i));
    }
    book.step();
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(folder())) {
      return files.sorted().toList();
    }
  }

  private static List<Long> numbers(List<AuditRecord> records) {
    return records.stream().map(AuditRecord::number).toList();
  }

  private static List<Long> range(long from, long to) {
    return IntStream.rangeClosed((int) from, (int) to).mapToObj(i -> (long) i).toList();
  }

  @Test
  void aRecordStandsInAFileThatOnlyThePlatformReads() throws IOException {
    AuditBook book = book();
    book.record(event("user:karaf(admin)", "line\nbreak").under(0x0600000100000002L));
    book.step();
    Path file = files().getFirst();
    assertEquals(
        "{\"number\":1,\"time\":\"2026-02-03T04:05:06.789Z\",\"actor\":\"user:karaf(admin)\","
            + "\"capability\":\"0600000100000002\",\"action\":\"device.reset\",\"device\":\"soft0\","
            + "\"object\":\"\",\"code\":0,\"detail\":\"line\\nbreak\"}\n",
        Files.readString(file));
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    assertEquals(
        "rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(folder())));
  }

  @Test
  void aFloodIsCutAndItsCountWrittenOnceWhenItsWindowEnds() {
    AuditBook book = book();
    for (int i = 0; i < 1000; i++) {
      book.record(event("tenant:flood", ""));
    }
    book.record(event("tenant:calm", ""));
    book.step();
    assertEquals(LIMITS.burst() + 1, book.tail(100, ALL).size());
    nowNs += RateLimiter.WINDOW_NS;
    book.step();
    book.step();
    List<AuditRecord> records = book.tail(2, ALL);
    assertEquals("tenant:calm", records.getFirst().event().actor());
    AuditEvent summary = records.getLast().event();
    assertEquals("audit.suppressed", summary.action());
    assertEquals("tenant:flood", summary.object());
    assertTrue(summary.detail().startsWith(1000 - LIMITS.burst() + " events"), summary.detail());
  }

  @Test
  void aFollowerHearsOfEachRecordThatMatchesAndOfTheEnd() throws Exception {
    AuditBook book = book();
    write(book, 0, 3);
    AuditFilter calm = new AuditFilter(Optional.of("calm"), Optional.empty(), Optional.empty(), 0);
    BlockingQueue<Long> heard = new LinkedBlockingQueue<>();
    Thread follower = Thread.ofPlatform().start(() -> follow(book, calm, heard));
    awaitWaiting(follower);
    write(book, 3, 5);
    book.record(event("tenant:calm", "first"));
    book.step();
    assertEquals(6, heard.take());
    awaitWaiting(follower);
    book.record(event("tenant:calm", "second"));
    book.record(event("tenant:calm", "third"));
    book.step();
    assertEquals(List.of(7L, 8L), List.of(heard.take(), heard.take()));
    assertEquals(range(2, 8), numbers(book.awaitNext(ALL.after(1))));
    awaitWaiting(follower);
    book.close();
    follower.join();
    assertEquals(List.of(), List.copyOf(heard));
  }

  private static void follow(AuditBook book, AuditFilter filter, Queue<Long> heard) {
    AuditFilter after = filter;
    try {
      while (after != null) {
        List<Long> numbers = numbers(book.awaitNext(after));
        heard.addAll(numbers);
        after = numbers.isEmpty() ? null : filter.after(numbers.getLast());
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void awaitWaiting(Thread thread) {
    while (thread.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
  }

  @Test
  void whatIsDoneUnderCapabilitiesCrowdsOutNoCommandOfTheSameUser() {
    AuditBook book = book();
    for (int i = 0; i < 1000; i++) {
      book.record(event("user:isle(admin)", "").under(1 + i));
    }
    book.record(event("user:isle(admin)", "a command"));
    book.step();
    assertEquals(LIMITS.burst() + 1, book.tail(100, ALL).size());
    assertEquals("a command", book.tail(1, ALL).getFirst().event().detail());
  }

  @Test
  void aFullQueueDropsAndSaysHowMany() {
    AuditBook book = book();
    for (int i = 0; i < AuditBook.QUEUE + 5; i++) {
      book.record(event("isle", ""));
    }
    while (numbers(book.tail(1, ALL)).isEmpty()
        || book.tail(1, ALL).getFirst().number() < AuditBook.QUEUE + 1) {
      book.step();
    }
    AuditFilter dropped =
        new AuditFilter(Optional.empty(), Optional.empty(), Optional.of("audit.dropped"), 0);
    List<AuditRecord> said = book.tail(10, dropped);
    assertEquals(1, said.size());
    assertTrue(said.getFirst().event().detail().startsWith("5 events"));
  }

  @Test
  void filesRotateBySizeAndTailReadsAcrossThem() throws IOException {
    AuditBook book = book();
    for (int i = 0; i < 10; i++) {
      write(book, i * 10, i * 10 + 10);
    }
    assertTrue(files().size() > 3, files().toString());
    for (Path file : files()) {
      assertTrue(Files.size(file) <= LIMITS.maxFileBytes(), file.toString());
    }
    // A new book has nothing in memory.
    assertEquals(range(41, 100), numbers(book().tail(60, ALL)));
    assertEquals(range(1, 100), numbers(book().tail(Audit.MAX_TAIL + 1, ALL)));
    assertEquals(range(96, 100), numbers(book().tail(10, ALL.after(95))));
  }

  @Test
  void aNewDayBeginsANewFile() throws IOException {
    AuditBook book = book();
    write(book, 0, 1);
    wall = wall.plus(Duration.ofDays(1));
    write(book, 1, 2);
    assertEquals(2, files().size());
  }

  @Test
  void numbersGoOnAfterARestartAndATornLineHarmsNoOther() throws IOException {
    AuditBook first = book();
    write(first, 0, 3);
    first.close();
    Path file = files().getFirst();
    byte[] whole = Files.readAllBytes(file);
    Files.write(file, java.util.Arrays.copyOf(whole, whole.length - 20));
    AuditBook second = book();
    write(second, 3, 5);
    assertEquals(List.of(1L, 2L, 3L, 4L), numbers(book().tail(10, ALL)));
    assertEquals(List.of(3L, 4L), numbers(second.tail(2, ALL)));
  }

  @Test
  void filesOlderThanTheRetentionGo() throws IOException {
    AuditBook book = book();
    write(book, 0, 1);
    Files.setLastModifiedTime(files().getFirst(), FileTime.from(wall));
    wall = wall.plus(LIMITS.retention()).plusSeconds(1);
    nowNs += Duration.ofHours(1).toNanos();
    write(book, 1, 2);
    assertEquals(List.of(2L), numbers(book().tail(10, ALL)));
    assertEquals(List.of(), warnings);
  }

  @Test
  void filesBeyondTheTotalGoOldestFirstAndThatIsSaid() throws IOException {
    AuditBook book = book();
    for (int i = 0; i < 60; i++) {
      write(book, i * 20, i * 20 + 20);
    }
    nowNs += Duration.ofHours(1).toNanos();
    book.step();
    long total = 0;
    for (Path file : files()) {
      total += Files.size(file);
    }
    assertTrue(total <= LIMITS.maxTotalBytes() + LIMITS.maxFileBytes(), "left " + total);
    assertEquals("audit.expired", book.tail(1, ALL).getFirst().event().action());
    assertEquals(1, warnings.size());
  }

  @Test
  void aFullDiskIsToldOnceCountedAndSurvived() throws IOException {
    AuditBook book = book();
    write(book, 0, 1);
    Files.delete(files().getFirst());
    List<Path> full = new ArrayList<>();
    for (int i = 2; i <= 4; i++) {
      full.add(folder().resolve(String.format("audit-%012d.jsonl", i)));
      Files.createSymbolicLink(full.getLast(), Path.of("/dev/full"));
    }
    write(book, 1, 3);
    write(book, 3, 4);
    assertEquals(1, warnings.size(), warnings.toString());
    assertTrue(warnings.getFirst().contains("free disk space"), warnings.getFirst());
    assertEquals(range(1, 4), numbers(book.tail(10, ALL)));
    for (Path link : full) {
      Files.delete(link);
    }
    write(book, 4, 5);
    List<AuditRecord> onDisk = book().tail(10, ALL);
    assertEquals("event 4", onDisk.getFirst().event().detail());
    assertEquals("audit.unwritten", onDisk.getLast().event().action());
    assertTrue(onDisk.getLast().event().detail().startsWith("3 records"));
    assertEquals(range(1, 6), numbers(book.tail(10, ALL)));
  }

  @Test
  void aFileInPlaceOfTheFolderIsSurvivedToo() throws IOException {
    Files.writeString(folder(), "no folder");
    AuditBook book = book();
    write(book, 0, 2);
    assertEquals(2, book.tail(10, ALL).size());
    assertFalse(warnings.isEmpty());
  }

  @Test
  void longTextsAreCutAndMissingOnesAreEmpty() {
    AuditBook book = book();
    book.record(new AuditEvent("isle", 0, "x".repeat(10_000), null, "", 0, null));
    book.step();
    AuditEvent event = book.tail(1, ALL).getFirst().event();
    assertEquals(Audit.MAX_TEXT, event.action().length());
    assertEquals("", event.device());
  }

  static Stream<Throwable> thrown() {
    return Stream.of(
        new IllegalStateException("planned"), new OutOfMemoryError("no direct memory: planned"));
  }

  /** Neither ends the book: that something fails there, nor that it cannot be told. */
  @ParameterizedTest
  @MethodSource("thrown")
  void theWriterThreadGoesOnWhateverItMeets(Throwable thrown) {
    AtomicReference<Throwable> armed = new AtomicReference<>();
    try (AuditBook book =
        new AuditBook(
            folder(),
            LIMITS,
            () -> {
              raise(armed.get());
              return nowNs;
            },
            () -> wall,
            line -> {
              warnings.add(line);
              raise(thrown);
            })) {
      book.start();
      armed.set(thrown);
      book.record(event("isle", "lost"));
      assertEquals(List.of(), book.tail(10, ALL), "the writer has come to it");
      armed.set(null);
      writer().interrupt();
      book.record(event("isle", "kept"));
      List<String> details =
          book.tail(10, ALL).stream().map(entry -> entry.event().detail()).toList();
      assertTrue(details.contains("kept"), details.toString());
      assertTrue(
          details.contains("1 events were lost, because their writer failed"), details.toString());
      // the interrupt may have met a write, which is told, too
      assertEquals(
          List.of("audit records are lost: the writer of audit files failed: " + thrown),
          warnings.stream().filter(line -> line.contains("writer")).toList());
    }
  }

  /** Files that cannot be written are told of, whatever says so. */
  @ParameterizedTest
  @MethodSource("thrown")
  void theJournalGoesOnInMemory(Throwable thrown) {
    AtomicReference<Throwable> armed = new AtomicReference<>(thrown);
    AuditFolder broken =
        new AuditFolder(folder()) {
          @Override
          void append(AuditRecord first, String lines, long maxFileBytes) throws IOException {
            raise(armed.get());
            super.append(first, lines, maxFileBytes);
          }
        };
    AuditJournal journal = new AuditJournal(broken, warnings::add);
    journal.append(List.of(new AuditJournal.Stamped(0, event("isle", "one"))), 4096);
    assertEquals(1, warnings.size(), warnings.toString());
    armed.set(null);
    journal.append(List.of(new AuditJournal.Stamped(0, event("isle", "two"))), 4096);
    assertEquals(range(1, 3), numbers(journal.tail(10, ALL)));
    assertEquals(range(2, 3), numbers(book().tail(10, ALL)), "on disk");
  }

  private static Thread writer() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("isle-audit"))
        .findAny()
        .orElseThrow();
  }

  private static void raise(Throwable what) {
    switch (what) {
      case null -> {}
      case Error error -> throw error;
      case RuntimeException exception -> throw exception;
      default -> throw new AssertionError(what);
    }
  }

  @Test
  void theWriterThreadEndsWithTheBookAndLeavesNothingUnwritten() {
    AuditBook book = book();
    book.start();
    for (int i = 0; i < 100; i++) {
      book.record(AuditEvent.of(Actor.tenant("t"), "x"));
    }
    assertEquals(LIMITS.burst(), book.tail(100, ALL).size(), "tail sees what was recorded before");
    book.close();
    assertTrue(
        Thread.getAllStackTraces().keySet().stream()
            .noneMatch(thread -> thread.getName().equals("isle-audit")));
    AuditRecord last = book().tail(1, ALL).getFirst();
    assertEquals("audit.suppressed", last.event().action());
    book.record(event("isle", "after the end"));
    assertEquals(last.number(), book().tail(1, ALL).getFirst().number());
  }
}
