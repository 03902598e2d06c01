package io.isle.faces.shell.net.program;

import io.isle.api.net.FrameJudge;
import io.isle.api.net.FrameMatch;
import io.isle.api.net.FramePrograms;
import io.isle.api.net.FrameVerdict;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.Progress;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.ShellException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.support.completers.FileCompleter;

/** {@code net:verdict}. */
@Service
@Command(
    scope = "net",
    name = "verdict",
    description =
        "Asks the kernel what a program does with the frames of files, on a queue with a socket; no"
            + " frame is sent; see docs/net-program.md")
@RequiredRole(
    value = Role.ADMIN,
    reason = "The command loads a program into the kernel and reads files as the platform's user.")
public final class VerdictCommand extends IsleCommand {
  private static final int MOST_FRAMES = 1_000_000;
  private static final int INSTRUCTION_BYTES = 8;
  private static final String PREFIX = "XDP_";

  @Argument(
      name = "files",
      description =
          "Files of frames: pcap, pcapng, or one frame as it is; a relative path starts at the"
              + " caller's directory",
      required = true,
      multiValued = true)
  @Completion(FileCompleter.class)
  private List<String> files;

  @Option(
      name = "--program",
      description = "File of a program's instructions; its maps become one XSKMAP of this command")
  @Completion(FileCompleter.class)
  private String program;

  @Option(
      name = "--ports",
      description =
          "Instead of a file, the program of net:program for these UDP destination ports, 1 to 16"
              + " numbers with commas between")
  private String ports;

  @Option(name = "--dst", description = "With --ports: destination address A.B.C.D")
  private String address;

  @Option(name = "--no-gre", description = "With --ports: leave packets inside GRE to the kernel")
  private boolean withoutGre;

  @Option(
      name = "--expect",
      description = "Fail unless each frame has this verdict, such as PASS or REDIRECT")
  @Completion(VerdictCompleter.class)
  private String expected;

  @Option(
      name = "--repeat",
      description = "Runs for each frame, whose mean time is shown, 1 to 10000; 100 if left out")
  private int repeat = 100;

  @Override
  protected void run(Output output) {
    if ((program == null) == (ports == null)) {
      throw ShellException.usage("one of --program and --ports is needed");
    }
    if (program != null && (address != null || withoutGre)) {
      throw ShellException.usage("--dst and --no-gre go with --ports, not with --program");
    }
    if (repeat < 1 || repeat > FrameJudge.MAX_REPEAT) {
      throw ShellException.usage("--repeat " + repeat + " is not in 1.." + FrameJudge.MAX_REPEAT);
    }
    String wanted = expected == null ? null : verdict(expected);
    FrameMatch match = ports == null ? null : Matches.of(ports, address, !withoutGre);
    List<VerdictRow> rows =
        services()
            .with(
                FramePrograms.class,
                all -> judged(all, match == null ? programFile() : all.program(match, 0)));
    output.table(VerdictRow.table(), rows);
    if (!output.json()) {
      output.line(summary(rows));
    }
    if (wanted != null) {
      check(rows, wanted);
    }
  }

  /** In the kernel's words, with or without their prefix. */
  private static String verdict(String text) {
    String upper = text.toUpperCase(Locale.ROOT);
    String name = upper.startsWith(PREFIX) ? upper.substring(PREFIX.length()) : upper;
    if (!FrameVerdict.names().contains(name)) {
      throw ShellException.usage(
          "--expect '%s' is not one of %s"
              .formatted(text, String.join(", ", FrameVerdict.names())));
    }
    return name;
  }

  private byte[] programFile() {
    Path path = path(program);
    try (InputStream stream = Files.newInputStream(path)) {
      return stream.readNBytes(FramePrograms.MAX_INSTRUCTIONS * INSTRUCTION_BYTES + 1);
    } catch (IOException e) {
      throw ShellException.failed(path + " cannot be read: " + e);
    }
  }

  private List<VerdictRow> judged(FramePrograms programs, byte[] instructions) {
    List<VerdictRow> rows = new ArrayList<>();
    try (FrameJudge judge = programs.load(instructions);
        Progress progress = new Progress(System.err, watched())) {
      for (String file : files) {
        long ignored =
            FrameFile.each(
                path(file),
                (number, frame) -> {
                  checkGoingOn(rows);
                  progress.show(() -> rows.size() + " frames, now of " + file);
                  FrameVerdict verdict = judge.judge(frame, repeat);
                  rows.add(new VerdictRow(file, number, frame.byteSize(), verdict));
                });
      }
    }
    return rows;
  }

  private static void checkGoingOn(List<VerdictRow> rows) {
    if (Thread.interrupted()) {
      Thread.currentThread().interrupt();
      throw ShellException.interrupted("interrupted after " + rows.size() + " frames");
    }
    if (rows.size() == MOST_FRAMES) {
      throw ShellException.failed("more than " + MOST_FRAMES + " frames; name fewer files");
    }
  }

  private static String summary(List<VerdictRow> rows) {
    Map<String, Long> counts =
        rows.stream()
            .collect(
                Collectors.groupingBy(
                    row -> row.verdict().text(), TreeMap::new, Collectors.counting()));
    return counts.entrySet().stream()
        .map(one -> one.getValue() + " " + one.getKey())
        .collect(Collectors.joining(", ", rows.size() + " frames: ", ""));
  }

  private static void check(List<VerdictRow> rows, String wanted) {
    List<VerdictRow> others =
        rows.stream().filter(row -> !row.verdict().text().equals(wanted)).toList();
    if (rows.isEmpty()) {
      throw ShellException.failed("no frame has a verdict; " + wanted + " is expected");
    }
    if (!others.isEmpty()) {
      VerdictRow first = others.getFirst();
      throw ShellException.failed(
          "%s, frame %d: the verdict is %s, expected is %s%s"
              .formatted(
                  first.file(),
                  first.frame(),
                  first.verdict().text(),
                  wanted,
                  others.size() == 1 ? "" : "; so of " + others.size() + " frames"));
    }
  }

  /** For tests. */
  VerdictCommand of(String file, String numbers, String... frames) {
    program = file;
    ports = numbers;
    files = List.of(frames);
    return this;
  }

  /** For tests. */
  VerdictCommand expecting(String verdict, String destination, int runs) {
    expected = verdict;
    address = destination;
    repeat = runs;
    return this;
  }
}
