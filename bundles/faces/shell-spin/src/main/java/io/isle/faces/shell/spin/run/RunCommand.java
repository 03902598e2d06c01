package io.isle.faces.shell.spin.run;

import io.isle.api.spin.ContextSpec;
import io.isle.api.spin.HandlerSource;
import io.isle.api.spin.HostReply;
import io.isle.api.spin.Ruleset;
import io.isle.api.spin.Rulesets;
import io.isle.api.spin.RunResult;
import io.isle.api.spin.RunSpec;
import io.isle.api.spin.SpinException;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.Progress;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.ShellException;
import io.isle.faces.shell.spin.RegionCompleter;
import io.isle.faces.shell.spin.RulesCompleter;
import io.isle.lib.packet.capture.CaptureException;
import io.isle.lib.packet.capture.CaptureReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.support.completers.FileCompleter;

/** {@code spin:run}. */
@Service
@Command(
    scope = "spin",
    name = "run",
    description = "Runs handlers of packets on a capture; see docs/spin.md")
@RequiredRole(
    value = Role.MANAGER,
    reason =
        "The command reads and writes files as the platform's user, and runs code in a process of"
            + " its own. For handlers in C, it requires the role admin.")
public final class RunCommand extends IsleCommand {
  /** All handler memory of the FPGA. */
  private static final int HANDLER_MEMORY = 1 << 20;

  @Argument(
      name = "handlers",
      description =
          "File in C (.c), image (.spin), or name of the handlers of a bundle; a relative path"
              + " starts at the caller's directory",
      required = true)
  @Completion(HandlersCompleter.class)
  private String handlers;

  @Argument(
      index = 1,
      name = "pcap",
      description = "Capture, pcap or pcapng, of any link type",
      required = true)
  @Completion(FileCompleter.class)
  private String pcap;

  @Option(
      name = "--rules",
      description =
          "One ruleset, such as 'AND IP IP_PROTO(17) EOM FALSE' or slmp; if left out, the bundle's,"
              + " else match")
  @Completion(RulesCompleter.class)
  private String rules;

  @Option(name = "--out", description = "File (pcap) for the frames that handlers send")
  @Completion(FileCompleter.class)
  private String out;

  @Option(name = "--unmatched", description = "File (pcap) for the packets that match no rules")
  @Completion(FileCompleter.class)
  private String unmatched;

  @Option(
      name = "--init",
      description = "File with the first bytes of handler memory; zeros follow")
  @Completion(FileCompleter.class)
  private String init;

  @Option(
      name = "--host-pages",
      description = "Pages of 4096 bytes that handlers and host share, 0 to 1024; 16 if left out")
  private int hostPages = 16;

  @Option(
      name = "--host-reply",
      description =
          "Answer to requests of handlers to the host: echo, or none, which ends in a trap; echo if"
              + " left out")
  @Completion(HostReplyCompleter.class)
  private String hostReply = "echo";

  @Option(
      name = "--dump",
      description =
          "Write memory to a file at the end: host:FILE, handler:FILE or scratchpad:FILE; can be"
              + " given several times",
      multiValued = true)
  @Completion(RegionCompleter.class)
  private List<String> dumps = List.of();

  @Option(
      name = "--cflags",
      description = "Options -D, -I and -O of the compiler, such as '-DDO_HOST=1 -I headers'")
  private String cflags;

  @Option(
      name = "--device",
      description = "Device with the HPUs, such as spin0; if left out, any that takes handlers")
  @Completion(DeviceCompleter.class)
  private String device;

  @Override
  protected void run(Output output) {
    List<Dump> memory = dumps.stream().map(text -> Dump.of(text, this::path)).toList();
    ContextSpec spec = spec();
    Path capture = path(pcap);
    RunRows rows;
    RunResult result;
    try (CaptureReader reader = open(capture);
        FrameFile sent = frames(out, reader);
        FrameFile others = frames(unmatched, reader)) {
      RunOutput seen = new RunOutput(reader, sent, others, memory);
      result = run(spec, reader, seen);
      for (FrameFile file : new FrameFile[] {sent, others}) {
        if (file != null) {
          file.finish();
        }
      }
      rows = new RunRows(result, seen);
    } catch (NoSuchFileException e) {
      throw ShellException.failed(e.getFile() + " does not exist");
    } catch (CaptureException e) {
      throw ShellException.failed(e.getMessage());
    } catch (IOException e) {
      throw ShellException.failed("a file cannot be read or written: " + e);
    }
    if (output.json()) {
      output.document(rows.document());
    } else {
      rows.print(output);
    }
    if (!result.stopped().isEmpty()) {
      throw ShellException.failed(result.stopped());
    }
    if (result.traps() > 0) {
      throw ShellException.failed("handlers have not returned: " + result.traps());
    }
  }

  private static CaptureReader open(Path capture) throws IOException {
    if (Files.isDirectory(capture)) {
      throw ShellException.failed(capture + " is a directory");
    }
    return CaptureReader.open(Files.newInputStream(capture), capture.toString());
  }

  private FrameFile frames(String name, CaptureReader reader) {
    if (name == null) {
      return null;
    }
    Path file = path(name);
    try {
      return new FrameFile(file, reader.linkType());
    } catch (NoSuchFileException e) {
      throw ShellException.failed(file + " cannot be written: its folder does not exist");
    } catch (IOException e) {
      throw ShellException.failed(file + " cannot be written: " + e);
    }
  }

  private RunResult run(ContextSpec spec, CaptureReader reader, RunOutput seen) throws IOException {
    RunSpec all = new RunSpec(Optional.ofNullable(device), spec);
    try (Progress progress = new Progress(System.err, watched())) {
      return new CapableRun(all, new CapturePackets(reader, progress), seen).run(services());
    }
  }

  private ContextSpec spec() {
    HandlerSource source = HandlerFiles.source(services(), handlers, cflags, this::path);
    byte[] first = init == null ? null : HandlerFiles.bytes(path(init), HANDLER_MEMORY);
    try {
      ContextSpec spec =
          ContextSpec.of(CapableRun.TENANT, source)
              .withHandlerMemory(HANDLER_MEMORY)
              .withHostPages(hostPages)
              .withHostReply(reply());
      spec = rules == null ? spec : spec.withRules(ruleset());
      return first == null ? spec : spec.withInit(first);
    } catch (SpinException e) {
      throw ShellException.usage(e.getMessage());
    }
  }

  private HostReply reply() {
    for (HostReply one : HostReply.values()) {
      if (one.text().equals(hostReply.toLowerCase(Locale.ROOT))) {
        return one;
      }
    }
    throw ShellException.usage("--host-reply '" + hostReply + "' is neither echo nor none");
  }

  private Ruleset ruleset() {
    Rulesets all;
    try {
      all = Rulesets.parse(rules);
    } catch (SpinException e) {
      throw ShellException.usage("--" + e.getMessage());
    }
    if (all.all().size() > 1) {
      throw ShellException.usage(
          "--rules has " + all.all().size() + " rulesets; handlers have one");
    }
    return all.all().getFirst();
  }

  /** For tests. */
  RunCommand of(String image, String capture, String ruleset, String... regions) {
    handlers = image;
    pcap = capture;
    rules = ruleset;
    dumps = List.of(regions);
    return this;
  }

  /** For tests. */
  RunCommand writing(String frames, String others) {
    out = frames;
    unmatched = others;
    return this;
  }

  /** For tests. */
  RunCommand with(String begin, int pages, String reply, String options) {
    init = begin;
    hostPages = pages;
    hostReply = reply;
    cflags = options;
    return this;
  }
}
