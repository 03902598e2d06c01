package io.isle.apps.chaos.work;

import io.isle.api.accel.Buffer;
import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Completion;
import io.isle.api.accel.CompletionListener;
import io.isle.api.accel.CompletionStatus;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.Program;
import io.isle.api.accel.ProgramSource;
import io.isle.api.accel.Timeline;
import io.isle.apps.chaos.platform.Partial;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/** A context of {@link FakeDevice}. */
final class FakeContext {
  final ContextSpec spec;
  final List<FakeBuffer> buffers = new ArrayList<>();
  volatile int usable;
  boolean closed;
  private final FakeDevice device;
  private final FakeWriter writer = new FakeWriter();
  private final List<Integer> statuses = new ArrayList<>();
  private CompletionListener listener;

  FakeContext(FakeDevice device, ContextSpec spec) {
    this.device = device;
    this.spec = spec;
  }

  Buffer allocate(long bytes, int flags) {
    FakeBuffer buffer = new FakeBuffer((int) bytes, flags);
    buffers.add(buffer);
    return buffer.handle;
  }

  Program load(ProgramSource source) {
    return Partial.of(
        Program.class,
        new Object() {
          @Override
          public String toString() {
            return ((ProgramSource.Builtin) source).name();
          }
        });
  }

  void listen(CompletionListener heard, Executor executor) {
    listener = heard;
  }

  Timeline timeline() {
    return null;
  }

  CommandWriter writer() {
    return writer.begin(this);
  }

  long submit(CommandWriter given) {
    FakeDevice.Fate fate = device.next();
    if (fate.refusal() != 0) {
      return fate.refusal();
    }
    if (fate.status() == 0) {
      writer.run();
    }
    if (fate.spoiled()) {
      writer.spoil();
    }
    statuses.add(fate.status());
    long point = statuses.size();
    if (fate.told()) {
      CompletionStatus outcome =
          fate.status() == 0 ? CompletionStatus.SUCCESS : CompletionStatus.ERROR;
      listener.completed(null, new Completion(point, fate.status(), outcome, 0, 0, 0, 0));
    }
    return point;
  }

  int status(long point) {
    return statuses.get((int) point - 1);
  }

  int await(long point, long timeoutNs) {
    return status(point);
  }

  int awaitUsable(long timeoutNs) {
    return usable;
  }

  void close() {
    closed = true;
  }

  FakeBuffer find(Buffer handle) {
    return buffers.stream().filter(buffer -> buffer.handle == handle).findAny().orElseThrow();
  }
}
