package io.isle.spin.nic.live;

import io.isle.api.base.Errno;
import io.isle.api.base.MonotonicClock;
import io.isle.api.spin.HandlerImage;
import io.isle.api.spin.SpinException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * The exchanges of handlers of an interface; those of a context come one after the other. Nobody
 * else waits for them. Belongs to {@link NicThread}.
 */
final class ContextSwaps {
  private static final Duration PERIOD = Duration.ofMillis(1);

  private final List<ContextSwap> all = new ArrayList<>();
  private final NicThread thread;
  private final MonotonicClock clock;
  private boolean due;

  ContextSwaps(NicThread thread, MonotonicClock clock) {
    this.thread = thread;
    this.clock = clock;
  }

  /** Begins an exchange, at once if that is possible. */
  void add(ContextSwap swap) {
    all.add(swap);
    step();
  }

  /** Ends the exchanges for these handlers. */
  void refuse(List<HandlerImage> images, String why) {
    all.stream()
        .filter(swap -> images.stream().anyMatch(swap.image()::isOf))
        .forEach(swap -> swap.refuse(new SpinException(Errno.EACCES, why)));
    step();
  }

  /** Goes on; also after the end of a context, which ends its exchanges. */
  void step() {
    Set<ContextLife> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    for (ContextSwap swap : List.copyOf(all)) {
      if (seen.add(swap.life()) && swap.step(clock.nanoTime())) {
        boolean ignored = all.remove(swap);
      }
    }
    if (!all.isEmpty() && !due) {
      due = true;
      thread.after(PERIOD, this::again);
    }
  }

  private void again() {
    due = false;
    step();
  }
}
