package io.isle.itests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The indented and the fenced blocks of a page: commands, and what the page says they print. */
final class ShownBlocks {
  /** Beginnings of lines that no test runs, and why. */
  static final Map<String, String> LEFT_OUT =
      Map.of(
          "./isle test", "the tests of the documentation are a part of it",
          "./isle chaos", "runs for minutes; ChaosIT has a short run",
          "mvn ", "would build into the folders that the tests run on",
          "git clone", "NewAreaIT goes the way from a clone to a command, in a copy",
          "scripts/spin-public", "needs the public sources; SpinPublicIT has others",
          "scripts/", "writes into the checkout; NewAreaIT does so in a copy",
          "./isle sh 'probe:", "NewAreaIT has the subsystem",
          "native-shims/spin/spin-cc", "spin_cc-test builds and runs the file of the page");

  /** Beginnings of lines that only root can run. */
  private static final List<String> FOR_ROOT =
      List.of(
          "./isle sh 'net:lab create",
          "./isle sh 'net:verdict",
          "./isle run examples/net-echo",
          "cmp README.md back");

  private static final boolean ROOT = System.getProperty("user.name").equals("root");

  /** Jobs of pages that are not run, because the user is not root. */
  static final Set<String> JOBS_NOT_RUN = ROOT ? Set.of() : Set.of("net-echo");

  private static final String FENCE = "```";

  /** With which words, besides a program's path, the first line of commands begins. */
  private static final Set<String> COMMANDS =
      Set.of(
          ("apt-get bash cat cc cd chmod cmp cp curl cut dd diff docker echo env exec export find"
                  + " for gcc git grep gzip head if java javac jcmd kill ln ls make mkdir mkfifo"
                  + " mount mv mvn openssl printf ps rm sed seq sh sleep sort split ssh sudo"
                  + " systemctl tail tar tee touch tr unzip until wait while zip")
              .split(" ", -1));

  private ShownBlocks() {}

  /**
   * Lines that are indented, one after the other, or lines between two fences.
   *
   * @param lines without the indentation
   */
  record Block(List<String> lines) {
    /** Whether they are commands and not, say, what commands print or a part of a file. */
    boolean isCommands() {
      String word = lines.getFirst().split("\\s+", 2)[0];
      return COMMANDS.contains(word)
          || word.contains("/") && !word.startsWith("/")
          || lines.stream().anyMatch(line -> line.startsWith("./isle "));
    }

    /** The commands that can be run by a test; may be empty. */
    String script() {
      StringBuilder script = new StringBuilder();
      lines.stream()
          .filter(line -> LEFT_OUT.keySet().stream().noneMatch(line::startsWith))
          .filter(line -> ROOT || FOR_ROOT.stream().noneMatch(line::startsWith))
          .forEach(line -> script.append(line).append('\n'));
      return script.toString();
    }
  }

  /** The pages whose commands are run. */
  static List<Path> pages(Path root) throws IOException {
    List<Path> pages = new ArrayList<>(List.of(root.resolve("README.md")));
    pages.add(root.resolve("CONTRIBUTING.md"));
    for (String folder : List.of("docs", "examples")) {
      try (Stream<Path> files = Files.walk(root.resolve(folder))) {
        files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
      }
    }
    return pages;
  }

  static List<Block> of(List<String> page) {
    List<Block> blocks = new ArrayList<>();
    List<String> lines = new ArrayList<>();
    boolean fenced = false;
    for (String line : Stream.concat(page.stream(), Stream.of("")).toList()) {
      boolean fence = line.startsWith(FENCE);
      if (!fence && (fenced ? !line.isBlank() : line.startsWith("    "))) {
        lines.add(line.strip());
      } else if ((fence || !fenced) && !lines.isEmpty()) {
        blocks.add(new Block(List.copyOf(lines)));
        lines.clear();
      }
      fenced ^= fence;
    }
    return blocks;
  }
}
