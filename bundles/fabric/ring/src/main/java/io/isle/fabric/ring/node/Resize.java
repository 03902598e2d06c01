package io.isle.fabric.ring.node;

import io.isle.api.base.Errno;
import io.isle.api.fabric.LayerRange;
import io.isle.api.fabric.RingException;
import io.isle.fabric.ring.link.Caller;
import io.isle.lib.leap.ResizePlan;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

/** One resize of a master: sends the control message, and waits for the acknowledgement. */
final class Resize {
  /** The tenant's own receiving call sees the acknowledgement meanwhile. */
  private static final long LOOK_NS = 1_000_000;

  /** Longest time that a receiving call of the tenant has to wait. */
  private static final long RECEIVE_NS = 10_000_000;

  private final RingNode node;
  private final MasterEnd end;
  private final EndpointSlots slots;
  private final Caller caller;
  private final long limitNs;

  Resize(RingNode node, MasterEnd end, EndpointSlots slots, Caller caller, long limitNs) {
    this.limitNs = limitNs;
    this.node = node;
    this.end = end;
    this.slots = slots;
    this.caller = caller;
  }

  /** Runs the resize. */
  List<LayerRange> run(List<Integer> boundaries) {
    ResizePlan plan = plan(boundaries);
    AtomicBoolean running = node.resizing();
    if (!running.compareAndSet(false, true)) {
      throw failure(Errno.EBUSY, "another resize is in progress");
    }
    end.division().begin();
    try {
      return confirmed(plan);
    } finally {
      end.awaited(null);
      end.division().end(System.nanoTime());
      running.set(false);
    }
  }

  private ResizePlan plan(List<Integer> boundaries) {
    try {
      int[] numbers = boundaries.stream().mapToInt(Integer::intValue).toArray();
      return ResizePlan.of(node.settings().layers(), numbers);
    } catch (IllegalArgumentException e) {
      throw failure(Errno.EINVAL, e.getMessage());
    }
  }

  private List<LayerRange> confirmed(ResizePlan plan) {
    int last = plan.workers() - 1;
    Acknowledgement awaited =
        new Acknowledgement(plan.start(last), plan.end(last), plan.tail(last));
    long deadline = System.nanoTime() + limitNs;
    end.awaited(awaited);
    send(plan, deadline);
    end.division().sent();
    while (!awaited.hasCome()) {
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        throw failure(Errno.ETIMEDOUT, unconfirmed(plan, last));
      }
      receive(awaited, Math.min(left, RECEIVE_NS));
    }
    end.position(0);
    end.division().confirmed(plan);
    node.resized();
    return IntStream.range(0, plan.workers())
        .mapToObj(i -> new LayerRange(plan.start(i), plan.end(i), plan.tail(i)))
        .toList();
  }

  private void send(ResizePlan plan, long deadline) {
    if (!slots.awaitSender(deadline)) {
      throw failure(Errno.EBUSY, "the tenant's own packet is not sent yet; " + state());
    }
    try {
      if (plan.write(end.claimed(), 0, node.settings().packetBytes()) < 0) {
        throw failure(
            Errno.EMSGSIZE,
            "packet_bytes: "
                + node.settings().packetBytes()
                + "; a control message needs packets of 164 bytes or more");
      }
      long sent = end.sendClaimedControl(Math.max(1, deadline - System.nanoTime()), caller);
      if (sent < 0) {
        throw failure(
            sent == -Errno.ETIME ? Errno.ENOTCONN : (int) -sent,
            "the control message cannot be sent: " + Errno.name((int) sent) + "; " + state());
      }
    } finally {
      slots.leaveSender();
    }
  }

  private void receive(Acknowledgement awaited, long timeoutNs) {
    if (!slots.tryEnterReceiver()) {
      pause(awaited);
      return;
    }
    try {
      if (!end.kept().hasRoom(node.settings().packetBytes())) {
        throw failure(
            Errno.ENOMEM,
            "replies fill the memory for packets before the acknowledgement, "
                + KeptPackets.MOST_BYTES
                + " bytes; receive the replies, then resize again");
      }
      long got = node.links().prev.receive(end.scratch(), 0, timeoutNs, caller);
      if (got > 0 && end.isForTenant(end.scratch(), 0)) {
        end.kept().add(end.scratch(), got);
      } else if (got < 0 && got != -Errno.ETIME && got != -Errno.ENODATA) {
        throw failure((int) -got, "the wait for the acknowledgement ended: " + state());
      }
    } finally {
      slots.leaveReceiver();
    }
  }

  private void pause(Acknowledgement awaited) {
    try {
      awaited.await(LOOK_NS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failure(Errno.ECANCELED, "the resize was interrupted before its acknowledgement");
    }
    int refusal = caller.refusal();
    if (refusal < 0) {
      throw failure(-refusal, "the endpoint ended before the acknowledgement");
    }
  }

  private String unconfirmed(ResizePlan plan, int last) {
    return "no acknowledgement within "
        + limitNs / 1_000_000
        + " ms of worker "
        + (last + 1)
        + " of "
        + plan.workers()
        + " (layers "
        + plan.start(last)
        + " to "
        + plan.end(last)
        + "): this worker or one before it is not reachable, has fewer layers, or does not confirm; "
        + state();
  }

  private String state() {
    return "next node: "
        + node.info().next().state().text()
        + ", previous node: "
        + node.info().prev().state().text()
        + "; see ring:status";
  }

  private RingException failure(int code, String why) {
    return new RingException(code, node.name() + ": " + why);
  }
}
