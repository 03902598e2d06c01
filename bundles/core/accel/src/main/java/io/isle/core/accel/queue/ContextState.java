package io.isle.core.accel.queue;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;
import io.isle.core.accel.device.OpenDevice;
import java.util.Optional;

/**
 * What a context is now, and the device of the opening that has it; none while that recovers. The
 * data path reads everything that it needs in one word. Thread-safe.
 */
public abstract class ContextState {
  /** What a context is; {@code OPEN} alone takes work. */
  public enum State {
    /** Not yet handed to its tenant. */
    NEW("open", -Errno.EINTR),
    OPEN("open", 0),
    INTERRUPTED("interrupted", -Errno.EINTR),
    LOST("lost", -Errno.ENODEV),
    CLOSED("closed", -Errno.ECLOSED);

    private static final State[] ALL = values();
    private final String text;
    private final int code;

    State(String text, int code) {
      this.text = text;
      this.code = code;
    }

    /** As in lists and JSON. */
    public String text() {
      return text;
    }
  }

  private static final int STATE_MASK = 7;
  private static final int LOSSY = 8;
  private static final int STAMP_SHIFT = 4;

  /** State, whether contents of its memory are lost, and the count of interruptions. */
  private volatile int word = State.NEW.ordinal();

  private volatile OpenDevice bound;

  /**
   * How many are at its contents so that tenants cannot write: they are taken for the next device,
   * or pages of them are replaced.
   */
  private int moving;

  private volatile int interruptions;

  /** For messages. */
  protected abstract String name();

  /** See {@link io.isle.api.accel.Context#interruptions}. */
  public int interruptions() {
    return interruptions;
  }

  /** Why its device was lost, for messages. */
  protected abstract String lostWhy();

  /** That and why it is closed, for messages. */
  public String closedWhy() {
    return " is closed";
  }

  /** State and more in one word, for {@link #codeOf}, {@link #stampOf} and {@link #lossy}. */
  public int word() {
    return word;
  }

  /** 0, -EINTR, -ENODEV or -ECLOSED. */
  public static int codeOf(int word) {
    return state(word).code;
  }

  /** Counts the interruptions and losses of contents before. */
  public static int stampOf(int word) {
    return word >>> STAMP_SHIFT;
  }

  /** Whether contents of the context's memory are lost. */
  public static boolean lossy(int word) {
    return (word & LOSSY) != 0;
  }

  private static State state(int word) {
    return State.ALL[word & STATE_MASK];
  }

  public State state() {
    return state(word);
  }

  public int stateCode() {
    return codeOf(word);
  }

  public boolean usable() {
    return state() == State.OPEN;
  }

  /** Whether it is lost or closed, for good. */
  public boolean over() {
    return state().ordinal() >= State.LOST.ordinal();
  }

  /**
   * The device that has this context.
   *
   * @throws AccelException EINTR while there is none, ENODEV, ECLOSED
   */
  public OpenDevice device() {
    OpenDevice now = bound;
    if (now == null) {
      throw refusal(State.INTERRUPTED.code);
    }
    return now;
  }

  /**
   * 0 if the device takes launches and bindings that copy nothing, else the negated code why not.
   */
  public int launchCode() {
    OpenDevice now = bound;
    return now == null ? State.INTERRUPTED.code : now.launches() ? 0 : -Errno.ENOTSUP;
  }

  public Optional<OpenDevice> bound() {
    return Optional.ofNullable(bound);
  }

  /** Whether a control call failed because the context left the device meanwhile. */
  public boolean leaving(AccelException e) {
    return e.code() == Errno.EINTR || e.code() == Errno.ENODEV || over();
  }

  /** Whether {@code device} is the one that has this context. */
  public boolean isOn(OpenDevice device) {
    return bound == device;
  }

  /**
   * @throws AccelException unless it takes work
   */
  public void checkUsable() {
    int code = stateCode();
    if (code != 0) {
      throw refusal(code);
    }
  }

  /**
   * The exception that a caller gets for a control call that failed: of a context that was closed
   * meanwhile the driver only says that it has none of that id.
   */
  public AccelException told(AccelException e) {
    return stateCode() == -Errno.ECLOSED ? refusal(-Errno.ECLOSED) : e;
  }

  private AccelException refusal(int fallback) {
    int now = stateCode();
    int code = now == 0 ? fallback : now;
    return new AccelException(
        code,
        "context "
            + name()
            + switch (-code) {
              case Errno.ECLOSED -> closedWhy();
              case Errno.EINTR -> ": the device recovers; try again after awaitUsable";
              default ->
                  ": the device was lost ("
                      + lostWhy()
                      + "); open a new context when the device is active again";
            });
  }

  /** It is made and takes work from now on; false when it was closed meanwhile. */
  public synchronized boolean opened(OpenDevice device) {
    if (state() != State.NEW) {
      return false;
    }
    bound = device;
    become(State.OPEN);
    return true;
  }

  /** Its device is being taken away. */
  public synchronized void interrupt() {
    bound = null;
    if (state() == State.OPEN) {
      interruptions++;
      word += 1 << STAMP_SHIFT;
      become(State.INTERRUPTED);
    }
  }

  /** It was made again on {@code device}; false when it was closed meanwhile. */
  public synchronized boolean bind(OpenDevice device) {
    if (state() != State.INTERRUPTED) {
      return false;
    }
    bound = device;
    return true;
  }

  /** What {@link #bind} bound went again. */
  public synchronized void unbind() {
    bound = null;
  }

  /** Its contents are taken for the next device: what is written from now on would be lost. */
  public synchronized void depart() {
    moving++;
  }

  /** Takes back one {@link #depart}. */
  public synchronized void stay() {
    moving = Math.max(0, moving - 1);
    notifyAll();
  }

  /** It has arrived, or stays after all. */
  public synchronized void settle() {
    moving = 0;
    notifyAll();
  }

  /** It takes work again. */
  public synchronized void resume() {
    if (state() == State.INTERRUPTED && bound != null) {
      become(State.OPEN);
    }
  }

  public synchronized void lose() {
    bound = null;
    if (state() == State.OPEN || state() == State.INTERRUPTED) {
      become(State.LOST);
    }
  }

  /** What {@link #close} found, and the device that has it still. */
  public record Closing(State before, OpenDevice device) {}

  public synchronized Closing close() {
    Closing found = new Closing(state(), bound);
    bound = null;
    become(State.CLOSED);
    return found;
  }

  /** Contents were lost: what is admitted from now on knows, and is told from what was before. */
  public synchronized void lostContents() {
    word = (word | LOSSY) + (1 << STAMP_SHIFT);
  }

  public synchronized void setLossy(boolean some) {
    word = some ? word | LOSSY : word & ~LOSSY;
  }

  private void become(State next) {
    word = word & ~STATE_MASK | next.ordinal();
    notifyAll();
  }

  /** See {@link io.isle.api.accel.Context#awaitUsable}. */
  public synchronized int awaitUsable(long timeoutNs) {
    long started = System.nanoTime();
    while (stateCode() == -Errno.EINTR || moving > 0 && usable()) {
      long left = timeoutNs < 0 ? Long.MAX_VALUE : timeoutNs - (System.nanoTime() - started);
      if (left <= 0) {
        return -Errno.ETIME;
      }
      try {
        wait(left / 1_000_000, (int) (left % 1_000_000));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return -Errno.ECANCELED;
      }
    }
    return stateCode();
  }
}
