package io.isle.core.drivers.nativecode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.driver.DeviceRegistry.DeviceSpec;
import io.isle.api.driver.DeviceSeed;
import io.isle.core.drivers.nativecode.control.CoreConnection;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of driver hosts when the platform is killed, or who asked for them is gone. */
@Timeout(120)
class OrphansTest {
  private static final long SOON_NS = TimeUnit.SECONDS.toNanos(2);

  private static final String ASKS = "asks-for-hosts";

  /** TEST_ACTION_ESCAPE and TEST_TRY_TAKE_WATCH of the test driver. */
  private static final int ESCAPE = 8;

  private static final int TAKE_WATCH = 100;

  /**
   * A platform with the hosts of a device and a group, a standby, and a host whose driver has taken
   * over the thread that watches the platform, and its descriptors. It prints them.
   */
  static final class Platform {
    private Platform() {}

    public static void main(String[] args) throws Exception {
      NativeDriver driver =
          NativeDriver.look(
              SoftDevice.RUNTIME, SoftDevice.NATIVE.resolve("libsoftaccel.so"), line -> {});
      Map<String, String> values = new HashMap<>();
      driver
          .info()
          .settings()
          .forEach(each -> values.put(each.key(), each.normalise(each.defaultValue())));
      DeviceSpec spec = new DeviceSpec("soft0", new DeviceSeed("0", "", "test"), 2, true, values);
      List<String> pids = new ArrayList<>();
      // as the background's threads do: they are gone a moment later
      Thread asking =
          new Thread(
              () -> {
                for (int i = 0; i < 2; i++) {
                  NativeOpened opened =
                      driver.open(spec, 1, CoreConnection.of(new FakeAttachment()), cause -> {});
                  pids.add(opened.hostPid().orElseThrow().toString());
                }
                StandbyDriver standby =
                    driver.standby(spec, CoreConnection.of(new FakeAttachment()));
                pids.add(standby.pid().orElseThrow().toString());
              });
      asking.setName(ASKS);
      asking.start();
      asking.join();
      // for the kernel it ends a little later than for Java
      while (threads().contains(ASKS)) {
        Thread.onSpinWait();
      }
      SoftDevice hostile =
          new SoftDevice(SoftDevice.NATIVE.resolve("libtestdriver.so"), 2, Map.of());
      hostile.context(1 << 20);
      assertTrue(hostile.vendor(ESCAPE, TAKE_WATCH) > 0);
      hostile.awaitEnded(1);
      assertEquals(0, hostile.ended.getFirst().detail(), "the takeover's outcome");
      pids.add(hostile.opened.hostPid().orElseThrow().toString());
      System.out.println(String.join(" ", pids));
      System.out.flush();
      var ignored = System.in.read();
    }
  }

  /** Names of this process's threads, as the kernel has them. */
  private static Set<String> threads() throws IOException {
    Set<String> names = new HashSet<>();
    try (Stream<Path> tasks = Files.list(Path.of("/proc/self/task"))) {
      for (Path task : tasks.toList()) {
        names.add(Files.readString(task.resolve("comm")).strip());
      }
    } catch (NoSuchFileException e) {
      return threads();
    }
    return names;
  }

  /** One that has ended may lie there until somebody takes note of it. */
  private static boolean runs(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
      return "ZX".indexOf(stat.charAt(stat.lastIndexOf(')') + 2)) < 0;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void hostsGoWithAPlatformThatIsKilledAndWithNobodyElse() throws Exception {
    Process platform =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Disle.native=" + SoftDevice.NATIVE,
                "-cp",
                System.getProperty("java.class.path"),
                Platform.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader output = platform.inputReader()) {
      List<Long> hosts = Arrays.stream(output.readLine().split(" ")).map(Long::parseLong).toList();
      assertEquals(4, hosts.size());
      assertEquals(hosts, hosts.stream().filter(OrphansTest::runs).toList());
      // one of them could not end by itself if it wanted to
      String stopped = hosts.getFirst().toString();
      assertEquals(0, new ProcessBuilder("kill", "-STOP", stopped).start().waitFor());
      assertTrue(platform.toHandle().destroyForcibly());
      long until = System.nanoTime() + SOON_NS;
      while (hosts.stream().anyMatch(OrphansTest::runs) && System.nanoTime() < until) {
        Thread.onSpinWait();
      }
      assertEquals(List.of(), hosts.stream().filter(OrphansTest::runs).toList());
    } finally {
      platform.destroyForcibly();
    }
  }
}
