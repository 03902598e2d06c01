package io.isle.net.apps;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.isle.api.base.Errno;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DropTaskTest {
  private final MemoryPort port = new MemoryPort();
  private final DropTask task = new DropTask(port);

  @Test
  void wholeFramesAreCounted() {
    port.put(new byte[60], 0);
    port.put(new byte[1000], 0);
    port.put(new byte[100], 0);
    port.spoilNext();
    assertEquals(2, task.cycle(0));
    assertEquals(Map.of("received", 2L, "bytes", 1100L, "overruns", 1L), task.counters());
    assertEquals(0, task.cycle(0));
    assertEquals(0, port.take().length);
  }

  @Test
  void theEndOfThePortIsTheEnd() {
    port.close();
    assertEquals(-Errno.ECLOSED, task.cycle(0));
    assertEquals(-Errno.ECLOSED, task.cycle(0));
  }
}
