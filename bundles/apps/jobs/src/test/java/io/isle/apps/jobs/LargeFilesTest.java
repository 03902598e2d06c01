package io.isle.apps.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.jobs.JobResult;
import io.isle.api.jobs.JobState;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What this process has in memory of a file that goes through a device, while it does. */
class LargeFilesTest {
  private static final long FILE = 256L << 20;
  private static final long MOST = 64L << 20;

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "- {program: sha256, in: big, args: [1048576]}",
        "- {program: sha256, in: big, args: [1048576], verify: true}",
        "- {program: copy, in: big, piece: 128MiB, depth: 1, for: 3600s}",
        """
        - program: copy
          stream: n
          in: {a: {file: big, type: u64, shape: [n, 131072]}}
          out: {b: {type: u64, shape: [n, 131072], expect: {value: a}}}
        """
      })
  void isGivenBackOnTheWay(String step) throws Exception {
    try (RandomAccessFile file = new RandomAccessFile(folder.resolve("big").toFile(), "rw")) {
      file.setLength(FILE);
    }
    Harness harness = new Harness(300L << 20);
    boolean endless = step.contains("for: ");
    long before = mapped();
    AtomicLong most = new AtomicLong();
    AtomicLong pieces = new AtomicLong();
    harness.onProgress =
        () -> {
          most.accumulateAndGet(mapped() - before, Math::max);
          if (pieces.incrementAndGet() == 3 && endless) {
            assertTrue(harness.service.cancel(harness.started.id()));
          }
        };
    JobResult result = harness.run(Harness.job(folder, step), folder.toAbsolutePath(), Map.of());
    assertEquals(endless ? JobState.CANCELLED : JobState.DONE, result.state(), result.error());
    harness.assertNothingLeft();
    assertTrue(pieces.get() > 0);
    assertTrue(most.get() <= MOST, most::toString);
  }

  /** Bytes of files that this process has in memory; of those in memory too, such as of tmpfs. */
  private static long mapped() {
    try {
      return Files.readAllLines(Path.of("/proc/self/status")).stream()
          .filter(line -> line.startsWith("RssFile:") || line.startsWith("RssShmem:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
          .sum();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
