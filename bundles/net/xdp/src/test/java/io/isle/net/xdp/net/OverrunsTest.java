package io.isle.net.xdp.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Setting;
import io.isle.api.net.FramePort;
import io.isle.api.net.FrameSource;
import io.isle.api.net.NetApp;
import io.isle.api.net.NetAppTask;
import io.isle.api.net.NetCounter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.DatagramSocket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An app that is slower than its frames loses some, and each of them has a counter. */
@Timeout(120)
class OverrunsTest extends NetFixture {
  private static final int DEPTH = 128;
  private static final int FRAMES = 500;

  /** Frames that the app may still begin to read. */
  private final AtomicInteger allowed = new AtomicInteger();

  private final AtomicInteger begun = new AtomicInteger();

  /** Reads a frame in place for as long as the test wants. */
  private final class Slow implements NetApp {
    @Override
    public List<Setting> settings() {
      return List.of();
    }

    @Override
    public NetAppTask open(FramePort port, Map<String, String> settings) {
      return new NetAppTask() {
        @Override
        public int cycle(long nowNs) {
          return begun.get() < allowed.get() ? port.pollInPlace(new Read(), 1) : 0;
        }

        @Override
        public Map<String, Long> counters() {
          return Map.of("begun", (long) begun.get());
        }

        @Override
        public void close() {
          allowed.set(Integer.MAX_VALUE);
        }
      };
    }
  }

  private final class Read implements FrameSource.PlaceHandler {
    @Override
    public void frame(MemorySegment memory, long offset, int length, long signature) {
      int mine = begun.incrementAndGet();
      while (mine == allowed.get()) {
        Thread.onSpinWait();
      }
    }

    @Override
    public void valid() {}

    @Override
    public void overrun() {}
  }

  /** Few enough at a time for the rings of the kernel. */
  private void send(DatagramSocket client, int frames) throws IOException {
    long before = counter("rx", "seen");
    for (int i = 1; i <= frames; i++) {
      client.send(packet(i, PORT));
      long least = before + i - 200;
      until(() -> counter("rx", "seen") >= least);
    }
  }

  @Test
  void framesThatAreLostWhileAnAppPollsAndReadsAreApart() throws IOException {
    core.add("slow", new Slow());
    core.create("n", settings());
    core.createApp(
        "late",
        Map.of("kind", "slow", "nets", "n", "ports", Integer.toString(PORT), "depth", "" + DEPTH));
    running();
    until(() -> app("late").running());
    try (DatagramSocket client = client()) {
      send(client, FRAMES);
      until(() -> counter("rx", "passed") == FRAMES);
      allowed.set(1);
      until(() -> begun.get() == 1);
      long polling = counter("app", "overrun_polling");
      assertTrue(polling >= FRAMES - DEPTH, this::counters);
      assertEquals(0, counter("app", "overrun_reading"));
      send(client, FRAMES);
      until(() -> counter("rx", "passed") == 2 * FRAMES);
      allowed.set(Integer.MAX_VALUE);
      until(() -> counter("app", "seen") == 2 * FRAMES);
    }
    assertTrue(counter("app", "overrun_reading") >= 1, this::counters);
    assertEquals(
        counter("app", "seen"),
        counter("app", "passed")
            + counter("app", "overrun_polling")
            + counter("app", "overrun_reading"));
    assertEquals(app("late").overrunsPolling(), counter("app", "overrun_polling"));
    assertEquals(app("late").overrunsReading(), counter("app", "overrun_reading"));
    assertEquals(begun.get(), counter("kind", "begun"));
    assertEquals(
        List.of("late"),
        core.counters("n").stream()
            .filter(one -> one.tile() < 0)
            .map(NetCounter::app)
            .distinct()
            .toList());
  }
}
