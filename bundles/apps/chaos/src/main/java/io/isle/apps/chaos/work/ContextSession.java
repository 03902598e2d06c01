package io.isle.apps.chaos.work;

import io.isle.api.accel.Accelerator;
import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.Program;
import io.isle.api.accel.ProgramSource;
import io.isle.api.base.Errno;
import io.isle.api.tenancy.Capability;
import io.isle.apps.chaos.check.LedgerEvent;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** One context of a tenant, from its opening to its end. Used by the tenant's thread. */
final class ContextSession implements AutoCloseable {
  static final long EXECUTION_US = 200_000;
  private static final int SLOTS = 4;
  private static final int QUEUE = 16;
  private static final int COMMAND_BYTES = 1024;
  private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(200);

  /** A submission that is under way for so long will not end any more. */
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);

  private final Recorder recorder;
  private final TenantProfile profile;
  private final Random random;
  private final Context context;
  private final int number;
  private final String name;
  private final Slot[] slots = new Slot[SLOTS];
  private final Program sha256;
  private final Program busy;
  private boolean gone;

  ContextSession(
      String device,
      Accelerator accelerator,
      Capability capability,
      TenantProfile profile,
      Recorder recorder,
      Random random) {
    this.recorder = recorder;
    this.profile = profile;
    this.random = random;
    this.name = device + "/" + profile.name().toLowerCase(Locale.ROOT);
    ContextSpec spec =
        ContextSpec.named(name)
            .withMaxExecutionUs(EXECUTION_US)
            .withQueue(QUEUE, COMMAND_BYTES)
            .withKeepPending(profile.keepPending);
    context = accelerator.open(capability, spec);
    number = recorder.opened(name);
    try {
      context.listen(
          (c, end) ->
              recorder.ended(device, new LedgerEvent.Ended(number, end.point(), end.status())),
          recorder.listening());
      sha256 = context.load(new ProgramSource.Builtin("sha256"));
      busy = context.load(new ProgramSource.Builtin("busy"));
      for (int i = 0; i < SLOTS; i++) {
        slots[i] = new Slot(context, profile.retained, random);
      }
    } catch (RuntimeException e) {
      close(context);
      throw e;
    }
  }

  /** Whether the context is gone, and another one is needed. */
  boolean gone() {
    return gone;
  }

  /** Submits on all slots, waits for all and checks what came out. */
  void round() {
    for (int i = 0; i < SLOTS && !gone; i++) {
      if (slots[i].point == 0) {
        submit(slots[i], i == 0 ? null : slots[i - 1]);
      }
    }
    for (Slot slot : slots) {
      if (slot.point > 0) {
        collect(slot);
      }
    }
  }

  private void submit(Slot slot, Slot before) {
    slot.write();
    CommandWriter writer = context.writer();
    if (writer != null) {
      if (before != null && before.point > 0 && random.nextInt(4) == 0) {
        writer.after(context.timeline(), before.point);
      }
      slot.prepare(writer, Task.next(random), profile.retained, sha256, busy);
    }
    long point = context.submit(writer);
    if (point > 0) {
      slot.point = point;
      slot.sinceNs = System.nanoTime();
      recorder.record(new LedgerEvent.Submitted(number, point, recorder.step()));
    } else {
      refused(slot, (int) point);
    }
  }

  private void refused(Slot slot, int code) {
    if (code != -Errno.EAGAIN) {
      recorder.record(new LedgerEvent.Refused(number, code, recorder.step()));
    }
    if (code == -Errno.ENODATA) {
      slot.forget();
    } else if (code == -Errno.EINTR) {
      int usable = context.awaitUsable(LOOK_NS);
      gone = Slot.ends(-usable);
    } else {
      gone = Slot.ends(-code);
    }
  }

  private void collect(Slot slot) {
    int code = context.await(slot.point, LOOK_NS);
    while (code == -Errno.ETIME && System.nanoTime() - slot.sinceNs < PATIENCE_NS) {
      code = context.await(slot.point, LOOK_NS);
    }
    if (code == -Errno.ETIME || code == -Errno.ECANCELED) {
      if (code == -Errno.ETIME) {
        recorder.problem("stuck: " + name + "#" + number + " still waits for " + slot);
      }
      gone = true;
      return;
    }
    recorder.record(new LedgerEvent.Told(number, slot.point, context.status(slot.point)));
    if (code == 0) {
      slot.check(number, recorder);
    } else if (code == -Errno.ENODATA) {
      slot.forget();
    }
    gone |= Slot.ends(-code);
    slot.point = 0;
  }

  /** Lets some time pass, so that the platform has the processors too. */
  void rest() {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1 + random.nextInt(25)));
  }

  /** Closing works whatever the device does. */
  private void close(Context open) {
    try {
      open.close();
    } catch (RuntimeException e) {
      recorder.problem("leak: " + name + "#" + number + " cannot be closed: " + e);
    }
  }

  /** Closes the context; what was under way has ended then. */
  @Override
  public void close() {
    close(context);
    for (Slot slot : slots) {
      if (slot.point > 0) {
        recorder.record(new LedgerEvent.Told(number, slot.point, context.status(slot.point)));
      }
    }
  }
}
