package io.isle.core.accel.fence;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Whom to ring when a timeline moves; each is there once. Adding one that is new allocates, ringing
 * does not. Thread-safe, without locks.
 */
public final class Watchers {
  private static final VarHandle ALL;

  static {
    try {
      ALL = MethodHandles.lookup().findVarHandle(Watchers.class, "all", Ringing[].class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private volatile Ringing[] all;

  /** Rings {@code bell} at each {@link #ring} from now on; forgets those that are gone. */
  public void add(Ringing bell) {
    while (true) {
      Ringing[] old = all;
      if (has(old, bell)) {
        return;
      }
      if (ALL.compareAndSet(this, old, with(old, bell))) {
        return;
      }
    }
  }

  private static boolean has(Ringing[] bells, Ringing bell) {
    if (bells != null) {
      for (Ringing known : bells) {
        if (known == bell) {
          return true;
        }
      }
    }
    return false;
  }

  private static Ringing[] with(Ringing[] old, Ringing bell) {
    int kept = 0;
    Ringing[] more = new Ringing[old == null ? 1 : old.length + 1];
    for (int i = 0; old != null && i < old.length; i++) {
      if (!old[i].isGone()) {
        more[kept++] = old[i];
      }
    }
    more[kept++] = bell;
    return kept == more.length ? more : java.util.Arrays.copyOf(more, kept);
  }

  /** After what they look for was made visible and a full fence. */
  public void ring() {
    Ringing[] now = all;
    if (now != null) {
      for (Ringing bell : now) {
        bell.ring();
      }
    }
  }
}
