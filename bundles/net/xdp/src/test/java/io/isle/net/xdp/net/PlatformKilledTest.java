package io.isle.net.xdp.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.net.NetException;
import io.isle.api.net.NetInfo;
import io.isle.api.net.NetState;
import io.isle.api.net.TileProcessInfo;
import io.isle.api.observe.AuditTrail;
import io.isle.lib.agent.ThreadedAgentHost;
import io.isle.net.tile.TileService;
import io.isle.net.xdp.host.child.TileProcessMain;
import io.isle.net.xdp.lab.LabRegistry;
import io.isle.net.xdp.lab.NetSpaces;
import io.isle.net.xdp.testing.Spaces;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A platform is killed while a net's tile runs in a process: that and its standby end, too. */
@Timeout(120)
class PlatformKilledTest {
  private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(20);

  @TempDir Path folder;

  /** Runs a net, and says the ids of the process of its tile and of the standby. */
  static final class Holder {
    private Holder() {}

    public static void main(String[] arguments) throws IOException {
      Path folder = Path.of(arguments[0]);
      try (LabRegistry labs = new LabRegistry();
          ThreadedAgentHost host = new ThreadedAgentHost(0, System::nanoTime);
          NetCore core =
              new NetCore(
                  new MemoryFiles(),
                  host,
                  new NetSpaces(labs),
                  folder,
                  new AuditTrail(() -> null, NetException::new),
                  new HostFile(folder.resolve("net-hosts")),
                  ClassPathTiles.hosts())) {
        String netns = labs.create("one", 1).getLast().netns();
        core.add(new TileService());
        core.create(
            "n",
            Map.of(
                "interface", "vb",
                "netns", netns,
                "placement", "process",
                "rx_queue", "512",
                "tx_queue", "256",
                "app_frames", "1024"));
        System.out.println(processes(core));
        int ignored = System.in.read();
      }
    }

    private static String processes(NetCore core) {
      long end = System.nanoTime() + LIMIT_NS;
      while (System.nanoTime() - end < 0) {
        NetInfo net = core.find("n").orElseThrow();
        Optional<TileProcessInfo> process =
            net.tiles().stream().flatMap(tile -> tile.process().stream()).findFirst();
        if (net.state() == NetState.RUNNING && process.orElseThrow().standby().isPresent()) {
          return process.get().pid().orElseThrow() + " " + process.get().standby().orElseThrow();
        }
        Thread.onSpinWait();
      }
      return core.infos().toString();
    }
  }

  @Test
  void processesOfItsTilesEnd() throws IOException, InterruptedException {
    try (Platform platform = new Platform()) {
      platform.kill();
      platform.awaitEndOfTiles();
    }
  }

  /** A stopped process sees no socket that hangs up: the kernel ends it. */
  @Test
  void stoppedProcessesOfItsTilesEnd() throws IOException, InterruptedException {
    try (Platform platform = new Platform()) {
      for (String tile : platform.tiles) {
        assertEquals(0, new ProcessBuilder("kill", "-STOP", tile).inheritIO().start().waitFor());
      }
      platform.kill();
      platform.awaitEndOfTiles();
    }
  }

  private final class Platform implements AutoCloseable {
    private final Process process;
    private final List<String> tiles;

    Platform() throws IOException {
      Spaces.create().close();
      process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-XX:TieredStopAtLevel=1",
                  "-XX:+UseSerialGC",
                  "--enable-native-access=ALL-UNNAMED",
                  "-Disle.native=" + System.getProperty("isle.native"),
                  "-cp",
                  System.getProperty("java.class.path"),
                  Holder.class.getName(),
                  folder.toString())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      BufferedReader said = process.inputReader();
      String line = said.readLine();
      tiles = Arrays.asList(line.split(" "));
      assertEquals(2, tiles.size(), line);
      for (String tile : tiles) {
        assertTrue(command(tile).contains(TileProcessMain.class.getName()), command(tile));
      }
    }

    void kill() throws InterruptedException {
      Process killed = process.destroyForcibly();
      assertTrue(killed.waitFor(20, TimeUnit.SECONDS));
    }

    void awaitEndOfTiles() {
      long end = System.nanoTime() + LIMIT_NS;
      for (String tile : tiles) {
        while (command(tile).contains(TileProcessMain.class.getName())) {
          assertFalse(System.nanoTime() - end >= 0, "process " + tile + " stays");
          Thread.onSpinWait();
        }
      }
    }

    /** Empty when the process has ended, even if nobody has waited for it. */
    private String command(String process) {
      try {
        return Files.readString(Path.of("/proc", process, "cmdline"));
      } catch (IOException e) {
        return "";
      }
    }

    @Override
    public void close() {
      Process ignored = process.destroyForcibly();
    }
  }
}
