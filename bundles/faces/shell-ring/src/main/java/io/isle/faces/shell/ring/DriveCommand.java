package io.isle.faces.shell.ring;

import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.Progress;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.ShellException;
import io.isle.lib.drive.Positions;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.support.completers.FileCompleter;

/** {@code ring:drive}. */
@Service
@Command(
    scope = "ring",
    name = "drive",
    description =
        "Sends a file round a ring, in packets on end, and writes the replies to another file; the"
            + " last packet is padded with zeros, the file of replies has no padding")
@RequiredRole(
    value = Role.MANAGER,
    reason = "The command reads and writes files as the platform's user.")
public final class DriveCommand extends IsleCommand {
  private static final int MOST_WINDOW = 65_536;
  private static final int MOST_TIMEOUT_MS = 600_000;

  @Argument(name = "node", description = "Name of a master or of its ring", required = true)
  @Completion(MasterCompleter.class)
  private String node;

  @Option(
      name = "--in",
      description =
          "File, FIFO or /dev/stdin to send; a relative path starts at the caller's directory",
      required = true)
  @Completion(FileCompleter.class)
  private String in;

  @Option(
      name = "--out",
      description = "File for the replies; an existing file is replaced once all are there",
      required = true)
  @Completion(FileCompleter.class)
  private String out;

  @Option(
      name = "--pos",
      description =
          "Position of the first packet; if left out, on from the last packet of the node")
  private Long pos;

  @Option(
      name = "--pos-max",
      description =
          "Number of positions: 0 comes after this number - 1; for workers that keep a cache of"
              + " this many positions. 2147483648 if left out")
  private long posMax = Positions.ALL;

  @Option(
      name = "--no-reply",
      description = "Number of first packets that ask for no reply; 0 if left out")
  private long noReply;

  @Option(
      name = "--window",
      description = "Most packets on their way, 1 to 65536; 1 waits for each reply; 16 if left out")
  private int window = 16;

  @Option(
      name = "--timeout",
      description =
          "Milliseconds without any reply after which awaited replies count as lost, 1 to 600000;"
              + " 5000 if left out")
  private int timeout = 5000;

  @Override
  protected void run(Output output) {
    range("--pos-max", posMax, 1, Positions.ALL);
    if (pos != null) {
      range("--pos", pos, 0, posMax - 1);
    }
    range("--no-reply", noReply, 0, Long.MAX_VALUE);
    range("--window", window, 1, MOST_WINDOW);
    range("--timeout", timeout, 1, MOST_TIMEOUT_MS);
    FileDrive.Wanted wanted =
        new FileDrive.Wanted(
            path(in), path(out), pos, posMax, noReply, window, timeout * 1_000_000L);
    try (Progress progress = new Progress(System.err, watched())) {
      FileDrive.Done done =
          Masters.with(
              services(), node, "drive", endpoint -> new FileDrive(endpoint, progress).run(wanted));
      progress.hide();
      done.print(output);
      done.check();
    }
  }

  private static void range(String option, long value, long least, long most) {
    if (value < least || value > most) {
      throw ShellException.usage(option + " " + value + " is not in " + least + ".." + most);
    }
  }

  /** For tests. */
  DriveCommand of(String master, String from, String to) {
    node = master;
    in = from;
    out = to;
    return this;
  }

  /** For tests. */
  DriveCommand at(Long first, long positions, long silent, int most, int ms) {
    pos = first;
    posMax = positions;
    noReply = silent;
    window = most;
    timeout = ms;
    return this;
  }
}
