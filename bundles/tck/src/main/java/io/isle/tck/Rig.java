package io.isle.tck;

import io.isle.api.base.Errno;
import io.isle.api.base.Ids;
import io.isle.api.device.Priority;
import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.AllocArgs;
import io.isle.api.driver.Allocation;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.ContextArgs;
import io.isle.api.driver.DeviceSeed;
import io.isle.api.driver.FaultInjection;
import io.isle.api.driver.HandlerUnits;
import io.isle.api.driver.Programs;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** What a case works with: one driver, one open device, and a core around it. One thread. */
final class Rig implements AutoCloseable {
  /** Tags in flight at one time. */
  static final int TAGS = 512;

  /** Places of short envelopes; longer ones have one place beyond these, one at a time. */
  private static final long SLOT_BYTES = 1024;

  private static final long LONG_PLACE = TAGS * SLOT_BYTES;

  /** Bytes of the command segment that a case needs. */
  static final long COMMAND_BYTES = LONG_PLACE + (256 << 10);

  private final Subject subject;
  private final Duration patience;
  private final Map<String, String> settings;
  private final DeviceSeed seed;
  private final List<Subject.Opened> opened = new ArrayList<>();
  private Core core;
  private Subject.Opened now;
  private int contexts;
  private int objects;
  private int tags;

  /** A submission and what submit returned. */
  record Sub(long tag, int code) {}

  /** CPU-visible device memory. */
  record Memory(long id, MemorySegment cpu, long size) {}

  /**
   * A device, opened.
   *
   * @param patience how long a case waits for a completion
   */
  Rig(Subject subject, Map<String, String> wanted, Duration patience) {
    this.subject = subject;
    this.patience = patience;
    this.settings = SmallDevice.settings(subject.info(), wanted);
    List<DeviceSeed> seeds = subject.probe();
    String name = subject.info().name() + "0";
    this.seed = seeds.isEmpty() ? new DeviceSeed(name, "", "configured") : seeds.getFirst();
    open();
  }

  /** Opens the device (again). */
  void open() {
    core = new Core();
    now = subject.open(seed, settings, core);
    opened.add(now);
  }

  void closeDevice() {
    now.device().close();
    opened.remove(now);
    now.afterClose().run();
  }

  Subject subject() {
    return subject;
  }

  AccelDevice device() {
    return now.device();
  }

  Core core() {
    return core;
  }

  MemorySegment commands() {
    return now.commands();
  }

  long newContextId() {
    return Ids.of(Ids.CONTEXT, 1, contexts++);
  }

  long context() {
    return context(0, 0);
  }

  long context(long maxMemoryBytes, long maxExecutionUs) {
    long id = newContextId();
    int pid = (int) ProcessHandle.current().pid();
    device()
        .createContext(
            id, new ContextArgs(pid, Priority.NORMAL, maxMemoryBytes, maxExecutionUs, 0, 0));
    return id;
  }

  long newMemoryId() {
    return Ids.of(Ids.MEMORY, 1, objects++);
  }

  static AllocArgs args(long size) {
    return new AllocArgs(size, 64, AllocArgs.PageSize.STANDARD, AllocArgs.CPU_VISIBLE);
  }

  Memory memory(long context, long size) {
    long id = newMemoryId();
    Allocation made = device().allocate(context, id, args(size));
    MemorySegment cpu =
        made.cpu().orElseThrow(() -> new Check.Skipped("no memory that the CPU can see"));
    return new Memory(id, cpu, size);
  }

  Programs programs() {
    return device().extension(Programs.class).orElseThrow(() -> new Check.Skipped("no programs"));
  }

  FaultInjection faults() {
    return device()
        .extension(FaultInjection.class)
        .orElseThrow(() -> new Check.Skipped("no planned faults"));
  }

  long newProgramId() {
    return Ids.of(Ids.PROGRAM, 1, objects++);
  }

  /** Loads a built-in program, or skips the case if there is none of that name. */
  long program(long context, String name) {
    Check.needs(
        programs().builtins().stream().anyMatch(entry -> entry.name().equals(name)),
        "no built-in program " + name);
    long id = newProgramId();
    programs().load(context, id, Programs.Kind.BUILTIN, name.getBytes(StandardCharsets.UTF_8));
    return id;
  }

  Envelope noop(long context) {
    return new Envelope().program(program(context, "noop")).dispatch(0);
  }

  /** Work that keeps a unit busy until it is cancelled, for the length of a case. */
  Envelope busy(long context) {
    return new Envelope()
        .program(program(context, "busy"))
        .dispatch(0, Envelope.Argument.u64(60_000_000));
  }

  Sub submit(long context, Envelope envelope) {
    MemorySegment bytes = envelope.build();
    long at = bytes.byteSize() <= SLOT_BYTES ? (tags % TAGS) * SLOT_BYTES : LONG_PLACE;
    commands().asSlice(at, bytes.byteSize()).copyFrom(bytes);
    return submitAt(context, at, (int) bytes.byteSize());
  }

  /** Submits whatever lies in the command segment there. */
  Sub submitAt(long context, long offset, int length) {
    long tag = (1L + tags / TAGS) << 32 | (tags % TAGS);
    tags++;
    core.expect(tag);
    int code = device().submit(context, tag, commands(), offset, length);
    needsSubmissions(code);
    return new Sub(tag, code);
  }

  /** What has HPUs may take no submissions at all. */
  private void needsSubmissions(int code) {
    Check.needs(
        code != -Errno.ENOTSUP || device().extension(HandlerUnits.class).isEmpty(),
        "HPUs alone, no submissions");
  }

  /** The first completion of an accepted submission. */
  Ended await(Sub sub) {
    Check.that(sub.code() == 0, "a good submission is refused with " + Errno.name(sub.code()));
    until(() -> !core.told(sub.tag()).isEmpty(), "no completion came");
    Ended ended = core.told(sub.tag()).getFirst();
    needsSubmissions(ended.detail());
    return ended;
  }

  void success(long context, Envelope good, String what) {
    Ended ended = await(submit(context, good));
    Check.that(ended.status() == CompletionSink.SUCCESS, what + " ends with " + ended.text());
  }

  /** The submission is refused, or ends with anything but success. */
  void fails(long context, Envelope envelope, String what) {
    failed(submit(context, envelope), what);
  }

  void failed(Sub sub, String what) {
    Check.that(
        sub.code() < 0 || await(sub).status() != CompletionSink.SUCCESS,
        what + " ends with SUCCESS");
  }

  /** Everything that was submitted so far has reached the device, though it may not have ended. */
  void settle(long context) {
    var ignored = await(submit(context, noop(context)));
  }

  void until(BooleanSupplier done, String otherwise) {
    long deadline = System.nanoTime() + patience.toNanos();
    try {
      while (!done.getAsBoolean()) {
        if (device().poll(64) == 0) {
          core.pause();
        }
        Check.that(
            System.nanoTime() - deadline < 0, otherwise + " in " + patience.toSeconds() + " s");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Check.Broken("the case was interrupted after its time limit");
    }
  }

  /** Takes in completions for a while. */
  void linger(Duration time) {
    long deadline = System.nanoTime() + time.toNanos();
    while (System.nanoTime() - deadline < 0) {
      drain();
      LockSupport.parkNanos(500_000);
    }
  }

  /** Takes in all completions that are there already. */
  void drain() {
    while (device().poll(64) > 0) {
      continue;
    }
  }

  @Override
  public void close() {
    for (Subject.Opened left : List.copyOf(opened)) {
      try {
        left.device().close();
      } finally {
        left.afterClose().run();
      }
    }
    opened.clear();
  }
}
