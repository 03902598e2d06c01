package io.isle.api.driver;

import io.isle.api.device.Recovery;
import io.isle.api.device.RecoveryCause;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Attaches opened devices to the core: offered by the owner of contexts, called by the owner of
 * drivers. Control plane; thread-safe.
 */
@ProviderType
public interface DevicePort {
  /** Index part of every tag is below this: most submissions in flight on one device. */
  int MAX_INFLIGHT = 1024;

  /**
   * Begins to manage a device, or takes over the attachment that was detached.
   *
   * @throws IllegalStateException when the device is attached already
   */
  Attachment attach(String deviceId);

  /**
   * An opening of a device, or of the process of one group on it.
   *
   * @param epoch number of the device's opening
   * @param lane where all its control calls are made
   */
  record Opening(AccelDevice device, int epoch, ControlLane lane) {}

  /**
   * Memory that the core shares with the drivers of a device over all its openings.
   *
   * @param memory mapped by the core
   * @param descriptor to pass to a driver host; valid until the attachment is closed
   */
  record Shared(MemorySegment memory, int descriptor) {}

  /**
   * Where one process rings: no other process maps it. One thread at a time but for {@link #wakes}.
   */
  interface Bell extends AutoCloseable {
    /** An int at 0: the bell. */
    Shared page();

    /**
     * The device's agent is woken by it from now on, while it has work on the device.
     *
     * @throws DriverException ENOSPC when it listens to as many processes as it can
     */
    void listen();

    /** Ends {@link #listen}: the agent does not use the page any more when this returns. */
    void mute();

    /**
     * How often the process ended a sleep of the agent, or kept it from falling asleep; at most
     * twice a ring. The agent's thread only.
     */
    long wakes();

    /** Ends {@link #listen} and unmaps the page. */
    @Override
    void close();
  }

  /**
   * The attachment of a device to the core, which outlives the device's drivers. The owner of
   * drivers calls one method at a time: {@link #rebuild} and {@link #thaw} bring a device in,
   * {@link #freeze} and {@link #fail} take it out; contexts live on until {@link #lose} or {@link
   * #close}.
   */
  interface Attachment extends AutoCloseable {
    /** Command segment: envelopes are written here; a driver host only reads it. */
    Shared commands();

    /** One page, which only the core can write; an int at 0: whether the device's agent sleeps. */
    Shared agent();

    /**
     * Makes the page on which one process of a driver, or one library of this process, rings for
     * the core. Its owner closes it.
     *
     * @throws io.isle.api.base.IsleException when there is no memory for it
     */
    Bell newBell();

    /** Longest time of one control call, which its settings say; for the next opening. */
    Duration controlBound();

    /** Completions of this device, ready before it is opened. */
    CompletionSink completions();

    /** See {@link DriverServices#started}. Wait-free. */
    void started(long tag, long ns);

    /**
     * Whom to tell when the core finds the open device unusable: a data call that threw or said
     * that it is gone, work that would not leave the engine. Told once an opening, on a thread of
     * the core's; nothing has been done about it yet.
     */
    void onFailure(Consumer<RecoveryCause> listener);

    /**
     * Whom to tell when the core finds the process of a group unusable, as {@link #onFailure} of
     * the whole device; for devices with {@link GroupIsolation}.
     */
    void onGroupFailure(BiConsumer<String, RecoveryCause> listener);

    /**
     * The process of a group is gone or to be replaced, while the device stays open: interrupts the
     * group's contexts and ends their work as {@link #freeze} and {@link #fail} do. Others go on.
     * No call of the group's reaches the driver once this returns, but for those that are inside.
     *
     * @throws DriverException ETIMEDOUT when the device's agent does not answer
     */
    void interrupt(String group, RecoveryCause cause);

    /**
     * After {@link #interrupt}: makes the group's contexts anew on the open device, in the process
     * that {@link GroupIsolation#open} gives.
     *
     * @return what became of their work since {@link #interrupt}
     * @throws DriverException when that process cannot be had or fails: it may be tried again
     */
    Recovery.Work renew(String group);

    /**
     * After {@link #renew}: the group's contexts go on.
     *
     * @throws DriverException when the device's agent does not answer: it may be tried again, from
     *     {@link #renew} on
     */
    void thaw(String group);

    /** After {@link #interrupt}: the group's contexts are lost with ENODEV and {@code why}. */
    void lose(String group, String why);

    /**
     * Starts nothing more and waits for work in flight; pending work stays pending, and contexts
     * still take submissions. What does not end within {@code bound} is asked to leave, then
     * stopped with -EINTR; what had not begun is pending again if the device says so. It stays so
     * until {@link #unpause}, over {@link #freeze} and {@link #thaw} too.
     *
     * @return whether all work has ended by itself
     */
    boolean pause(Duration bound);

    /** Ends {@link #pause}. */
    void unpause();

    /**
     * Copies the contents of device memory that the CPU can see, to be restored by the next {@link
     * #rebuild}; for an orderly replacement, after {@link #pause} and before the driver closes.
     */
    void save();

    /**
     * Contexts are interrupted; no data call is made once this returns. Control calls that are
     * under way are the caller's to end.
     */
    void freeze(RecoveryCause cause);

    /**
     * Ends work with -EINTR exactly once: all in flight that is not to be replayed, and all pending
     * of contexts that do not keep it; wakes who waits.
     *
     * @param keepPending keep pending work of every context
     */
    void fail(boolean keepPending);

    /**
     * Asks a device that has just been opened for its properties. Called on the lane's thread,
     * before {@link #rebuild} of the same opening.
     *
     * @throws RuntimeException when the device fails or its answers contradict the driver ABI
     */
    void ask(Opening opening);

    /**
     * Makes contexts, programs and memory anew on a device that has just been opened, after {@link
     * #ask}.
     *
     * @return what became of work since {@link #freeze}
     * @throws DriverException when the device refuses or fails: it may be tried with the next one
     */
    Recovery.Work rebuild(Opening opening);

    /** Contexts take work again; what was kept starts. */
    void thaw();

    /** After {@link #fail}: no device follows; contexts are lost with ENODEV and {@code why}. */
    void lose(String why);

    /**
     * After {@link #fail}: the owner of drivers lets go. Contexts wait for the next {@link
     * DevicePort#attach} and are lost when it does not come within the bound of the node's
     * settings.
     */
    void detach(String why);

    /** Ends the attachment and the contexts of its device. */
    @Override
    void close();
  }
}
