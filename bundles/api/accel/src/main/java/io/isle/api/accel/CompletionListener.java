package io.isle.api.accel;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * Hears of completions, on the executor it was given with. What it throws is logged and ends
 * nothing.
 *
 * <p>With an executor that runs it at once, such as {@code Runnable::run}, it runs on the thread
 * that tells of completions and must not block: no lock that another thread may hold, no input or
 * output, no sleep, no wait for another submission. Whatever takes longer belongs on an executor of
 * the tenant's, or to {@link Context#defer}.
 */
@ConsumerType
@FunctionalInterface
public interface CompletionListener {
  void completed(Context context, Completion completion);
}
