package io.isle.api.accel;

import org.osgi.annotation.versioning.ConsumerType;

/** Hears of completions, on the executor it was given with. */
@ConsumerType
@FunctionalInterface
public interface CompletionListener {
  void completed(Context context, Completion completion);
}
