package io.isle.apps.jobs.run;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** Opens files of which the other side may have to come first, as a FIFO's. */
final class Opening {
  private static final Duration RELEASE = Duration.ofSeconds(1);

  private Opening() {}

  /** Opens {@code path}; an interrupt ends the wait for the other side. */
  static FileChannel open(Path path, OpenOption option) throws IOException, InterruptedException {
    if (Files.isRegularFile(path)) {
      return FileChannel.open(path, option);
    }
    return open(path, () -> FileChannel.open(path, option));
  }

  /** As the other, for what is no regular file. */
  static FileChannel open(Path path, Opener opener) throws IOException, InterruptedException {
    CompletableFuture<FileChannel> opening = new CompletableFuture<>();
    // No interrupt reaches a thread that waits in open(2), so that is another one.
    Thread thread =
        Thread.ofPlatform().daemon().name("isle-job-open").start(() -> complete(opening, opener));
    try {
      return opening.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      if (opening.cancel(false)) {
        release(path, thread);
      } else if (opening.state() == Future.State.SUCCESS) {
        opening.resultNow().close();
      }
      throw e;
    }
  }

  /** A channel that opens when nobody waits any longer is closed by the thread that opened it. */
  private static void complete(CompletableFuture<FileChannel> opening, Opener opener) {
    try {
      FileChannel channel = opener.open();
      if (!opening.complete(channel)) {
        channel.close();
      }
    } catch (Throwable e) {
      // whoever waits must hear of an error, too
      opening.completeExceptionally(e);
    }
  }

  /** For a moment there is another side: opening for both directions does not wait. */
  private static void release(Path path, Thread thread) {
    try (FileChannel both =
        FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      boolean ignored = both.isOpen() && thread.join(RELEASE);
    } catch (IOException e) {
      // Not ours to open: the thread stays until the other side comes, and closes what it opened.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Opens the channel; may wait for the other side. */
  interface Opener {
    FileChannel open() throws IOException;
  }
}
