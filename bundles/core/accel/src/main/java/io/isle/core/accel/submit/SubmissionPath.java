package io.isle.core.accel.submit;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Completion;
import io.isle.api.accel.Context;
import io.isle.api.base.Errno;
import io.isle.core.accel.context.ContextRecord;
import io.isle.core.accel.context.CoreServices;
import io.isle.core.accel.context.WriterLock;
import io.isle.core.accel.fence.FenceDevice;
import io.isle.core.accel.queue.Bell;
import io.isle.core.accel.queue.ContextQueue;
import io.isle.core.accel.queue.ContextState;
import io.isle.core.accel.queue.Notifier;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/**
 * The submitting side of a context: admission and the hand-over to the agent. One thread at a time
 * owns the writer, from {@link #claim} to {@link #submit}. Allocates nothing but for {@link
 * #submitAsync}.
 */
final class SubmissionPath implements WriterLock {
  private static final VarHandle OWNER;

  /** Stands for whoever owns the writer for a moment, to close something. */
  private static final Thread LOCK = Thread.ofVirtual().unstarted(() -> {});

  private static final int LOCK_TRIES = 200;
  private static final long LOCK_PAUSE_NS = 50_000;

  static {
    try {
      OWNER = MethodHandles.lookup().findVarHandle(SubmissionPath.class, "owner", Thread.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final ContextRecord record;
  private final ContextQueue queue;
  private final EnvelopeWriter writer;
  private final Bell bell;
  private final FenceDevice fence;
  private volatile Thread owner;
  private long endedSeen;

  SubmissionPath(ContextRecord record, CoreServices core) {
    this.record = record;
    this.queue = record.queue();
    this.bell = record.services().bell();
    this.fence = record.services().fence();
    EnvelopeSlot slot =
        new EnvelopeSlot(record.services().commands(), record.spec().commandBytes());
    this.writer = new EnvelopeWriter(record, core, slot);
  }

  /** See {@link io.isle.api.accel.Context#writer}. */
  CommandWriter claim() {
    Thread self = Thread.currentThread();
    if (owner != self && !own(self) && !ownAfterLock(self)) {
      return null;
    }
    long point = queue.timeline.submitted() + 1;
    if (!record.usable() || !hasRoom(point)) {
      unlock();
      return null;
    }
    writer.begin(point);
    return writer;
  }

  /** See {@link io.isle.api.accel.Context#submit}. */
  long submit(CommandWriter written) {
    if (written != writer || owner != Thread.currentThread()) {
      return refusal(written);
    }
    long result = send();
    unlock();
    return result;
  }

  CompletableFuture<Completion> submitAsync(Context context, CommandWriter written) {
    Notifier notifier = notifier(context);
    CompletableFuture<Completion> future = new CompletableFuture<>();
    if (written != writer || owner != Thread.currentThread()) {
      future.completeExceptionally(failure((int) refusal(written)));
      return future;
    }
    long expected = writer.point();
    notifier.expect(expected, future);
    long result = submit(written);
    if (result < 0) {
      notifier.forget(expected);
      String mistake = writer.mistake();
      future.completeExceptionally(
          mistake.isEmpty() ? failure((int) result) : failure((int) result, mistake));
    }
    return future;
  }

  /** The notifier, which from its first use on sees every completion. */
  synchronized Notifier notifier(Context context) {
    record.checkUsable();
    if (queue.notifier == null) {
      startNotifier(context);
    }
    return queue.notifier;
  }

  /** The context may end meanwhile. */
  void startNotifier(Context context) {
    Notifier started = record.services().callbacks().start(context, record);
    queue.notifier = started;
    // What ended before it was known woke nobody.
    started.wake();
    if (record.state() == ContextState.State.CLOSED && queue.timeline.isSealed()) {
      // Whoever closed it looks for a notifier after sealing, and may have found none.
      started.stop();
    }
  }

  @Override
  public boolean lock() {
    if (owner == Thread.currentThread()) {
      return false;
    }
    for (int i = 0; i < LOCK_TRIES; i++) {
      if (own(LOCK)) {
        return true;
      }
      LockSupport.parkNanos(this, LOCK_PAUSE_NS);
    }
    throw new AccelException(
        Errno.EBUSY,
        "another thread is writing a submission of this context; try again after that submission");
  }

  /**
   * Takes the writer for good, so that its slots can be used again.
   *
   * @return false when another thread keeps it
   */
  boolean retire() {
    boolean retired = retireNow();
    for (int i = 1; i < LOCK_TRIES && !retired; i++) {
      LockSupport.parkNanos(this, LOCK_PAUSE_NS);
      retired = retireNow();
    }
    return retired;
  }

  /** As {@link #retire}, but waits for no other thread. */
  boolean retireNow() {
    if (owner != Thread.currentThread() && !own(LOCK)) {
      return false;
    }
    writer.abandon();
    OWNER.setRelease(this, LOCK);
    return true;
  }

  @Override
  public void unlock() {
    // its slot may be on the device, or another context's once this one is closed
    writer.abandon();
    OWNER.setRelease(this, (Thread) null);
  }

  private boolean own(Thread next) {
    Thread holder = owner;
    boolean free = holder == null || holder != LOCK && !holder.isAlive();
    return free && OWNER.compareAndSet(this, holder, next);
  }

  /** A lock lasts for some nanoseconds, or for good when the context is over. */
  private boolean ownAfterLock(Thread self) {
    while (owner == LOCK && record.usable()) {
      Thread.onSpinWait();
    }
    return own(self);
  }

  private long send() {
    int word = record.word();
    int code = ContextState.codeOf(word);
    if (code != 0) {
      return code;
    }
    if (!record.capability().valid()) {
      return -Errno.EREVOKED;
    }
    int length = writer.finish(word);
    if (length < 0) {
      return length;
    }
    long point = writer.point();
    queue.timeline.publish(point);
    bell.ring();
    if (writer.signals() || queue.notifier != null) {
      // the context may have ended meanwhile: whoever ended it looks for what was submitted
      VarHandle.fullFence();
      if (queue.timeline.isSealed()) {
        queue.tellLate();
      }
    }
    return point;
  }

  private boolean hasRoom(long point) {
    // values of the device's fences have to be told apart
    long most = Math.min(queue.depth(), fence.window());
    if (point - endedSeen > most) {
      endedSeen = queue.timeline.recorded();
      if (point - endedSeen > most) {
        return false;
      }
    }
    Notifier notifier = queue.notifier;
    return notifier == null || notifier.hasRoom(point);
  }

  private long refusal(CommandWriter written) {
    int code = record.stateCode();
    if (code != 0) {
      return code;
    }
    Thread holder = owner;
    if (holder != null && holder != Thread.currentThread()) {
      return -Errno.EBUSY;
    }
    return written == null ? -Errno.EAGAIN : -Errno.EINVAL;
  }

  private AccelException failure(int code) {
    return failure(code, Errno.name(code));
  }

  private AccelException failure(int code, String why) {
    return new AccelException(code, "submission to " + record.services().deviceId() + ": " + why);
  }
}
