package io.isle.spin.nic.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.spin.Rulesets;
import io.isle.spin.nic.plan.ContextPlan;
import io.isle.spin.nic.plan.NicLimits;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A network interface whose every output is checked: who runs, on which packet, after what. The
 * packet's byte 0 says its context, byte 40 whether it ends its message, 44 to 47 have its id.
 */
final class Harness implements NicOutput {
  private static final int MORE_BYTES = 12;
  private static final int MOST_CLUSTERS = 16;

  /** A packet in a slot. */
  record Packet(int number, int message, boolean ends, int length) {}

  /** A task on an HPU. */
  record Running(long tag, int context, int queue, HandlerKind kind, Packet packet) {}

  /** What has run of the message of a queue. */
  private static final class Progress {
    boolean open;
    boolean headerDone;
    int message;
    int running;
    final int[] lastNumber = new int[MOST_CLUSTERS];
  }

  private final NicLimits limits;
  final NicCore core;
  final List<Running> running = new ArrayList<>();
  final List<String> events = new ArrayList<>();
  final Map<Integer, Integer> packetRuns = new HashMap<>();
  final ContextPlan[] plans = new ContextPlan[Rulesets.SLOTS];
  private final Map<Integer, Packet> stored = new HashMap<>();
  private final Map<Integer, Progress> progress = new HashMap<>();
  private final Set<Long> tags = new HashSet<>();
  private Packet arriving;
  private int arrived;
  long now;

  Harness(NicLimits limits, int parallel, long timeoutNs) {
    this.limits = limits;
    core = new NicCore(limits, parallel, timeoutNs, this);
  }

  /** A context whose packets have its number in their first byte. */
  static ContextPlan plan(int slot, String group, String end, String handlers) {
    String rules =
        "AND {0, 0xff000000, 0x0%d000000, 0x0%d000000} EOM %s".formatted(slot, slot, end);
    return new ContextPlan(
        group,
        Rulesets.parse(rules).all().getFirst(),
        handlers.contains("h"),
        handlers.contains("p"),
        handlers.contains("t"));
  }

  /** A context with messages that byte 40 ends. */
  void attach(int slot, String group, String handlers) {
    plans[slot] = plan(slot, group, "{10, 0xff000000, 0x01000000, 0x01000000}", handlers);
    core.attach(slot, plans[slot]);
  }

  static byte[] bytes(int context, int message, boolean ends, int length) {
    byte[] bytes = new byte[length];
    bytes[0] = (byte) context;
    bytes[40] = (byte) (ends ? 1 : 0);
    for (int i = 0; i < 4; i++) {
      bytes[44 + i] = (byte) (message >>> 8 * i);
    }
    return bytes;
  }

  /** A packet of 48 bytes, or longer by some. */
  int arrive(int context, int message, boolean ends, int more) {
    byte[] bytes = bytes(context, message, ends, 48 + more * MORE_BYTES);
    arriving = new Packet(arrived++, message, ends, bytes.length);
    int result = core.arrive(MemorySegment.ofArray(bytes), 0, bytes.length, now);
    assertTrue(result < 0 || arriving == null, "a packet is taken and not stored");
    return result;
  }

  @Override
  public void store(int context, int slot, MemorySegment memory, long offset, int length) {
    assertEquals(arriving.length(), length);
    Packet ignored = stored.put(context << 20 | slot, arriving);
    for (Running task : running) {
      assertTrue(
          task.context() != context || !task.packet().equals(ignored), "a slot is used twice");
    }
    arriving = null;
  }

  @Override
  public void dispatch(NicTask task) {
    assertTrue(tags.add(task.tag()), "a tag comes again");
    Packet packet = stored.get(task.context() << 20 | task.slot());
    assertEquals(packet.length(), task.length());
    assertEquals(packet.message(), task.message());
    assertEquals(packet.ends(), task.endsMessage());
    assertEquals(packet.message() & 15, task.queue());
    for (Running other : running) {
      assertNotEquals(other.tag() & 0xFF, task.hpu(), "an HPU has two tasks");
    }
    running.add(new Running(task.tag(), task.context(), task.queue(), task.handler(), packet));
    if (!plans[task.context()].packetsStandAlone()) {
      check(task, packet);
    } else {
      assertEquals(HandlerKind.PACKET, task.handler());
    }
    if (task.handler() == HandlerKind.PACKET) {
      assertNull(packetRuns.put(packet.number(), task.context()), "a packet runs twice");
    }
  }

  private Progress progress(int context, int queue) {
    return progress.computeIfAbsent(context << 8 | queue, key -> new Progress());
  }

  private void check(NicTask task, Packet packet) {
    Progress message = progress(task.context(), task.queue());
    boolean header = plans[task.context()].header();
    // the end of a message without a tail handler is not seen
    boolean fresh = !plans[task.context()].tail() && message.running == 0;
    if (!message.open || fresh && (!header || task.handler() == HandlerKind.HEADER)) {
      assertEquals(0, message.running, "a message begins while another runs");
      assertTrue(!header || task.handler() == HandlerKind.HEADER, "no header handler first");
      message.open = true;
      message.headerDone = !header;
      message.message = packet.message();
      Arrays.fill(message.lastNumber, -1);
    } else {
      assertTrue(message.headerDone, "runs beside the header handler");
      assertNotEquals(HandlerKind.HEADER, task.handler());
    }
    assertEquals(message.message, packet.message(), "two messages at once");
    if (task.handler() == HandlerKind.PACKET) {
      // a cluster beside the queue's own helps with later packets
      int cluster = task.hpu() / limits.hpus();
      assertTrue(packet.number() > message.lastNumber[cluster], "packets out of order");
      message.lastNumber[cluster] = packet.number();
    }
    if (task.handler() == HandlerKind.TAIL) {
      assertEquals(0, message.running, "the tail handler runs beside others");
      assertTrue(packet.ends());
    }
    message.running++;
  }

  /** Ends one of the running tasks, then makes sure that it ends once. */
  void complete(int index, boolean trapped) {
    Running task = running.remove(Math.floorMod(index, running.size()));
    if (!plans[task.context()].packetsStandAlone()) {
      Progress message = progress(task.context(), task.queue());
      message.running--;
      message.headerDone |= task.kind() == HandlerKind.HEADER;
      message.open &= task.kind() != HandlerKind.TAIL;
    }
    assertEquals(0, core.complete(task.tag(), trapped, now));
    assertEquals(-Errno.ESTALE, core.complete(task.tag(), trapped, now));
    assertEquals(-Errno.ESTALE, core.hostWait(task.tag(), true));
  }

  @Override
  public void aborted(int context, int message, AbortReason reason) {
    progress(context, message & 15).open = false;
    events.add(context + " " + message + " " + reason);
  }

  /** All tasks of a context are gone. */
  void freeze(int context) {
    core.freeze(context, now);
    forget(context);
  }

  void detach(int context) {
    core.detach(context, now);
    forget(context);
    plans[context] = null;
  }

  private void forget(int context) {
    for (Running task : running) {
      if (task.context() == context) {
        assertEquals(-Errno.ESTALE, core.complete(task.tag(), false, now));
      }
    }
    running.removeIf(task -> task.context() == context);
    progress.keySet().removeIf(key -> key >> 8 == context);
  }

  /** Starts and ends tasks until none is left. */
  void finish() {
    while (core.dispatch(now) > 0 || !running.isEmpty()) {
      if (!running.isEmpty()) {
        complete(0, false);
      }
    }
  }
}
