package io.isle.faces.ssh;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.apache.sshd.server.Environment;
import org.apache.sshd.server.ExitCallback;
import org.apache.sshd.server.channel.ChannelSession;
import org.apache.sshd.server.command.Command;

/** Prints its line to both streams, and ends. */
final class Printing implements Command {
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
  public void start(ChannelSession channel, Environment environment) throws IOException {
    out.write(line);
    out.flush();
    err.write(line);
    err.flush();
    exit.onExit(0);
  }

  @Override
  public void destroy(ChannelSession channel) {}
}
