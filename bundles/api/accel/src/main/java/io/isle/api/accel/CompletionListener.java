package io.isle.api.accel;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * Receives completions, on the executor of {@link Context#listen}. An exception is logged and ends
 * no thread.
 *
 * <p>With an executor that runs the listener in the calling thread, such as {@code Runnable::run},
 * the listener runs on the completion thread and must not block: no lock that another thread may
 * hold, no input or output, no sleep, no wait for another submission. Longer work belongs on an
 * executor of the tenant, or in {@link Context#defer}.
 */
@ConsumerType
@FunctionalInterface
public interface CompletionListener {
  /** Called once for each completion of the context, in order. */
  void completed(Context context, Completion completion);
}
