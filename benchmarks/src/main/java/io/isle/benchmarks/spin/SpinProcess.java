package io.isle.benchmarks.spin;

import com.sun.management.ThreadMXBean;
import io.isle.api.spin.PacketMatcher;
import io.isle.api.spin.RulesetPreset;
import io.isle.api.spin.Rulesets;
import io.isle.spin.nic.core.AbortReason;
import io.isle.spin.nic.core.NicCore;
import io.isle.spin.nic.core.NicOutput;
import io.isle.spin.nic.core.NicTask;
import io.isle.spin.nic.plan.ContextPlan;
import io.isle.spin.nic.plan.NicLimits;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Our side in a JVM of its own: {@code match} or {@code allocation}. Reads numbers of packets;
 * answers each with nanoseconds, or bytes, of a packet.
 */
public final class SpinProcess implements NicOutput {
  private static final long ALIGNMENT = 16;

  private final MemorySegment packets;
  private final long[] offsets = new long[SamplePackets.COUNT];
  private final int[] lengths = new int[SamplePackets.COUNT];
  private final PacketMatcher matcher =
      new PacketMatcher(new Rulesets(List.of(RulesetPreset.SLMP.ruleset())));
  private final NicCore core = new NicCore(NicLimits.FPSPIN, 1, 1000, this);
  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final MemorySegment memory =
      MemorySegment.ofArray(new byte[(int) NicLimits.FPSPIN.packetBytes()]);
  private long tag;
  private long now;
  private long matched;

  private SpinProcess() {
    byte[][] all = SamplePackets.all();
    long end = 0;
    for (int i = 0; i < all.length; i++) {
      offsets[i] = end;
      lengths[i] = all[i].length;
      // as malloc gives memory to the peer
      end += all[i].length + ALIGNMENT - 1 & -ALIGNMENT;
    }
    packets = Arena.global().allocate(end, ALIGNMENT);
    for (int i = 0; i < all.length; i++) {
      MemorySegment.copy(all[i], 0, packets, ValueLayout.JAVA_BYTE, offsets[i], lengths[i]);
    }
    core.attach(0, new ContextPlan("bench", RulesetPreset.SLMP.ruleset(), true, true, true));
  }

  public static void main(String[] arguments) throws IOException {
    SpinProcess process = new SpinProcess();
    boolean match = arguments[0].equals("match");
    try (BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      String line = commands.readLine();
      while (line != null) {
        int count = Integer.parseInt(line);
        System.out.println(match ? process.match(count) : process.allocated(count));
        line = commands.readLine();
      }
    }
  }

  private double match(int count) {
    long start = System.nanoTime();
    for (int i = 0; i < count; i++) {
      int at = i & SamplePackets.COUNT - 1;
      matched += matcher.match(packets, offsets[at], lengths[at]) == PacketMatcher.NONE ? 0 : 1;
    }
    double nanos = (System.nanoTime() - start) / (double) count;
    if (matched == 0) {
      throw new IllegalStateException("no packet matches");
    }
    return nanos;
  }

  private double allocated(int count) {
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < count; i++) {
      int at = i & SamplePackets.COUNT - 1;
      int ignored = core.arrive(packets, offsets[at], lengths[at], ++now);
      while (core.dispatch(++now) > 0) {
        ignored = core.complete(tag, false, ++now);
      }
      ignored = core.expire(now);
    }
    long bytes = threads.getCurrentThreadAllocatedBytes() - before;
    if (core.counters(0).messages() == 0) {
      throw new IllegalStateException("no message has ended");
    }
    return bytes / (double) count;
  }

  @Override
  public void store(int context, int slot, MemorySegment from, long offset, int length) {
    MemorySegment.copy(from, offset, memory, NicLimits.FPSPIN.offset(slot), length);
  }

  @Override
  public void dispatch(NicTask task) {
    tag = task.tag();
  }

  @Override
  public void aborted(int context, int message, AbortReason reason) {}
}
