package io.isle.apps.jobs.run;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;

/** Opens files of which the other side may have to come first, as a FIFO's. */
final class Opening {
  private static final Duration RELEASE = Duration.ofSeconds(1);

  private Opening() {}

  /** Opens {@code path}; an interrupt ends the wait for the other side. */
  static FileChannel open(Path path, OpenOption option) throws IOException, InterruptedException {
    if (Files.isRegularFile(path)) {
      return FileChannel.open(path, option);
    }
    // No interrupt reaches a thread that waits in open(2), so that is another one.
    FutureTask<FileChannel> opening = new FutureTask<>(() -> FileChannel.open(path, option));
    Thread thread = Thread.ofPlatform().daemon().name("isle-job-open").start(opening);
    try {
      return opening.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      release(path, thread);
      if (opening.state() == Future.State.SUCCESS) {
        opening.resultNow().close();
      }
      throw e;
    }
  }

  /** For a moment there is another side: opening for both directions does not wait. */
  private static void release(Path path, Thread thread) {
    try (FileChannel both =
        FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      boolean ignored = both.isOpen() && thread.join(RELEASE);
    } catch (IOException e) {
      // Not ours to open: the thread ends when the other side comes.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
