package io.isle.core.accel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.isle.api.accel.Buffer;
import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.Fence;
import io.isle.api.accel.HostTimeline;
import io.isle.api.accel.Program;
import io.isle.api.accel.ProgramSource;
import io.isle.api.base.Errno;
import io.isle.api.driver.ArgumentKind;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.Kernel;
import io.isle.api.driver.Kernels;
import io.isle.api.driver.ProgramEntry;
import io.isle.api.driver.Programs;
import io.isle.core.accel.estimate.SubmissionFeatures;
import io.isle.core.testing.FakeDeciders;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class AllocationTest {
  /** Ends each submission at the next poll, and allocates nothing. */
  private static final class PolledDevice extends FakeDevice implements Programs, Kernels {
    private final CompletionSink sink;
    private final long[] tags = new long[1024];
    private int count;

    PolledDevice(CompletionSink sink) {
      this.sink = sink;
    }

    @Override
    public int submit(long context, long tag, MemorySegment commands, long offset, int length) {
      tags[count++] = tag;
      return 0;
    }

    @Override
    public int poll(int limit) {
      int done = count;
      for (int i = 0; i < done; i++) {
        int ignored = sink.complete(tags[i], CompletionSink.SUCCESS, 1, 2, 1, 0);
      }
      count = 0;
      return done;
    }

    @Override
    public <X> Optional<X> extension(Class<X> type) {
      return type == Programs.class || type == Kernels.class
          ? Optional.of(type.cast(this))
          : Optional.empty();
    }

    @Override
    public List<Kernel> kernels(long program) {
      return List.of(
          TestKernels.kernel(
              "scale", 0, TestKernels.BUFFER, TestKernels.number(ArgumentKind.F32, 4)),
          TestKernels.kernel(
              "tile", 1, TestKernels.BUFFER, TestKernels.LOCAL, TestKernels.structure(16)));
    }

    @Override
    public Set<Kind> kinds() {
      return Set.of(Kind.BUILTIN);
    }

    @Override
    public List<ProgramEntry> builtins() {
      return List.of(
          new ProgramEntry(
              "scale",
              0,
              List.of(
                  new ProgramEntry.Argument(ProgramEntry.Kind.BUFFER, 3),
                  new ProgramEntry.Argument(ProgramEntry.Kind.F32, 0))));
    }

    @Override
    public List<ProgramEntry> load(long context, long program, Kind kind, byte[] source) {
      return builtins();
    }

    @Override
    public void unload(long program) {}
  }

  private static final int WARM_UP = 200_000;
  private static final int MEASURED = 100_000;

  /**
   * The JVM's own one-off work, such as customising a method handle, may fall into some of them:
   * one without allocation is the proof, and the last that is run.
   */
  private static final int ROUNDS = 5;

  @Test
  void aSubmissionAllocatesNothing() {
    measure(false);
  }

  /** A model is asked about each, and told how it went. */
  @Test
  void aSubmissionWithAModelAllocatesNothing() {
    measure(true);
  }

  private static void measure(boolean model) {
    try (Fixture fixture = new Fixture()) {
      if (model) {
        FakeDeciders deciders =
            new FakeDeciders((features, out) -> out[0] = features[SubmissionFeatures.SAME]);
        deciders.setRecording(false);
        fixture.core.services().submissionTime().bind(deciders);
      }
      fixture.lose();
      fixture.online(new PolledDevice(fixture.attachment.completions()), 2);
      Context context = fixture.context(ContextSpec.named("steady").withQueue(64, 256));
      Buffer buffer = context.allocate(4096, 0);
      Program scale = context.load(new ProgramSource.Builtin("scale"));
      run(context, buffer, scale, WARM_UP);
      ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
      long self = Thread.currentThread().threadId();
      long agent = agentThread();
      long least = Long.MAX_VALUE;
      for (int round = 0; round < ROUNDS && least >= MEASURED / 10; round++) {
        long before = allocated(threads, self, agent);
        run(context, buffer, scale, MEASURED);
        least = Math.min(least, allocated(threads, self, agent) - before);
      }
      assertTrue(least < MEASURED / 10, least + " bytes for " + MEASURED + " submissions");
      assertEquals(model, context.info().estimate().answered() > MEASURED);
    }
  }

  @Test
  void aLaunchAllocatesNothing() {
    try (Fixture fixture = new Fixture()) {
      fixture.lose();
      fixture.online(new PolledDevice(fixture.attachment.completions()), 2);
      Context context = fixture.context(ContextSpec.named("steady").withQueue(64, 512));
      Buffer buffer = context.allocate(4096, 0);
      Program scale = context.load(new ProgramSource.Builtin("scale"));
      MemorySegment value = Arena.ofAuto().allocate(16);
      launch(context, buffer, scale, value, WARM_UP);
      ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
      long self = Thread.currentThread().threadId();
      long agent = agentThread();
      long least = Long.MAX_VALUE;
      for (int round = 0; round < ROUNDS && least >= MEASURED / 10; round++) {
        long before = allocated(threads, self, agent);
        launch(context, buffer, scale, value, MEASURED);
        least = Math.min(least, allocated(threads, self, agent) - before);
      }
      assertTrue(least < MEASURED / 10, least + " bytes for " + MEASURED + " submissions");
    }
  }

  private static void launch(
      Context context, Buffer buffer, Program program, MemorySegment value, int count) {
    long last = 0;
    for (int i = 0; i < count; ) {
      CommandWriter writer = context.writer();
      if (writer == null) {
        Thread.yield();
        continue;
      }
      int use = writer.use(buffer, 0, 4096, Buffer.READ | Buffer.WRITE | Buffer.NO_COPY_IN);
      writer.dispatch(program, 1, 64, 2, 1).local(16, 2, 1).offset(i, 0, 0).arg(use);
      if ((i & 7) == 0) {
        if (context.submit(writer.argLocal(0)) != -Errno.ERANGE) {
          throw new AssertionError("no local memory is taken");
        }
        i++;
        continue;
      }
      last = context.submit(writer.argLocal(64).argBytes(value));
      if (last < 0) {
        throw new AssertionError("refused: " + writer.mistake());
      }
      i++;
      if ((i & 1023) == 0) {
        int ignored = context.await(last, -1);
      }
    }
    int ignored = context.await(last, -1);
  }

  /** Waits, signals and what is refused of them. */
  @Test
  void aFenceAllocatesNothing() {
    try (Fixture fixture = new Fixture()) {
      fixture.lose();
      fixture.online(new PolledDevice(fixture.attachment.completions()), 2);
      Context context = fixture.context(ContextSpec.named("steady").withQueue(64, 256));
      HostTimeline in = fixture.view.hostTimeline(fixture.all, "in");
      HostTimeline out = fixture.view.hostTimeline(fixture.all, "out");
      Fence byValue = Fence.cpu(in, 1);
      fenced(context, in, out, byValue, 1, WARM_UP / 2);
      ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
      long self = Thread.currentThread().threadId();
      long agent = agentThread();
      long least = Long.MAX_VALUE;
      long next = WARM_UP / 2 + 1;
      for (int round = 0; round < ROUNDS && least >= MEASURED / 40; round++) {
        long before = allocated(threads, self, agent);
        fenced(context, in, out, byValue, next, MEASURED / 4);
        next += MEASURED / 4;
        least = Math.min(least, allocated(threads, self, agent) - before);
      }
      assertTrue(least < MEASURED / 40, least + " bytes for " + MEASURED / 4 + " submissions");
    }
  }

  private static void fenced(
      Context context, HostTimeline in, HostTimeline out, Fence byValue, long first, int count) {
    for (long i = first; i < first + count; ) {
      CommandWriter writer = context.writer();
      if (writer == null) {
        Thread.yield();
        continue;
      }
      if ((i & 63) == 0 && context.submit(writer.after(in, -1)) == -Errno.EINVAL) {
        writer = context.writer();
      }
      writer.after(in, i).after(byValue).waitAtMost(CommandWriter.MAX_WAIT_NS).signal(out, i);
      if (context.submit(writer) < 0 || in.signal(i) != 0) {
        throw new AssertionError("refused: " + writer.mistake());
      }
      if ((i & 1023) == 0 && out.await(i, -1) != 0) {
        throw new AssertionError("not signalled");
      }
      i++;
    }
    int ignored = out.await(first + count - 1, -1);
  }

  private static long allocated(ThreadMXBean threads, long self, long agent) {
    return threads.getThreadAllocatedBytes(self) + threads.getThreadAllocatedBytes(agent);
  }

  private static void run(Context context, Buffer buffer, Program scale, int count) {
    long last = 0;
    for (int i = 0; i < count; ) {
      CommandWriter writer = context.writer();
      if (writer == null) {
        Thread.yield();
        continue;
      }
      int use = writer.use(buffer, 0, 4096, Buffer.READ | Buffer.WRITE);
      writer.fill(use, 0, 4096, i);
      writer.dispatch(scale, 0, 64, 1, 1).arg(use);
      if ((i & 7) == 0) {
        // what is refused costs nothing either, unless somebody asks for the words
        if (context.submit(writer.argU32(i)) != -Errno.EINVAL) {
          throw new AssertionError("an argument of the wrong kind is taken");
        }
        i++;
        continue;
      }
      last = context.submit(writer.argF32(i));
      i++;
      if ((i & 1023) == 0) {
        int ignored = context.await(last, -1);
      }
    }
    int ignored = context.await(last, -1);
  }

  private static long agentThread() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("isle-agent-sim0"))
        .mapToLong(Thread::threadId)
        .max()
        .orElseThrow();
  }
}
