package io.isle.net.xdp.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.lib.ffi.NetNamespace;
import io.isle.lib.ffi.PollSet;
import io.isle.net.xdp.netlink.Link;
import io.isle.net.xdp.netlink.NetMonitor;
import io.isle.net.xdp.testing.Spaces;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A process that has a lab is killed. */
@Timeout(60)
class LabKilledTest {
  /** Makes a lab, says where side a is, and waits for its end. */
  static final class Holder {
    private Holder() {}

    public static void main(String[] arguments) throws IOException {
      try (LabRegistry labs = new LabRegistry()) {
        System.out.println(labs.create("one", 1).getFirst().netns());
        int ignored = System.in.read();
      }
    }
  }

  /** This test keeps side a: its interface goes with side b, which nobody keeps. */
  @Test
  void nothingStays() throws IOException, InterruptedException {
    Spaces.create().close();
    Process holder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Holder.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader said = holder.inputReader()) {
      String netns = said.readLine();
      try (NetNamespace a = NetNamespace.ofPath(Path.of(netns));
          NetMonitor monitor = NetMonitor.in(a)) {
        assertTrue(monitor.poll());
        assertEquals(List.of("lo", "va"), names(monitor));
        var ignored = holder.destroyForcibly();
        assertTrue(holder.waitFor(10, TimeUnit.SECONDS));
        PollSet poll = new PollSet(1);
        poll.set(0, monitor.descriptor(), PollSet.POLLIN);
        while (names(monitor).contains("va")) {
          assertEquals(1, poll.await(1, TimeUnit.SECONDS.toNanos(20)), "va stays");
          boolean changed = monitor.poll();
          assertTrue(changed || !names(monitor).isEmpty());
        }
      }
    } finally {
      var ignored = holder.destroyForcibly();
    }
  }

  private static List<String> names(NetMonitor monitor) {
    return monitor.view().links().stream().map(Link::name).sorted().toList();
  }
}
