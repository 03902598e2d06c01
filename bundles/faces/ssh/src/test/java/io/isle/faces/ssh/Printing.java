package io.isle.faces.ssh;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.apache.sshd.server.Environment;
import org.apache.sshd.server.ExitCallback;
import org.apache.sshd.server.channel.ChannelSession;
import org.apache.sshd.server.command.Command;

/** Prints its line to both streams, and ends in a thread of its own, as Karaf's commands do. */
final class Printing implements Command {
  /** Whether the client had closed the channel when the exit returned. */
  final CompletableFuture<Boolean> noted = new CompletableFuture<>();

  private final byte[] line;
  private OutputStream out;
  private OutputStream err;
  private ExitCallback exit;

  Printing(String line) {
    this.line = line.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void setInputStream(InputStream stream) {}

  @Override
  public void setOutputStream(OutputStream stream) {
    out = stream;
  }

  @Override
  public void setErrorStream(OutputStream stream) {
    err = stream;
  }

  @Override
  public void setExitCallback(ExitCallback callback) {
    exit = callback;
  }

  @Override
  public void start(ChannelSession channel, Environment environment) {
    Thread.ofPlatform().start(() -> run(channel));
  }

  private void run(ChannelSession channel) {
    try {
      out.write(line);
      out.flush();
      err.write(line);
      err.flush();
      exit.onExit(0);
      noted.complete(channel.isClosed());
    } catch (IOException e) {
      noted.completeExceptionally(e);
    }
  }

  @Override
  public void destroy(ChannelSession channel) {}
}
