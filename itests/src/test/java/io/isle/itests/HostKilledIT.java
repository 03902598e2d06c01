package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A driver's host process dies in the middle of a job. */
@ExtendWith(Platform.class)
class HostKilledIT {
  private static final String JOB =
      Platform.root().resolve("examples/blockhash/job.yml").toString();

  @TempDir Path folder;

  @Test
  void theJobFailsClearlyAndAReloadHeals() throws Exception {
    Devices.awaitState("soft0", "active");
    long host = Devices.info("soft0").get("host_pid").asLong();
    CompletableFuture<Platform.Result> job =
        CompletableFuture.supplyAsync(
            () -> Platform.isle("run", JOB, "--set", "input=" + sparse(64L << 30)),
            Thread::startVirtualThread);
    Awaiting.await("the job has a context", () -> contexts() > 0);
    assertTrue(ProcessHandle.of(host).orElseThrow().destroyForcibly());

    Platform.Result result = job.join().failed(1);
    assertFalse(result.err().isBlank(), "the reason is told");

    Platform.sh("driver:reload soft0").succeeded();
    Devices.awaitState("soft0", "active");
    assertNotEquals(host, Devices.info("soft0").get("host_pid").asLong());
    Path small = Files.writeString(folder.resolve("small"), "hello");
    Platform.isle("run", JOB, "--set", "input=" + small).succeeded();
    assertEquals(0, contexts());
  }

  private static int contexts() throws Exception {
    return Platform.sh("accel:contexts", "--json").succeeded().json().size();
  }

  private Path sparse(long bytes) {
    Path file = folder.resolve("large");
    try (RandomAccessFile large = new RandomAccessFile(file.toFile(), "rw")) {
      large.setLength(bytes);
      return file;
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
