package io.isle.benchmarks.ring;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ProcessTimeTest {
  @Test
  @Timeout(60)
  void theTimeOfThisProcessIsThatOfTheJvm() throws IOException {
    long pid = ProcessHandle.current().pid();
    double before = ProcessTime.ns(pid);
    while (ProcessTime.ns(pid) - before < 5e7) {
      Thread.onSpinWait();
    }
    Duration jvm = ProcessHandle.current().info().totalCpuDuration().orElseThrow();
    double now = ProcessTime.ns(pid);
    assertTrue(now >= jvm.toNanos() - 1e7 && now < jvm.toNanos() + 5e8, now + " against " + jvm);
  }
}
