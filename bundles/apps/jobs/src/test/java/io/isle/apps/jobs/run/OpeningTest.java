package io.isle.apps.jobs.run;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class OpeningTest {
  @TempDir Path folder;

  private final CountDownLatch otherSide = new CountDownLatch(1);
  private final CompletableFuture<Thread> opener = new CompletableFuture<>();
  private volatile FileChannel opened;

  /** Waits for the other side, whatever comes, as open(2) does. */
  private FileChannel openLate() throws IOException {
    opener.complete(Thread.currentThread());
    try {
      otherSide.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
    opened =
        FileChannel.open(
            folder.resolve("file"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    return opened;
  }

  @Test
  void aChannelThatOpensWhenNobodyWaitsAnyLongerIsClosed() throws Exception {
    Thread.currentThread().interrupt();
    // Nothing is there that could be opened for both directions.
    assertThrows(
        InterruptedException.class, () -> Opening.open(folder.resolve("not-ours"), this::openLate));
    otherSide.countDown();
    Thread thread = opener.get(20, TimeUnit.SECONDS);
    assertTrue(thread.join(java.time.Duration.ofSeconds(20)));
    assertFalse(opened.isOpen());
  }
}
