package io.isle.itests;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A FIFO that a job reads: the job is in the middle of its work for as long as this is open. */
final class Feed implements AutoCloseable {
  private final Path path;
  private final FileChannel channel;

  private Feed(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  static Feed create(Path path) throws IOException {
    Call.begin(path.getParent(), java.util.Map.of(), List.of("mkfifo", path.toString()))
        .end()
        .succeeded();
    // For reading too: so it opens without waiting for the other side.
    return new Feed(
        path, FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE));
  }

  Path path() {
    return path;
  }

  /** Returns once the job has read the bytes, but for the few that the kernel keeps. */
  void give(byte[] bytes) throws Exception {
    OutputStream out = Channels.newOutputStream(channel);
    CompletableFuture.runAsync(
            () -> {
              try {
                out.write(bytes);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            },
            Call::startThread)
        .get(30, TimeUnit.SECONDS);
  }

  /** The job sees the end of its input. Idempotent. */
  void end() throws IOException {
    channel.close();
  }

  @Override
  public void close() throws IOException {
    end();
  }
}
