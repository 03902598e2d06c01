package io.isle.benchmarks.share;

import io.isle.api.accel.Buffer;
import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.Program;
import io.isle.api.accel.ProgramSource;
import io.isle.api.base.Errno;
import io.isle.api.device.Priority;
import io.isle.benchmarks.LocalPlatform;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A tenant of a group that always wants more than it gets, or what its pace says: a thread that
 * fills its queue whenever half of it has ended, or submits when the next one is due, until it is
 * closed.
 */
public final class Load implements AutoCloseable {
  private static final int USUAL_DEPTH = 8;
  private static final int PACED_DEPTH = 64;
  private static final int COMMAND_BYTES = 512;
  private static final long LOOK_NS = 100_000_000;
  private static final long BEFORE_NS = 2_000_000;

  /** Of the software device's counters: CPU time of the threads that ran the context's work. */
  private static final int CPU_NS = 4;

  private final String group;
  private final int depth;
  private final Context context;
  private final Consumer<CommandWriter> work;
  private final Pace pace;
  private final Thread thread;
  private volatile boolean stopping;
  private volatile int failure;

  private Load(
      LocalPlatform platform,
      String group,
      Priority priority,
      int depth,
      Pace pace,
      Function<Context, Consumer<CommandWriter>> program) {
    this.group = group;
    this.depth = depth;
    this.pace = pace;
    context =
        platform
            .accelerator()
            .open(
                platform.capability(group),
                ContextSpec.named(group)
                    .withPriority(priority)
                    .withQueue(depth, COMMAND_BYTES)
                    .withMaxExecutionUs(0));
    work = program.apply(context);
    thread = Thread.ofPlatform().daemon().name("load-" + group).start(this::run);
  }

  /** Submissions that take so much CPU time each. */
  static Load busy(LocalPlatform platform, String group, long us) {
    return busy(platform, group, us, USUAL_DEPTH);
  }

  /**
   * The same.
   *
   * @param depth most on their way at a time, a power of two
   */
  public static Load busy(LocalPlatform platform, String group, long us, int depth) {
    return busy(platform, group, us, depth, Pace.any());
  }

  /** The same, one each {@code everyNs}; what the device is behind, it catches up on. */
  static Load paced(LocalPlatform platform, String group, long us, long everyNs) {
    return busy(platform, group, us, PACED_DEPTH, new Pace(everyNs, PACED_DEPTH));
  }

  private static Load busy(LocalPlatform platform, String group, long us, int depth, Pace pace) {
    return new Load(
        platform,
        group,
        Priority.NORMAL,
        depth,
        pace,
        context -> {
          Program busy = context.load(new ProgramSource.Builtin("busy"));
          return writer -> writer.replayable().dispatch(busy, 0, 1, 1, 1).argU64(us);
        });
  }

  /** Submissions that hash a buffer of so many bytes, behind everybody else. */
  static Load hashing(LocalPlatform platform, String group, int bytes) {
    int block = 1 << 20;
    return new Load(
        platform,
        group,
        Priority.BACKGROUND,
        USUAL_DEPTH,
        Pace.any(),
        context -> {
          Program hash = context.load(new ProgramSource.Builtin("sha256"));
          Buffer data = context.allocate(bytes, 0);
          Buffer digests = context.allocate(bytes / block * 32L, 0);
          return writer -> {
            int from = writer.use(data, 0, bytes, Buffer.READ);
            int to = writer.use(digests, 0, bytes / block * 32L, Buffer.WRITE);
            writer.replayable().dispatch(hash, 0, 1, 1, 1).arg(from).arg(to).argU64(block);
          };
        });
  }

  private void run() {
    long newest = 0;
    while (!stopping) {
      long early = pace.leftNs(System.nanoTime());
      if (early > 0) {
        LockSupport.parkNanos(early);
        continue;
      }
      CommandWriter writer = newest - context.timeline().ended() < depth ? context.writer() : null;
      if (writer == null) {
        int status = context.await(newest - depth / 2, LOOK_NS);
        if (status < 0 && status != -Errno.ETIME) {
          failure = status;
          return;
        }
        continue;
      }
      work.accept(writer);
      long point = context.submit(writer);
      if (point < 0) {
        failure = (int) point;
        return;
      }
      newest = point;
      pace.submitted(System.nanoTime());
    }
  }

  String group() {
    return group;
  }

  /** Submissions that have ended so far. */
  public long ended() {
    check();
    return context.timeline().ended();
  }

  /**
   * Its work goes on.
   *
   * @throws IllegalStateException when it ended with an error
   */
  void check() {
    if (failure != 0 && !stopping) {
      throw new IllegalStateException("work of " + group + " ended with " + failure);
    }
  }

  /** Submissions a second that end, within so much time after it has settled. */
  public double rate(long settleNs, long lengthNs) throws InterruptedException {
    Pause.of(settleNs);
    long begun = System.nanoTime();
    long before = ended();
    Pause.until(begun + lengthNs);
    long count = ended() - before;
    return 1e9 * count / (System.nanoTime() - begun);
  }

  /** CPU time that its work has used so far, and when. */
  Sample sample() {
    check();
    long before = System.nanoTime();
    long cpu = context.counters().vendor().get(CPU_NS);
    return new Sample((before + System.nanoTime()) / 2, cpu);
  }

  /** The same at a time that is to come: between the looks before and after it, evenly. */
  Sample sampleAt(long atNs) throws InterruptedException {
    Pause.until(atNs - BEFORE_NS);
    Sample before = sample();
    Pause.until(atNs);
    return sample().back(before, atNs);
  }

  @Override
  public void close() {
    stopping = true;
    try {
      thread.join(TimeUnit.NANOSECONDS.toMillis(100 * LOOK_NS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    context.close();
  }
}
