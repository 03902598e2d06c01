package io.isle.faces.ssh;

import io.isle.faces.shell.PlainText;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.apache.sshd.common.file.FileSystemAware;
import org.apache.sshd.server.Environment;
import org.apache.sshd.server.ExitCallback;
import org.apache.sshd.server.channel.ChannelSession;
import org.apache.sshd.server.command.Command;
import org.apache.sshd.server.command.CommandFactory;
import org.apache.sshd.server.shell.ShellFactory;

/**
 * Commands and consoles that print plain text where their client asked for no terminal. A command's
 * exit returns once its client knows of it.
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
    return command instanceof FileSystemAware ? command : new Plain(command, noted(channel));
  }

  @Override
  public Command createShell(ChannelSession channel) throws IOException {
    return new Plain(shells.createShell(channel), UnaryOperator.identity());
  }

  /**
   * Karaf ends the connection as soon as it has told that a command ended. A client that is about
   * to send something then takes it for lost, whatever the command's exit code. So it waits, in the
   * command's own thread, until the client has closed the channel.
   */
  private static UnaryOperator<ExitCallback> noted(ChannelSession channel) {
    return callback ->
        (code, message, now) -> {
          callback.onExit(code, message, now);
          channel.close(now).awaitUninterruptibly(NOTE);
        };
  }

  /** Gives its streams to the command when it starts: only then is it known what there is. */
  private static final class Plain implements Command {
    private final Command command;
    private final UnaryOperator<ExitCallback> exits;
    private OutputStream out;
    private OutputStream err;

    Plain(Command command, UnaryOperator<ExitCallback> exits) {
      this.command = command;
      this.exits = exits;
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
      command.setExitCallback(exits.apply(callback));
    }

    @Override
    public void start(ChannelSession channel, Environment environment) throws IOException {
      boolean terminal = environment.getEnv().containsKey(Environment.ENV_TERM);
      command.setOutputStream(terminal ? out : new PlainText(out));
      command.setErrorStream(terminal ? err : new PlainText(err));
      command.start(channel, environment);
    }

    @Override
    public void destroy(ChannelSession channel) throws Exception {
      command.destroy(channel);
    }
  }
}
