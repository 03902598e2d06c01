package io.isle.spin.nic.offline;

import io.isle.api.base.Errno;
import io.isle.api.spin.HostReply;
import io.isle.api.spin.SpinException;
import io.isle.lib.kabi.SpinStructs;
import io.isle.spin.nic.hpus.HpuListener;
import io.isle.spin.nic.hpus.SpinRings;
import io.isle.spin.nic.hpus.TaskBounds;
import io.isle.spin.nic.hpus.TaskEnding;
import io.isle.spin.nic.plan.NicLimits;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Runs tasks on HPUs, and waits for their ends. One thread at a time. */
final class RingsRunner implements TaskRunner, HpuListener {
  private static final int SPINS = 2000;
  private static final long SLEEP_NS = 50_000;

  /** How long a task takes before the driver is asked whether its process is still there. */
  private static final long ASK_NS = TimeUnit.MILLISECONDS.toNanos(200);

  private final SpinRings rings;
  private final BooleanSupplier attached;
  private final NicLimits limits;
  private final HostReply reply;
  private final Consumer<String> text;
  private final TaskBounds bounds;
  private final byte[] textBytes = new byte[SpinStructs.TEXT];
  private SentFrames frames;
  private TaskEnd end;
  private boolean waiting;
  private long sinceNs;
  private long ranNs;

  /**
   * @param attached asks the driver whether the handlers are still attached
   * @param bounds of a task
   * @param text takes what handlers print
   */
  RingsRunner(
      SpinRings rings,
      BooleanSupplier attached,
      NicLimits limits,
      HostReply reply,
      TaskBounds bounds,
      Consumer<String> text) {
    this.rings = rings;
    this.attached = attached;
    this.limits = limits;
    this.reply = reply;
    this.bounds = bounds;
    this.text = text;
  }

  @Override
  public void store(int slot, MemorySegment memory, long offset, int length) {
    try {
      rings.store(limits.offset(slot), memory, offset, length);
    } catch (IllegalStateException e) {
      throw gone("a packet was stored", e);
    }
  }

  @Override
  public TaskEnd run(OfflineTask task, SentFrames to) {
    frames = to;
    end = null;
    try {
      int cluster = task.hpu() / limits.hpus();
      int code =
          rings.post(
              task.hpu(),
              task.handler(),
              task.queue(),
              cluster,
              limits.offset(task.slot()),
              task.length());
      if (code != 0) {
        throw new IllegalStateException("HPU " + task.hpu() + " has a task");
      }
      await(task);
      text();
    } catch (IllegalStateException e) {
      throw gone(name(task) + " ran", e);
    }
    return end;
  }

  private static String name(OfflineTask task) {
    return "the handler "
        + task.handler().name().toLowerCase(Locale.ROOT)
        + " of packet "
        + task.packet();
  }

  private void await(OfflineTask task) {
    int idle = 0;
    sinceNs = System.nanoTime();
    ranNs = 0;
    waiting = false;
    long ask = sinceNs + ASK_NS;
    while (end == null) {
      int work = rings.poll(this);
      if (work < 0) {
        throw broken();
      }
      if (work > 0) {
        idle = 0;
      } else if (idle++ < SPINS) {
        Thread.onSpinWait();
      } else {
        LockSupport.parkNanos(SLEEP_NS);
        if (System.nanoTime() - ask > 0) {
          if (!attached.getAsBoolean()) {
            throw gone(name(task) + " ran", null);
          }
          checkBounds(task);
          ask = System.nanoTime() + ASK_NS;
        }
      }
    }
  }

  /** A process that ends tasks in time does so long before. */
  private void checkBounds(OfflineTask task) {
    long ns = System.nanoTime() - sinceNs;
    if (waiting && ns > bounds.waitingNs()) {
      rings.overdue(task.hpu());
    } else if (!waiting && ranNs + ns > bounds.runningNs()) {
      throw new SpinException(
          Errno.ETIMEDOUT, "the process of the HPUs does not end " + name(task));
    }
  }

  private static SpinException gone(String when, Throwable cause) {
    return new SpinException(Errno.EIO, "the process of the HPUs has ended while " + when, cause);
  }

  private static SpinException broken() {
    return new SpinException(
        Errno.EPROTO, "the process of the HPUs has broken the rules of the memory that it shares");
  }

  private void text() {
    int bytes = rings.text(textBytes);
    if (bytes < 0) {
      throw broken();
    }
    if (bytes > 0) {
      text.accept(new String(textBytes, 0, bytes, StandardCharsets.US_ASCII));
    }
  }

  @Override
  public boolean sent(int hpu, MemorySegment memory, long offset, int length) {
    frames.frame(memory, offset, length);
    return true;
  }

  @Override
  public void ended(int hpu, TaskEnding ending) {
    Optional<TaskTrap> trap =
        ending.result() == SpinStructs.RESULT_TRAPPED
            ? Optional.of(new TaskTrap(ending.cause(), ending.instruction(), ending.address()))
            : Optional.empty();
    end = new TaskEnd(ending.ns(), ending.result() == SpinStructs.RESULT_REFUSED, trap);
  }

  @Override
  public void waits(int hpu, boolean waits) {
    long now = System.nanoTime();
    ranNs += waits ? now - sinceNs : 0;
    sinceNs = now;
    waiting = waits;
  }

  @Override
  public void requested(int hpu, int length) {
    if (reply == HostReply.ECHO) {
      // -ENOENT: the task has ended meanwhile
      int ignored = rings.respond(hpu, length);
    }
  }
}
