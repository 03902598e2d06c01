package io.isle.faces.ssh;

import io.isle.faces.shell.PlainText;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.sshd.common.file.FileSystemAware;
import org.apache.sshd.server.Environment;
import org.apache.sshd.server.ExitCallback;
import org.apache.sshd.server.channel.ChannelSession;
import org.apache.sshd.server.command.Command;
import org.apache.sshd.server.command.CommandFactory;
import org.apache.sshd.server.shell.ShellFactory;

/** Commands and consoles that print plain text where their client asked for no terminal. */
final class PlainOutput implements CommandFactory, ShellFactory {
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
      command.setExitCallback(callback);
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
