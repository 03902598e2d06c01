package io.isle.api.driver;

import io.isle.api.device.Recovery;
import io.isle.api.device.RecoveryCause;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Receives opened devices: implemented by {@code core/accel}, called by {@code core/drivers}.
 * Control plane. Thread-safe.
 */
@ProviderType
public interface DevicePort {
  /**
   * Upper bound of the index part of tags: the largest number of submissions in flight on one
   * device.
   */
  int MAX_INFLIGHT = 1024;

  /**
   * Prepares the attachment of a device, or takes over a detached attachment.
   *
   * @throws IllegalStateException if the device is already attached
   */
  Attachment attach(String deviceId);

  /**
   * An opening of a device, or of the process of one group on the device.
   *
   * @param device the open device
   * @param epoch number of the device's opening
   * @param lane lane for all control calls of this opening
   */
  record Opening(AccelDevice device, int epoch, ControlLane lane) {}

  /**
   * Memory that an attachment shares with drivers across all openings of its device.
   *
   * @param memory mapped by the core
   * @param descriptor file descriptor to pass to a driver host; valid until the close of the
   *     attachment
   */
  record Shared(MemorySegment memory, int descriptor) {}

  /**
   * The bell of one process, on a page that no other process maps. One thread at a time, except for
   * {@link #wakes}.
   */
  interface Bell extends AutoCloseable {
    /** The page of the bell, an int at offset 0. */
    Shared page();

    /**
     * From now on, the bell wakes the device's agent while the agent has work on the device.
     *
     * @throws DriverException ENOSPC if the agent already listens to the largest number of
     *     processes
     */
    void listen();

    /** Ends {@link #listen}: the agent no longer uses the page after the return. */
    void mute();

    /**
     * Number of times that the process ended a sleep of the agent, or prevented a sleep; at most
     * twice a ring. The agent's thread only.
     */
    long wakes();

    /** Ends {@link #listen} and unmaps the page. */
    @Override
    void close();
  }

  /**
   * The attachment of a device, which outlives its drivers. {@code core/drivers} calls one method
   * at a time: {@link #rebuild} and {@link #thaw} attach an opened device, {@link #freeze} and
   * {@link #fail} detach it. Contexts exist until {@link #lose} or {@link #close}.
   */
  interface Attachment extends AutoCloseable {
    /** The command segment for envelopes; a driver host can only read this memory. */
    Shared commands();

    /**
     * A page that only the core can write, with an int at offset 0: whether the device's agent
     * sleeps.
     */
    Shared agent();

    /**
     * Makes the bell of one process of a driver, or of one library in the platform's process. The
     * owner closes the bell.
     *
     * @throws io.isle.api.base.IsleException if no memory is available
     */
    Bell newBell();

    /** Time limit of one control call, from the settings; for the next opening. */
    Duration controlBound();

    /** Receiver of the device's completions, ready before the opening of the device. */
    CompletionSink completions();

    /** See {@link DriverServices#started}. Wait-free. */
    void started(long tag, long ns);

    /**
     * Sets the listener for failures of the open device that the core finds: a data call that threw
     * or reported the loss of the device, or work that does not leave the engine. Called once an
     * opening, on a thread of the core, before any reaction to the failure.
     */
    void onFailure(Consumer<RecoveryCause> listener);

    /**
     * Sets the listener for failures of a group's process, as {@link #onFailure} for the whole
     * device; for devices with {@link GroupIsolation}.
     */
    void onGroupFailure(BiConsumer<String, RecoveryCause> listener);

    /**
     * Interrupts the contexts of a group whose process has ended or is to be replaced, and ends
     * their work as {@link #freeze} and {@link #fail} do; the device stays open. Other groups
     * continue. After the return, no call of the group reaches the driver, except for calls in
     * progress.
     *
     * @throws DriverException ETIMEDOUT if the device's agent does not answer
     */
    void interrupt(String group, RecoveryCause cause);

    /**
     * After {@link #interrupt}: makes the group's contexts again on the open device, in the process
     * of {@link GroupIsolation#open}.
     *
     * @return results for their work since {@link #interrupt}
     * @throws DriverException if the process cannot be started or fails; the call may be repeated
     */
    Recovery.Work renew(String group);

    /**
     * After {@link #renew}: the group's contexts continue.
     *
     * @throws DriverException if the device's agent does not answer; the calls may be repeated,
     *     from {@link #renew} on
     */
    void thaw(String group);

    /** After {@link #interrupt}: the group's contexts are lost with ENODEV and {@code why}. */
    void lose(String group, String why);

    /**
     * Starts no more work and waits for work in flight. Pending work stays pending, and contexts
     * still accept submissions. After {@code bound}, running work is asked to leave, then stopped
     * with -EINTR; work not yet begun becomes pending again if the device reports this. The pause
     * lasts until {@link #unpause}, also across {@link #freeze} and {@link #thaw}.
     *
     * @return whether all work has ended by itself
     */
    boolean pause(Duration bound);

    /** Ends {@link #pause}. */
    void unpause();

    /**
     * Copies the contents of device memory that the CPU can access, for the next {@link #rebuild}.
     * For an orderly replacement, after {@link #pause} and before the close of the driver.
     */
    void save();

    /**
     * Interrupts contexts; no data call is made after the return. The caller must end control calls
     * in progress.
     */
    void freeze(RecoveryCause cause);

    /**
     * Ends work with -EINTR exactly once: all work in flight without a replay, and all pending work
     * of contexts that do not keep pending work. Wakes waiting threads.
     *
     * @param keepPending keep pending work of every context
     */
    void fail(boolean keepPending);

    /**
     * Reads the properties of a newly opened device. Called on the lane's thread, before {@link
     * #rebuild} of the same opening.
     *
     * @throws RuntimeException if the device fails or its answers violate the driver ABI
     */
    void ask(Opening opening);

    /**
     * Makes contexts, programs and memory again on a newly opened device, after {@link #ask}.
     *
     * @return results for work since {@link #freeze}
     * @throws DriverException if the device refuses or fails; the next device may be tried
     */
    Recovery.Work rebuild(Opening opening);

    /** Contexts accept work again, and kept work starts. */
    void thaw();

    /**
     * After {@link #fail}: no device follows, and contexts are lost with ENODEV and {@code why}.
     */
    void lose(String why);

    /**
     * After {@link #fail}: {@code core/drivers} releases the attachment. Contexts wait for the next
     * {@link DevicePort#attach} and are lost after the time limit of the node's settings.
     */
    void detach(String why);

    /** Removes the attachment and its contexts. */
    @Override
    void close();
  }
}
