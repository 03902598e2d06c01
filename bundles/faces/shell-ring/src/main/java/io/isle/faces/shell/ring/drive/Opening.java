package io.isle.faces.shell.ring.drive;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Opens a FIFO or a device to read, which may wait for its other side. */
final class Opening {
  private Opening() {}

  /** Opens the file; an interrupt ends the wait. */
  static FileChannel open(Path file) throws IOException, InterruptedException {
    CompletableFuture<FileChannel> opened = new CompletableFuture<>();
    // no interrupt reaches a thread that waits in open(2), so that is another one
    Thread.ofPlatform().daemon().name("isle-ring-drive-open").start(() -> complete(file, opened));
    try {
      return opened.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failed) {
        throw failed;
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      if (opened.cancel(false)) {
        release(file);
      } else {
        opened.resultNow().close();
      }
      throw e;
    }
  }

  /** A file that opens when nobody waits any longer is closed at once. */
  private static void complete(Path file, CompletableFuture<FileChannel> opened) {
    try {
      FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
      if (!opened.complete(channel)) {
        channel.close();
      }
    } catch (Throwable e) {
      // the thread that waits has to hear of an error, too
      boolean ignored = opened.completeExceptionally(e);
    }
  }

  /** For a moment the FIFO has another side: opening for both directions does not wait. */
  private static void release(Path file) {
    try {
      FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE).close();
    } catch (IOException e) {
      // no right to write: the thread stays until the other side comes, and closes what it opened
    }
  }
}
