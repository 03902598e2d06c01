package io.isle.itests;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The SDK, written once for all tests into a path with spaces, and drivers built from it. */
final class Sdk {
  private static final Path TARGET = Path.of(System.getProperty("isle.target")).toAbsolutePath();
  private static final Path FOLDER = TARGET.resolve("driver sdk");

  /** Which build the SDK was written in. */
  private static final Path WRITTEN = TARGET.resolve("driver sdk of");

  /** Locked, until it is closed, while a JVM looks for the SDK or writes it. */
  private static final Path LOCK = TARGET.resolve("driver sdk.lock");

  private static final String BUILD = System.getProperty("isle.build");
  private static boolean written;

  private Sdk() {}

  static synchronized Path folder() {
    if (!written) {
      try (FileChannel lock = FileChannel.open(LOCK, CREATE, WRITE)) {
        lock.lock();
        if (!Files.exists(WRITTEN) || !Files.readString(WRITTEN).equals(BUILD)) {
          delete(FOLDER);
          Call.isle(Map.of(), List.of("sdk", FOLDER.toString())).end().succeeded();
          Files.writeString(WRITTEN, BUILD);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      written = true;
    }
    return FOLDER;
  }

  /** A copy of a template, outside of the tree as far as it can know. */
  static Path copy(String template, Path to) {
    run("cp", "-R", folder().resolve("templates").resolve(template).toString(), to.toString())
        .succeeded();
    return to;
  }

  /** A copy of an example of the source tree that is built with the SDK. */
  static Path example(String name, Path to) {
    run("cp", "-R", Platform.root().resolve("examples").resolve(name).toString(), to.toString())
        .succeeded();
    return to;
  }

  /** Builds a copy of the native template; its jar. */
  static Path buildNative(Path folder, String version) {
    run("make", "-C", folder.toString(), "VERSION=" + version).succeeded();
    return folder.resolve("build/demo-" + version + ".jar");
  }

  /** Builds a copy of the Java template; its jar. */
  static Path buildJava(Path folder, String version) {
    tool("isle-mvn", "-o", "-q", "-f", folder.toString(), "package").succeeded();
    return folder.resolve("target/jdemo-" + version + ".jar");
  }

  /** Runs one of the SDK's tools. */
  static Platform.Result tool(String name, String... arguments) {
    String[] command = new String[arguments.length + 1];
    command[0] = folder().resolve("bin").resolve(name).toString();
    System.arraycopy(arguments, 0, command, 1, arguments.length);
    return run(command);
  }

  static Platform.Result run(String... command) {
    return Call.begin(TARGET, Map.of("MAVEN_OPTS", mavenOptions()), List.of(command)).end();
  }

  /**
   * Options of Maven's JVM: what it fetches from the SDK goes into a repository of the tests, and
   * little is compiled and one thread collects garbage, since it does not run for long.
   */
  static String mavenOptions() {
    return "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Dmaven.repo.local="
        + withoutSpaces(repository());
  }

  /** The script of Maven splits its options at spaces, whatever is quoted. */
  private static Path withoutSpaces(Path folder) {
    if (!folder.toString().contains(" ")) {
      return folder;
    }
    try {
      Path own = Files.createTempDirectory("isle-m2-");
      own.toFile().deleteOnExit();
      Path link = own.resolve("m2");
      link.toFile().deleteOnExit();
      return Files.createSymbolicLink(link, folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The local repository, by links, but for Isle's own artifacts; of this JVM. */
  private static synchronized Path repository() {
    Path real = Path.of(System.getProperty("isle.repository"));
    Path mine = Path.of(System.getProperty("isle.m2"));
    try {
      delete(mine);
      link(real, mine, "io");
      link(real.resolve("io"), mine.resolve("io"), "isle");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return mine;
  }

  private static void link(Path from, Path to, String without) throws IOException {
    Files.createDirectories(to);
    if (!Files.isDirectory(from)) {
      return;
    }
    try (Stream<Path> entries = Files.list(from)) {
      for (Path entry : entries.toList()) {
        if (!entry.getFileName().toString().equals(without)) {
          Files.createSymbolicLink(to.resolve(entry.getFileName()), entry);
        }
      }
    }
  }

  /** Deletes a folder if it is there; links are not followed. */
  static void delete(Path folder) {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
