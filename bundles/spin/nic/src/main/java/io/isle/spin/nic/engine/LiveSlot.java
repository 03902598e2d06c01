package io.isle.spin.nic.engine;

import io.isle.api.base.Errno;
import io.isle.lib.kabi.SpinStructs;
import io.isle.spin.nic.core.HandlerKind;
import io.isle.spin.nic.core.NicCore;
import io.isle.spin.nic.core.NicTask;
import io.isle.spin.nic.hpus.HpuListener;
import io.isle.spin.nic.hpus.SpinRings;
import io.isle.spin.nic.hpus.TaskEnding;
import java.lang.foreign.MemorySegment;

/**
 * A context at work: its tasks go to its HPUs, and what these have done comes back. The agent's
 * thread, unless said otherwise; allocates nothing. Nothing is read from HPUs that have broken the
 * rules, or whose memory is gone.
 */
public final class LiveSlot implements HpuListener {
  private final SlotPlan plan;
  private final NicEngine engine;
  private final NicCore core;
  private final HostCalls calls;
  private final TextLog text = new TextLog();
  private final RingCounts counts = new RingCounts();
  private final long[] tags = new long[SpinStructs.HPUS];
  private final long[] sinceNs = new long[SpinStructs.HPUS];
  private final long[] ranNs = new long[SpinStructs.HPUS];
  private final HandlerKind[] handlers = new HandlerKind[SpinStructs.HPUS];
  private volatile SpinRings rings;
  private boolean paused;
  private volatile String broken = "";

  LiveSlot(SlotPlan plan, NicEngine engine, NicCore core) {
    this.plan = plan;
    this.engine = engine;
    this.core = core;
    calls = new HostCalls(plan.name(), plan.reply());
  }

  /** Name of the context; any thread. */
  public String name() {
    return plan.name();
  }

  /** Requests to the host; any thread. */
  public HostCalls calls() {
    return calls;
  }

  /** What handlers have printed; any thread. */
  public TextLog text() {
    return text;
  }

  /** The rings of a new attachment; null while there is none. */
  public void use(SpinRings other) {
    counts.end();
    if (other != null) {
      counts.begin(other);
    }
    rings = other;
    paused = false;
    broken = "";
  }

  /**
   * Nothing runs, and other handlers come: packets are stored, but the rings change until {@link
   * #use}.
   */
  public void pause() {
    counts.end();
    paused = true;
  }

  /** A counter of the HPUs, over all attachments; any thread. */
  public long counter(String name) {
    return counts.of(name);
  }

  /** Rings of the present attachment, or null; any thread. */
  public SpinRings rings() {
    return rings;
  }

  /** What the HPUs have done wrong; empty for nothing. Any thread. */
  public String broken() {
    return broken;
  }

  /** Whether a handler waits for the host. */
  boolean waits() {
    SpinRings now = rings;
    return now != null && now.waiting() != 0;
  }

  private boolean works() {
    return rings != null && broken.isEmpty();
  }

  private void broke(String how) {
    broken = how;
  }

  /** The memory went away: a recovery follows, or has begun. */
  private void gone() {
    rings = null;
  }

  void store(long at, MemorySegment memory, long offset, int length) {
    if (works()) {
      try {
        rings.store(at, memory, offset, length);
      } catch (IllegalStateException e) {
        gone();
      }
    }
  }

  void post(NicTask task, long packet) {
    int hpu = task.hpu();
    tags[hpu] = task.tag();
    sinceNs[hpu] = task.startNs();
    ranNs[hpu] = 0;
    handlers[hpu] = task.handler();
    if (works()) {
      int cluster = task.queue() % SpinStructs.CLUSTERS;
      try {
        int code = rings.post(hpu, task.handler(), task.queue(), cluster, packet, task.length());
        if (code != 0) {
          broke("HPU " + hpu + " has two tasks");
        }
      } catch (IllegalStateException e) {
        gone();
      }
    }
  }

  /** Takes what HPUs have done. */
  int poll() {
    if (!works() || paused) {
      return 0;
    }
    try {
      int work = rings.poll(this);
      if (work == -Errno.EPROTO) {
        broke("the process of its HPUs has broken the rules of their memory");
        return 0;
      }
      return work;
    } catch (IllegalStateException e) {
      gone();
      return 0;
    }
  }

  /** Takes the last text before the HPUs go. */
  void drain() {
    try {
      for (int left = SpinStructs.TEXT; left > 0 && works() && !paused; left -= TextLog.PART) {
        if (text.take(rings) != TextLog.PART) {
          return;
        }
      }
    } catch (IllegalStateException e) {
      gone();
    }
  }

  /** Looks at what needs no haste: text, and tasks that do not end. */
  void tidy(long nowNs) {
    if (!works() || paused) {
      return;
    }
    try {
      if (text.take(rings) < 0) {
        broke("the process of its HPUs has broken the rules of their text");
      }
      for (int left = rings.busy(); left != 0; left &= left - 1) {
        int hpu = Integer.numberOfTrailingZeros(left);
        boolean waits = (rings.waiting() >>> hpu & 1) != 0;
        long ns = nowNs - sinceNs[hpu];
        if (waits && ns > plan.bounds().waitingNs()) {
          rings.overdue(hpu);
        } else if (!waits && ranNs[hpu] + ns > plan.bounds().runningNs()) {
          broke("the process of its HPUs does not end a handler");
        }
      }
    } catch (IllegalStateException e) {
      gone();
    }
  }

  @Override
  public boolean sent(int hpu, MemorySegment memory, long offset, int length) {
    return engine.port().send(memory, offset, length);
  }

  @Override
  public void ended(int hpu, TaskEnding end) {
    long now = engine.tick();
    boolean trapped = end.result() != SpinStructs.RESULT_DONE;
    calls.ended(hpu);
    if (end.result() == SpinStructs.RESULT_TRAPPED) {
      engine
          .events()
          .trap(this, now, handlers[hpu], hpu, end.cause(), end.instruction(), end.address());
    }
    // a task of before a freeze has another tag
    int ignored = core.complete(tags[hpu], trapped, now);
  }

  @Override
  public void waits(int hpu, boolean waits) {
    long now = engine.tick();
    if (waits) {
      ranNs[hpu] += now - sinceNs[hpu];
    } else {
      calls.ended(hpu);
    }
    sinceNs[hpu] = now;
    int ignored = core.hostWait(tags[hpu], waits);
  }

  @Override
  public void requested(int hpu, int length) {
    if (calls.requested(hpu, length)) {
      int ignored = rings.respond(hpu, length);
    }
  }
}
