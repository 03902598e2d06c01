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

/**
 * One client: reads its request, runs it, and watches for an interrupt meanwhile. Whatever is
 * thrown here, the client gets a message and a code, so that it does not take the platform for
 * ended.
 */
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
      LOG.debug("A control client has disconnected: {}", e.toString());
    } catch (RuntimeException | Error e) {
      LOG.error("A control client could not be served because of a defect of the platform", e);
    }
  }

  private void serve() throws IOException {
    FrameWriter writer = new FrameWriter(Channels.newOutputStream(channel));
    DataInputStream in =
        new DataInputStream(new BufferedInputStream(Channels.newInputStream(channel)));
    int code = ExitStatus.FAILED;
    try {
      code = run(in, writer);
    } catch (RequestException e) {
      tell(writer, e.getMessage());
      code = ExitStatus.USAGE;
    } catch (RuntimeException | Error e) {
      LOG.warn("A command could not be run", e);
      tell(writer, "the platform could not run the command: " + e + "; see log:display");
    } finally {
      writer.exit(code);
    }
  }

  private int run(DataInputStream in, FrameWriter writer) throws IOException, RequestException {
    CommandRun run =
        new CommandRun(
            sessions,
            Request.read(in),
            writer.stream(FrameWriter.OUT),
            writer.stream(FrameWriter.ERR));
    running = run;
    Thread ignored =
        Thread.ofPlatform().daemon().name("isle-control-watch").start(() -> watch(in, run));
    return run.run();
  }

  private static void tell(FrameWriter writer, String message) throws IOException {
    writer.stream(FrameWriter.ERR)
        .write(("isle: " + message + "\n").getBytes(StandardCharsets.UTF_8));
  }

  /** Ends when the client sends a byte, leaves, or the channel is closed after the exit frame. */
  private static void watch(InputStream in, CommandRun run) {
    try {
      int received = in.read();
      LOG.debug("A control client interrupts ({})", received);
    } catch (IOException e) {
      LOG.debug("A control client has disconnected: {}", e.toString());
    } finally {
      run.interrupt();
    }
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
