package io.isle.faces.control;

import io.isle.api.base.ExitStatus;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import org.apache.karaf.shell.api.console.SessionFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One client: reads its request, runs it, and watches for an interrupt meanwhile. */
final class Connection implements Runnable, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Connection.class);

  private final SocketChannel channel;
  private final SessionFactory sessions;
  private volatile CommandRun running;

  Connection(SocketChannel channel, SessionFactory sessions) {
    this.channel = channel;
    this.sessions = sessions;
  }

  @Override
  public void run() {
    try (channel) {
      serve();
    } catch (IOException e) {
      LOG.debug("A control client left: {}", e.toString());
    }
  }

  private void serve() throws IOException {
    FrameWriter writer = new FrameWriter(Channels.newOutputStream(channel));
    DataInputStream in =
        new DataInputStream(new BufferedInputStream(Channels.newInputStream(channel)));
    CommandRun run;
    try {
      Request request = Request.read(in);
      run =
          new CommandRun(
              sessions, request, writer.stream(FrameWriter.OUT), writer.stream(FrameWriter.ERR));
    } catch (RequestException e) {
      byte[] message = ("isle: " + e.getMessage() + "\n").getBytes(StandardCharsets.UTF_8);
      writer.stream(FrameWriter.ERR).write(message);
      writer.exit(ExitStatus.USAGE);
      return;
    }
    running = run;
    Thread.ofPlatform().daemon().name("isle-control-watch").start(() -> watch(in, run));
    writer.exit(run.run());
  }

  /** Ends when the client sends a byte, leaves, or the channel is closed after the exit frame. */
  private static void watch(InputStream in, CommandRun run) {
    try {
      int received = in.read();
      LOG.debug("A control client interrupts ({})", received);
    } catch (IOException e) {
      LOG.debug("A control client is gone: {}", e.toString());
    }
    run.interrupt();
  }

  /** Whether this client's own command calls. */
  boolean isCalling() {
    CommandRun run = running;
    return run != null && run.isCalling();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
