package io.isle.net.xdp.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.net.NetAppTask;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Apps on the thread of a tile, which their defects must not end. */
class AppAgentTest {
  private static final class Task implements NetAppTask {
    int cycles;
    RuntimeException inCycle;
    RuntimeException inDeadline;
    int result = 1;

    @Override
    public int cycle(long nowNs) {
      cycles++;
      if (inCycle != null) {
        throw inCycle;
      }
      return result;
    }

    @Override
    public long deadlineNs() {
      if (inDeadline != null) {
        throw inDeadline;
      }
      return 7;
    }

    @Override
    public Map<String, Long> counters() {
      return Map.of();
    }

    @Override
    public void close() {}
  }

  private final Task task = new Task();
  private final AppAgent agent = new AppAgent("app", task);

  private void isOver() {
    int before = task.cycles;
    assertEquals(0, agent.cycle(2));
    assertEquals(before, task.cycles);
    assertEquals(Long.MAX_VALUE, agent.deadlineNs());
  }

  @Test
  void aTaskThatHasEndedIsNotCalledAgain() {
    assertEquals(1, agent.cycle(1));
    assertEquals(7, agent.deadlineNs());
    task.result = -Errno.ECLOSED;
    assertEquals(0, agent.cycle(2));
    isOver();
    assertEquals("", agent.failure());
  }

  @Test
  void aCycleThatThrowsEndsTheTaskAlone() {
    task.inCycle = new IllegalStateException("planned");
    assertEquals(0, agent.cycle(1));
    isOver();
    assertTrue(agent.failure().contains("planned"), agent.failure());
  }

  @Test
  void aDeadlineThatThrowsEndsTheTaskAlone() {
    task.inDeadline = new IllegalStateException("planned");
    assertEquals(Long.MAX_VALUE, agent.deadlineNs());
    isOver();
    assertTrue(agent.failure().contains("planned"), agent.failure());
  }
}
