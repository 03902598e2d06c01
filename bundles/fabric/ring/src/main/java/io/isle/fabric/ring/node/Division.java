package io.isle.fabric.ring.node;

import io.isle.api.fabric.RingRole;
import io.isle.fabric.ring.health.RollListener;
import io.isle.fabric.ring.settings.NodeSettings;
import io.isle.lib.leap.ResizePlan;
import io.isle.lib.leap.isle.RollCall;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The division of layers that a master has given to its workers. By each roll call, a worker that
 * lacks its layers is found, and the division is repeated. A master that starts again takes the
 * division from the roll, if two roll calls agree. Thread-safe.
 */
final class Division implements RollListener {
  private static final System.Logger LOG = System.getLogger(Division.class.getName());
  private static final long LEAST_NS = 5_000_000_000L;
  private static final long MOST_NS = 60_000_000_000L;

  private final String node;
  private final int packetBytes;
  private final int layers;
  private final MemorySegment packet;
  private final Predicate<MemorySegment> offer;
  private final LongConsumer callRoll;

  /** Null if it is not known. */
  private ResizePlan plan;

  /** The division that the last roll call showed, while none is known. */
  private List<Integer> seen = List.of();

  /** Whether the tenant sends control messages of its own, and waits for acknowledgements. */
  private volatile boolean byTenant;

  private boolean changing;
  private long changedNs = Long.MIN_VALUE;
  private long againNs = Long.MIN_VALUE;
  private long waitNs = LEAST_NS;

  /**
   * A master without a division.
   *
   * @param packet memory for a packet
   * @param offer puts a control packet behind the packets that are sent already; false without room
   * @param callRoll another roll call is of use, at this time
   */
  Division(
      String node,
      NodeSettings settings,
      MemorySegment packet,
      Predicate<MemorySegment> offer,
      LongConsumer callRoll) {
    this.node = node;
    packetBytes = settings.packetBytes();
    layers = settings.layers();
    this.packet = packet;
    this.offer = offer;
    this.callRoll = callRoll;
  }

  /** A resize begins. */
  synchronized void begin() {
    changing = true;
  }

  /** The message of a resize is sent: until its acknowledgement, nothing is certain. */
  synchronized void sent() {
    plan = null;
    seen = List.of();
  }

  /** The resize is acknowledged. */
  synchronized void confirmed(ResizePlan by) {
    plan = by;
    byTenant = false;
    againNs = Long.MIN_VALUE;
    waitNs = LEAST_NS;
  }

  /** The resize is over. */
  synchronized void end(long nowNs) {
    changing = false;
    changedNs = nowNs;
  }

  /** The tenant has sent a division of its own. */
  synchronized void byTenant(long nowNs) {
    sent();
    byTenant = true;
    changedNs = nowNs;
  }

  /**
   * Whether an acknowledgement that nobody waits for is that of a repeated division, not the
   * tenant's.
   */
  boolean ownsAcknowledgements() {
    return !byTenant;
  }

  @Override
  public synchronized void rolled(List<RollCall.Entry> nodes, long begunNs, long nowNs) {
    if (changing || begunNs <= changedNs) {
      return;
    }
    List<RollCall.Entry> workers = nodes.stream().filter(Division::works).toList();
    if (plan == null) {
      adopt(workers, nowNs);
      return;
    }
    RollCall.Entry lacking = lacking(workers);
    if (lacking == null) {
      waitNs = LEAST_NS;
    } else if (nowNs >= againNs) {
      repeat(lacking, nowNs);
    }
  }

  private static boolean works(RollCall.Entry entry) {
    return entry.role() == RingRole.WORKER.ordinal() || entry.role() == RingRole.TAIL.ordinal();
  }

  /** The first worker that does not have its layers; null if there is none. */
  private RollCall.Entry lacking(List<RollCall.Entry> workers) {
    if (workers.size() < plan.workers()) {
      return null;
    }
    for (int i = 0; i < plan.workers(); i++) {
      RollCall.Entry one = workers.get(i);
      boolean has =
          one.resized()
              && one.start() == plan.start(i)
              && one.end() == plan.end(i)
              && one.tail() == plan.tail(i);
      if (!has) {
        return one;
      }
    }
    return null;
  }

  private void repeat(RollCall.Entry lacking, long nowNs) {
    if (plan.write(packet, 0, packetBytes) < 0 || !offer.test(packet)) {
      return;
    }
    againNs = nowNs + waitNs;
    waitNs = Math.min(2 * waitNs, MOST_NS);
    callRoll.accept(nowNs);
    LOG.log(
        System.Logger.Level.INFO,
        "ring node {0}: the layers are given again, because {1} has {2} to {3}",
        node,
        lacking.node(),
        lacking.start(),
        lacking.end());
  }

  /** Takes the division that the workers have. */
  private void adopt(List<RollCall.Entry> workers, long nowNs) {
    List<Integer> now = bounds(workers);
    if (!now.isEmpty() && now.equals(seen)) {
      try {
        plan = ResizePlan.of(layers, now.stream().mapToInt(Integer::intValue).toArray());
      } catch (IllegalArgumentException e) {
        LOG.log(
            System.Logger.Level.WARNING,
            "ring node {0}: the layers of the workers are not used: {1}",
            node,
            e.getMessage());
      }
    }
    if (!now.equals(seen)) {
      seen = now;
      callRoll.accept(nowNs);
    }
  }

  /**
   * The borders of layers of the workers that a resize has reached; empty if they do not adjoin.
   */
  private static List<Integer> bounds(List<RollCall.Entry> workers) {
    List<RollCall.Entry> reached = workers.stream().takeWhile(RollCall.Entry::resized).toList();
    if (reached.isEmpty()) {
      return List.of();
    }
    for (int i = 1; i < reached.size(); i++) {
      if (reached.get(i).start() != reached.get(i - 1).end()) {
        return List.of();
      }
    }
    return Stream.concat(
            Stream.of(reached.getFirst().start()), reached.stream().map(RollCall.Entry::end))
        .toList();
  }
}
