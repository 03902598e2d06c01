package io.isle.net.xdp.host;

import io.isle.net.xdp.host.child.TileProcessMain;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The command of a process: tile-host, which becomes a JVM of our installation.
 *
 * @param host executable of tile-host
 */
record JvmCommand(Path host) {
  /** Private memory: heap, code, stacks, and the JVM itself. */
  private static final long MEMORY_BYTES = 768L << 20;

  /** Files of an installation that distributions keep elsewhere. */
  private static final List<String> MOVED =
      List.of("conf/security/java.security", "conf/logging.properties", "lib/security/cacerts");

  /** Few system calls, no files of its own, and no door for tools. */
  private static final List<String> JVM =
      List.of(
          "-Xmx64m",
          "-Xss512k",
          "-XX:+UseSerialGC",
          "-XX:MaxMetaspaceSize=64m",
          "-XX:ReservedCodeCacheSize=48m",
          "-XX:-UsePerfData",
          "-XX:+DisableAttachMechanism",
          "-XX:-UseContainerSupport",
          "-XX:-MaxFDLimit",
          "-XX:+ExitOnOutOfMemoryError",
          "-XX:+ErrorFileToStdout",
          "-XX:-CreateCoredumpOnCrash",
          "-Xshare:auto",
          "-Xlog:disable",
          "-Xlog:all=error:stderr",
          "--enable-native-access=ALL-UNNAMED");

  List<String> of(String socket, TileVersion version) {
    Path home = Path.of(System.getProperty("java.home"));
    List<String> command = new ArrayList<>();
    command.add(host.toString());
    command.add(socket);
    command.add(home.toString());
    command.add("--memory=" + MEMORY_BYTES);
    readable(home, version).forEach(path -> command.add("--read=" + path));
    command.add("--");
    command.addAll(JVM);
    command.add("-cp");
    command.add(version.classPath().stream().map(Path::toString).collect(Collectors.joining(":")));
    command.add(TileProcessMain.class.getName());
    command.add(version.type());
    return command;
  }

  private static Set<Path> readable(Path home, TileVersion version) {
    Set<Path> readable = new LinkedHashSet<>();
    for (String moved : MOVED) {
      try {
        Path real = home.resolve(moved).toRealPath();
        if (!real.startsWith(home.toRealPath())) {
          readable.add(real.getParent());
        }
      } catch (IOException e) {
        // an installation without the file needs no access
      }
    }
    readable.addAll(version.classPath());
    return readable;
  }
}
