package io.isle.faces.shell.spin;

import io.isle.api.spin.Rulesets;
import io.isle.api.spin.SpinException;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.Progress;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.ShellException;
import io.isle.lib.packet.capture.CaptureException;
import io.isle.lib.packet.capture.CaptureReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.support.completers.FileCompleter;

/** {@code spin:match}. */
@Service
@Command(
    scope = "spin",
    name = "match",
    description =
        "Shows which packets of a capture match rulesets, and their messages; see docs/spin.md")
@RequiredRole(value = Role.MANAGER, reason = "The command reads files as the platform's user.")
public final class MatchCommand extends IsleCommand {
  @Argument(
      name = "pcap",
      description =
          "Capture, pcap or pcapng, of any link type; a relative path starts at the caller's"
              + " directory",
      required = true)
  @Completion(FileCompleter.class)
  private String pcap;

  @Option(
      name = "--rules",
      description =
          "Rulesets with ; between, such as 'AND IP IP_PROTO(17) EOM FALSE' or 'slmp; icmp-echo'",
      required = true)
  @Completion(RulesCompleter.class)
  private String rules;

  @Override
  protected void run(Output output) {
    TraceMatch trace = new TraceMatch(rulesets());
    read(path(pcap), trace);
    if (output.json()) {
      output.document(trace.document());
      return;
    }
    output.table(RulesetCount.table(), trace.rulesets());
    output.line(trace.summary());
  }

  private Rulesets rulesets() {
    try {
      return Rulesets.parse(rules);
    } catch (SpinException e) {
      throw ShellException.usage("--" + e.getMessage());
    }
  }

  private void read(Path path, TraceMatch trace) {
    try (CaptureReader reader = CaptureReader.open(Files.newInputStream(path), path.toString());
        Progress progress = new Progress(System.err, watched())) {
      while (reader.next()) {
        checkGoingOn(trace);
        trace.packet(reader.memory(), reader.length());
        progress.show(() -> trace.packets() + " packets");
      }
    } catch (NoSuchFileException e) {
      throw ShellException.failed(path + " does not exist");
    } catch (CaptureException e) {
      throw ShellException.failed(e.getMessage());
    } catch (IOException e) {
      throw ShellException.failed(path + " cannot be read: " + e);
    }
  }

  private static void checkGoingOn(TraceMatch trace) {
    if (Thread.interrupted()) {
      Thread.currentThread().interrupt();
      throw ShellException.interrupted("interrupted after " + trace.packets() + " packets");
    }
  }

  /** For tests. */
  MatchCommand of(String file, String text) {
    pcap = file;
    rules = text;
    return this;
  }
}
