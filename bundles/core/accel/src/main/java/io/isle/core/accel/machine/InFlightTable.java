package io.isle.core.accel.machine;

/**
 * The submissions on a device: a fixed number of indices, each with the context and point it stands
 * for. A tag is an index with a generation that grows at each use. Not thread-safe.
 */
public final class InFlightTable {
  private static final int NO_CONTEXT = -1;

  private final int[] context;

  /** By context, how many are its. */
  private final int[] running;

  /** 0 while the index is free. */
  private final long[] point;

  /** What it ends with unless it succeeds; 0 for what the device says. */
  private final int[] endCode;

  /** Whether it ends so although it succeeds. */
  private final boolean[] overdue;

  /** Whether its context was asked to leave the device for now. */
  private final boolean[] asked;

  /** Whether it was asked to leave the device for an administrator. */
  private final boolean[] evicted;

  /** Whether it had begun before, and starts again. */
  private final boolean[] replay;

  private final int[] generation;
  private final int[] free;
  private int freeCount;

  /** Free indices that are not taken, so that no more are in flight than is allowed. */
  private int reserved;

  /** How many of those that are taken do not count against what is allowed. */
  private int exempt;

  InFlightTable(int contexts, int capacity) {
    context = new int[capacity];
    running = new int[contexts];
    point = new long[capacity];
    endCode = new int[capacity];
    overdue = new boolean[capacity];
    asked = new boolean[capacity];
    evicted = new boolean[capacity];
    replay = new boolean[capacity];
    generation = new int[capacity];
    free = new int[capacity];
    freeCount = capacity;
    for (int i = 0; i < capacity; i++) {
      context[i] = NO_CONTEXT;
      free[i] = capacity - 1 - i;
    }
  }

  public int capacity() {
    return context.length;
  }

  boolean isFull() {
    return freeCount == 0 || freeCount + exempt <= reserved;
  }

  /**
   * Sets how many may be in flight; those beyond that are there now stay.
   *
   * @param most 1 to the capacity
   */
  public void limit(int most) {
    reserved = context.length - most;
  }

  /** So many that are in flight do not count against {@link #limit} from now on. */
  public void exempt(int count) {
    exempt = count;
  }

  /** How many may be in flight. */
  public int allowed() {
    return context.length - reserved;
  }

  /** Indices that are taken, detached ones included. */
  public int size() {
    return context.length - freeCount;
  }

  /** Takes an index; the table must not be full. */
  int add(int c, long p, boolean again) {
    int index = free[--freeCount];
    generation[index] = Math.max(1, generation[index] + 1);
    endCode[index] = 0;
    overdue[index] = false;
    asked[index] = false;
    evicted[index] = false;
    replay[index] = again;
    context[index] = c;
    point[index] = p;
    running[c]++;
    return index;
  }

  /** How many a context has in flight. */
  public int running(int c) {
    return running[c];
  }

  void remove(int index) {
    if (context[index] >= 0) {
      detach(index);
    }
    point[index] = 0;
    free[freeCount++] = index;
  }

  /** Keeps the index taken, for nobody, until its completion has come. */
  void detach(int index) {
    running[context[index]]--;
    context[index] = NO_CONTEXT;
  }

  /** Index of a tag that is in flight or detached; -1 for any other number. */
  int find(long tag) {
    int index = (int) tag;
    return index >= 0 && index < context.length && point[index] != 0 && tag(index) == tag
        ? index
        : -1;
  }

  public long tag(int index) {
    return ((long) generation[index] << 32) | index;
  }

  /** The core is about to stop it: unless it succeeds it ends with {@code code}. First come. */
  public void stopWith(int index, int code) {
    if (endCode[index] == 0) {
      endCode[index] = code;
    }
  }

  /**
   * As {@link #stopWith}, for everything that a context has in flight.
   *
   * @param only a context, -1 for all
   * @return how many
   */
  public int stopAll(int only, int code) {
    int count = 0;
    for (int i = 0; i < context.length; i++) {
      if (context[i] >= 0 && (only < 0 || only == context[i])) {
        stopWith(i, code);
        count++;
      }
    }
    return count;
  }

  /** It is over its limit and cannot be stopped: it fails at its end, whatever it comes to. */
  public void markOverdue(int index) {
    overdue[index] = true;
  }

  public boolean isOverdue(int index) {
    return overdue[index];
  }

  /** All that the context has in flight is asked to leave the device for now. */
  void askAll(int c) {
    for (int i = 0; i < context.length; i++) {
      asked[i] |= context[i] == c;
    }
  }

  /** Whether it comes back because the core asked for it. */
  public boolean isAsked(int index) {
    return asked[index];
  }

  /** All that the context has in flight is asked to leave the device for an administrator. */
  public void evictAll(int c) {
    for (int i = 0; i < context.length; i++) {
      evicted[i] |= context[i] == c;
    }
  }

  /** Whether it was asked to leave for an administrator. */
  public boolean isEvicted(int index) {
    return evicted[index];
  }

  boolean isReplay(int index) {
    return replay[index];
  }

  public int endCode(int index) {
    return endCode[index];
  }

  /** Context of an index; -1 when it is free or detached. */
  public int context(int index) {
    return context[index];
  }

  public long point(int index) {
    return point[index];
  }
}
