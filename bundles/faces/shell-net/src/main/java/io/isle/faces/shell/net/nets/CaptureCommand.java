package io.isle.faces.shell.net.nets;

import io.isle.api.base.Errno;
import io.isle.api.net.AppInfo;
import io.isle.api.net.NetException;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.Progress;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.ShellException;
import io.isle.faces.shell.Table;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code net:capture}: an app of the kind capture for the time of the command. */
@Service
@Command(
    scope = "net",
    name = "capture",
    description =
        "Writes the frames of a net in both directions, and those that were dropped with the reason,"
            + " to a file (pcapng), until Ctrl-C or for --seconds")
@RequiredRole(value = Role.ADMIN, reason = "Frames of all apps of the net can be read.")
public final class CaptureCommand extends IsleCommand {
  private static final int MOST_SECONDS = 7 * 86_400;

  @Argument(name = "net", description = "Name of the net", required = true)
  @Completion(NetCompleter.class)
  private String net;

  @Option(name = "--out", description = "The file, which is replaced", required = true)
  private String out;

  @Option(name = "--port", description = "Only frames from or to this UDP port")
  private Integer port;

  @Option(name = "--host", description = "Only frames from or to this address")
  private String host;

  @Option(name = "--dropped", description = "Only frames that the tile dropped")
  private boolean dropped;

  @Option(name = "--snap", description = "Most bytes of a frame, 14 to 262144")
  private Integer snap;

  @Option(name = "--seconds", description = "End after so many seconds, 1 to 604800")
  private Integer seconds;

  /**
   * What was captured.
   *
   * @param lost frames that were not written, because the file was too slow
   */
  private record Captured(String net, String file, long frames, long lost, boolean interrupted) {}

  @Override
  protected void run(Output output) {
    if (seconds != null && (seconds < 1 || seconds > MOST_SECONDS)) {
      throw ShellException.usage("--seconds: " + seconds + " is not in 1.." + MOST_SECONDS);
    }
    if (NetRows.named(services(), net).isEmpty()) {
      throw new NetException(Errno.ENOENT, "no net '" + net + "'; see net:list");
    }
    Captured captured;
    try (PassingApp app = new PassingApp(services(), "capture", settings());
        Progress progress = new Progress(System.err, watched())) {
      captured = watch(app, progress);
    }
    print(output, captured);
  }

  private Map<String, String> settings() {
    Map<String, String> settings = new HashMap<>();
    settings.put("nets", net);
    settings.put("out", path(out).toString());
    settings.put("name", net);
    settings.put("dropped", Boolean.toString(dropped));
    if (port != null) {
      settings.put("port", port.toString());
    }
    if (host != null) {
      settings.put("host", host);
    }
    if (snap != null) {
      settings.put("snap", snap.toString());
    }
    return settings;
  }

  private Captured watch(PassingApp app, Progress progress) {
    long end = seconds == null ? 0 : System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    AppInfo now = app.look();
    boolean interrupted = false;
    while (!interrupted && (seconds == null || System.nanoTime() - end < 0)) {
      interrupted = !PassingApp.pause();
      now = app.look();
      long frames = now.received();
      progress.show(() -> "captured " + frames + " frames");
    }
    Captured captured = new Captured(net, out, now.received(), now.overruns(), interrupted);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return captured;
  }

  private void print(Output output, Captured captured) {
    boolean interrupted = Thread.interrupted();
    output.table(
        new Table<Captured>("")
            .column("net", Captured::net)
            .column("file", Captured::file)
            .whole()
            .column("frames", Captured::frames)
            .column("lost", Captured::lost),
        List.of(captured));
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (captured.interrupted() && seconds != null) {
      throw ShellException.interrupted(
          "interrupted after " + captured.frames() + " frames were captured");
    }
  }

  /** For tests. */
  CaptureCommand of(String name, String file, Integer time) {
    net = name;
    out = file;
    seconds = time;
    return this;
  }
}
