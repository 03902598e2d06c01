package io.isle.faces.ssh;

import io.isle.faces.shell.PlainText;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import org.apache.sshd.common.file.FileSystemAware;
import org.apache.sshd.server.Environment;
import org.apache.sshd.server.ExitCallback;
import org.apache.sshd.server.channel.ChannelSession;
import org.apache.sshd.server.command.Command;
import org.apache.sshd.server.command.CommandFactory;
import org.apache.sshd.server.shell.ShellFactory;

/**
 * Commands and consoles that print plain text where their client asked for no terminal. The exit of
 * one returns once its client knows of it.
 */
final class PlainOutput implements CommandFactory, ShellFactory {
  /** For a client to take note of a command's end. */
  private static final Duration NOTE = Duration.ofSeconds(10);

  private final CommandFactory commands;
  private final ShellFactory shells;

  PlainOutput(CommandFactory commands, ShellFactory shells) {
    this.commands = commands;
    this.shells = shells;
  }

  @Override
  public Command createCommand(ChannelSession channel, String line) throws IOException {
    Command command = commands.createCommand(channel, line);
    // a copy of files, which is no text
    return command instanceof FileSystemAware ? command : new Plain(command);
  }

  @Override
  public Command createShell(ChannelSession channel) throws IOException {
    return new Plain(shells.createShell(channel));
  }

  /** Gives its streams to the command when it starts: only then is it known what there is. */
  private static final class Plain implements Command {
    private final Command command;
    private OutputStream out;
    private OutputStream err;
    private ExitCallback exit;

    Plain(Command command) {
      this.command = command;
    }

    @Override
    public void setInputStream(InputStream stream) {
      command.setInputStream(stream);
    }

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
      boolean terminal = environment.getEnv().containsKey(Environment.ENV_TERM);
      command.setOutputStream(terminal ? out : new PlainText(out));
      command.setErrorStream(terminal ? err : new PlainText(err));
      command.setExitCallback((code, message, now) -> exit(channel, code, message, now));
      command.start(channel, environment);
    }

    /**
     * Karaf ends the connection as soon as it has told that a command ended. A client that is about
     * to send something then takes it for lost, whatever the exit code. So this waits, in the
     * command's own thread, until the client has closed the channel. A channel that closes already
     * tells of that in a thread of the server, which must not wait.
     */
    private void exit(ChannelSession channel, int code, String message, boolean now) {
      boolean closing = channel.isClosing();
      exit.onExit(code, message, now);
      if (!closing) {
        boolean ignored = channel.close(now).awaitUninterruptibly(NOTE);
      }
    }

    @Override
    public void destroy(ChannelSession channel) throws Exception {
      command.destroy(channel);
    }
  }
}
