package io.isle.faces.shell.net.nets;

import io.isle.api.net.AppInfo;
import io.isle.api.net.NetAdmin;
import io.isle.api.net.NetInfo;
import io.isle.api.net.NetState;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.Progress;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.ShellException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code net:pktgen}: an app of the kind pktgen for the time of the command. */
@Service
@Command(
    scope = "net",
    name = "pktgen",
    description =
        "Sends frames of 60 bytes that no host takes, until --count, --seconds or Ctrl-C, and shows"
            + " the rate")
@RequiredRole(
    value = Role.ADMIN,
    reason = "The kernel gets a route meanwhile, and the network gets frames.")
public final class PktgenCommand extends IsleCommand {
  private static final String DEPTH = "512";
  private static final int MOST_SECONDS = 7 * 86_400;

  /** A tile that does not run leaves frames in its link. */
  private static final long SETTLE_NS = TimeUnit.SECONDS.toNanos(2);

  @Argument(name = "net", description = "Name of the net", required = true)
  @Completion(NetCompleter.class)
  private String net;

  @Option(name = "--rate", description = "Frames a second, 1 to 1000000000; else as many as leave")
  private Long rate;

  @Option(name = "--count", description = "End after so many frames, 1 or more")
  private Long count;

  @Option(name = "--seconds", description = "End after so many seconds, 1 to 604800")
  private Integer seconds;

  @Option(
      name = "--fake-dst-ip",
      description = "Address of no host, which is routed to the net meanwhile; usually 198.18.0.64")
  private String address;

  @Override
  protected void run(Output output) {
    check();
    List<NetInfo> found = NetRows.named(services(), net);
    if (found.getFirst().state() != NetState.RUNNING) {
      throw ShellException.failed("net " + net + ": " + found.getFirst().reason());
    }
    PktgenResult result;
    boolean interrupted;
    try (PassingApp app = new PassingApp(services(), "pktgen", settings());
        Progress progress = new Progress(System.err, watched())) {
      interrupted = watch(app, progress);
      result = settled(app);
    }
    result.print(output);
    if (interrupted && (count != null || seconds != null)) {
      throw ShellException.interrupted("interrupted after " + result.sent() + " frames");
    }
  }

  private Map<String, String> settings() {
    Map<String, String> settings = new HashMap<>();
    settings.put("nets", net);
    settings.put("depth", DEPTH);
    if (rate != null) {
      settings.put("rate", rate.toString());
    }
    if (count != null) {
      settings.put("count", count.toString());
    }
    if (address != null) {
      settings.put("fake_dst_ip", address);
    }
    return settings;
  }

  /** Until the end; true if the user has interrupted before. */
  private boolean watch(PassingApp app, Progress progress) {
    long end = seconds == null ? 0 : System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (seconds == null || System.nanoTime() - end < 0) {
      if (!PassingApp.pause()) {
        return true;
      }
      AppInfo now = app.look();
      PktgenResult sent = read(app);
      progress.show(() -> sent.line() + (count == null ? "" : " of " + count));
      if (count != null && now.sent() >= count) {
        return false;
      }
    }
    return false;
  }

  /** The counts, when tiles have looked at all frames; without a limit, more come all the time. */
  private PktgenResult settled(PassingApp app) {
    long end = System.nanoTime() + SETTLE_NS;
    PktgenResult result = read(app);
    while (count != null && !result.isSettled() && System.nanoTime() - end < 0) {
      if (!PassingApp.pause()) {
        return result;
      }
      result = read(app);
    }
    return result;
  }

  private PktgenResult read(PassingApp app) {
    return PktgenResult.of(
        services().with(NetAdmin.class, admin -> admin.counters(net)), app.name());
  }

  private void check() {
    if (rate == null && count == null && seconds == null) {
      throw ShellException.usage("an end or a rate: --count N, --seconds N or --rate N");
    }
    if (rate != null && rate < 1) {
      throw ShellException.usage("--rate: " + rate + " is not 1 or more");
    }
    if (count != null && count < 1) {
      throw ShellException.usage("--count: " + count + " is not 1 or more");
    }
    if (seconds != null && (seconds < 1 || seconds > MOST_SECONDS)) {
      throw ShellException.usage("--seconds: " + seconds + " is not in 1.." + MOST_SECONDS);
    }
  }

  /** For tests. */
  PktgenCommand of(String name, Long frames, Integer time) {
    net = name;
    count = frames;
    seconds = time;
    return this;
  }
}
