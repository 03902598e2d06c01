package io.isle.fabric.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.fabric.BankPort;
import io.isle.api.fabric.PortState;
import io.isle.api.fabric.RingPort;
import io.isle.api.fabric.RingSide;
import io.isle.lib.ffi.PollSet;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A neighbour in a process of its own, which is killed. */
@Timeout(120)
class KilledPeerTest {
  private final Driver driver = new Driver();
  private Process process;

  @AfterEach
  void close() {
    driver.close();
    if (process != null) {
      process.destroyForcibly();
    }
  }

  private void start() throws IOException {
    process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Neighbour.class.getName(),
                driver.name)
            .inheritIO()
            .start();
  }

  @Test
  void itsFramesAreReadItsEndWakesASleeperAndAnotherOneConnects()
      throws IOException, InterruptedException {
    BankPort prev = driver.listen();
    start();
    driver.untilUp(prev);
    assertEquals(
        "shm://" + driver.name + " (process " + process.pid() + ")", prev.peer().orElseThrow());
    for (int i = 0; i < 1_000; i++) {
      assertEquals("frame " + i, driver.receive(prev));
    }
    assertEquals(4, driver.send(prev, "stop"));
    driver.until("the last frames", () -> prev.next() != -Errno.EAGAIN);
    // the neighbour sends all of its last 64 frames before it waits
    assertEquals("last 0", driver.receive(prev));
    for (int i = 1; i < 63; i++) {
      assertEquals("last " + i, driver.receive(prev));
    }
    driver.until("the last one", () -> prev.next() > 0);
    PollSet set = new PollSet(16);
    int[] count = {0};
    prev.interests((fd, events) -> set.set(count[0]++, fd, PollSet.POLLIN), 0);
    process.destroyForcibly();
    assertTrue(set.await(count[0], 20 * Driver.SECOND) > 0);
    assertTrue(process.waitFor(20, TimeUnit.SECONDS));
    driver.pass(Driver.SECOND);
    assertEquals(-Errno.ENOTCONN, prev.claim());
    assertEquals(PortState.UP, prev.state());
    assertEquals("last 63", driver.receive(prev));
    assertEquals(-Errno.ENOTCONN, prev.next());
    assertTrue(prev.reason().endsWith("closed the connection or ended"), prev::reason);
    start();
    driver.until("again", () -> prev.paths() == 2);
    assertEquals("frame 0", driver.receive(prev));
  }

  /** The killed process. */
  static final class Neighbour {
    private Neighbour() {}

    public static void main(String[] arguments) {
      try (Driver driver = new Driver()) {
        BankPort next = driver.open(Driver.spec(RingSide.NEXT, arguments[0]));
        driver.untilUp(next);
        send(driver, next, "frame ", 1_000);
        if (!driver.receive(next).equals("stop")) {
          throw new AssertionError("not the frame of the listener");
        }
        send(driver, next, "last ", 64);
        PollSet set = new PollSet(16);
        int[] count = {0};
        next.interests((fd, events) -> set.set(count[0]++, fd, PollSet.POLLIN), 0);
        int ignored = set.await(count[0], 60 * Driver.SECOND);
      }
    }

    private static void send(Driver driver, BankPort next, String text, int frames) {
      for (int i = 0; i < frames; i++) {
        String frame = text + i;
        driver.until("room", () -> driver.send(next, frame) > 0);
      }
      next.interests((fd, events) -> {}, RingPort.READABLE);
    }
  }
}
