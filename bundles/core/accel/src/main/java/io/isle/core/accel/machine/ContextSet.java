package io.isle.core.accel.machine;

/** A set of small indices, dense for walking. Not thread-safe. */
public final class ContextSet {
  private final int[] members;
  private final int[] position;
  private int size;

  public ContextSet(int capacity) {
    members = new int[capacity];
    position = new int[capacity];
    java.util.Arrays.fill(position, -1);
  }

  public int size() {
    return size;
  }

  /** Member {@code i}, below {@link #size}; the order changes with each removal. */
  public int get(int i) {
    return members[i];
  }

  public boolean has(int member) {
    return position[member] >= 0;
  }

  public void add(int member) {
    if (position[member] < 0) {
      position[member] = size;
      members[size++] = member;
    }
  }

  public void remove(int member) {
    int at = position[member];
    if (at >= 0) {
      int last = members[--size];
      members[at] = last;
      position[last] = at;
      position[member] = -1;
    }
  }

  public void clear() {
    for (int i = 0; i < size; i++) {
      position[members[i]] = -1;
    }
    size = 0;
  }
}
