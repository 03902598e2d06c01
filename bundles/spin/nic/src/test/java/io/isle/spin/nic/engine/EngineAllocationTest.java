package io.isle.spin.nic.engine;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.isle.api.driver.HpuLimits;
import io.isle.api.net.port.OpenPort;
import io.isle.api.net.port.PortCounters;
import io.isle.api.spin.HostReply;
import io.isle.api.spin.RulesetPreset;
import io.isle.spin.nic.hpus.JavaHpus;
import io.isle.spin.nic.hpus.TaskBounds;
import io.isle.spin.nic.plan.ContextPlan;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class EngineAllocationTest {
  private static final int PACKETS = 10_000;
  private static final long PATIENCE_NS = 60_000_000_000L;

  /** The same frame again and again. */
  private static final class OneFrame implements OpenPort {
    private final MemorySegment frame = MemorySegment.ofArray(new byte[60]);
    private final MemorySegment memory = MemorySegment.ofArray(new byte[2048]);
    boolean arrives;
    long sent;

    @Override
    public String address() {
      return "memory:one";
    }

    @Override
    public int descriptor() {
      return -1;
    }

    @Override
    public String failure() {
      return "";
    }

    @Override
    public PortCounters counters() {
      return new PortCounters(0, 0, 0, 0);
    }

    @Override
    public int poll(Handler handler, int limit) {
      if (!arrives) {
        return 0;
      }
      arrives = false;
      handler.frame(frame, 0, 60, 0);
      return 1;
    }

    @Override
    public int pollInPlace(PlaceHandler handler, int limit) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long overruns() {
      return 0;
    }

    @Override
    public MemorySegment memory() {
      return memory;
    }

    @Override
    public int mtu() {
      return 1536;
    }

    @Override
    public long claim(int length) {
      return 0;
    }

    @Override
    public int publish(int length, long signature) {
      sent++;
      return 0;
    }

    @Override
    public int flush() {
      return 0;
    }

    @Override
    public void close() {}
  }

  @Test
  void cyclesAllocateNothing() {
    NicEngine engine = new NicEngine(System::nanoTime, 2, Long.MAX_VALUE);
    OneFrame port = new OneFrame();
    engine.port().use(port);
    JavaHpus hpus = JavaHpus.of(16);
    HpuLimits limits = new HpuLimits(5000, 1000, 16, 0);
    LiveSlot slot =
        engine.slot(new SlotPlan("nic0", "ping", TaskBounds.of(limits), HostReply.NONE));
    slot.use(hpus.nic());
    engine.attach(0, new ContextPlan("g", RulesetPreset.MATCH.ruleset(), false, true, false), slot);
    byte[] answer = new byte[60];
    JavaHpus.Handler handler = (all, hpu, kind, packet) -> all.send(hpu, answer) ? 0 : 1;
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long me = Thread.currentThread().threadId();
    double least = Double.MAX_VALUE;
    long end = System.nanoTime() + PATIENCE_NS;
    while (least >= 0.5 && System.nanoTime() - end < 0) {
      long cycles = 0;
      for (int i = 0; i < PACKETS; i++) {
        port.arrives = true;
        long before = threads.getThreadAllocatedBytes(me);
        engine.cycle();
        long between = threads.getThreadAllocatedBytes(me);
        hpus.stepAll(handler);
        long again = threads.getThreadAllocatedBytes(me);
        engine.cycle();
        cycles += between - before + threads.getThreadAllocatedBytes(me) - again;
      }
      least = cycles / (double) PACKETS;
    }
    assertTrue(least < 0.5, least + " bytes a packet");
    assertTrue(port.sent >= PACKETS);
  }
}
