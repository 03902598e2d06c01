package io.isle.core.accel.sched;

import java.util.Arrays;

/**
 * A 4-ary min-heap of small ids by a long key, ties by id, that knows where each id is. Keys and
 * ids of siblings lie side by side. Not thread-safe.
 */
public final class IndexedHeap {
  private static final int ABSENT = -1;

  /** By place. */
  private final long[] keys;

  private final int[] ids;

  /** By id. */
  private final int[] places;

  private int size;

  /**
   * @param capacity ids are below this
   */
  public IndexedHeap(int capacity) {
    keys = new long[capacity];
    ids = new int[capacity];
    places = new int[capacity];
    Arrays.fill(places, ABSENT);
  }

  public boolean isEmpty() {
    return size == 0;
  }

  public boolean contains(int id) {
    return places[id] >= 0;
  }

  /** The id with the least key; there must be one. */
  public int top() {
    return ids[0];
  }

  /** The least key; there must be one. */
  public long topKey() {
    return keys[0];
  }

  /** The key of an id that is in. */
  public long key(int id) {
    return keys[places[id]];
  }

  /** Adds an id that is not in. */
  public void insert(int id, long key) {
    up(size++, id, key);
  }

  /** Takes out an id that is in. */
  public void remove(int id) {
    int place = places[id];
    places[id] = ABSENT;
    int last = --size;
    if (place != last) {
      move(place, ids[last], keys[last]);
    }
  }

  /** Gives an id that is in a new key. */
  public void update(int id, long key) {
    move(places[id], id, key);
  }

  public void clear() {
    for (int place = 0; place < size; place++) {
      places[ids[place]] = ABSENT;
    }
    size = 0;
  }

  private void move(int place, int id, long key) {
    int parent = (place - 1) >> 2;
    if (place > 0 && before(key, id, keys[parent], ids[parent])) {
      up(place, id, key);
    } else {
      down(place, id, key);
    }
  }

  private void up(int from, int id, long key) {
    int place = from;
    while (place > 0) {
      int parent = (place - 1) >> 2;
      if (!before(key, id, keys[parent], ids[parent])) {
        break;
      }
      put(place, ids[parent], keys[parent]);
      place = parent;
    }
    put(place, id, key);
  }

  private void down(int from, int id, long key) {
    int place = from;
    for (int first = (place << 2) + 1; first < size; first = (place << 2) + 1) {
      int least = leastOf(first, Math.min(first + 4, size));
      if (!before(keys[least], ids[least], key, id)) {
        break;
      }
      put(place, ids[least], keys[least]);
      place = least;
    }
    put(place, id, key);
  }

  private int leastOf(int first, int end) {
    int least = first;
    long leastKey = keys[first];
    for (int place = first + 1; place < end; place++) {
      long key = keys[place];
      if (key < leastKey || key == leastKey && ids[place] < ids[least]) {
        least = place;
        leastKey = key;
      }
    }
    return least;
  }

  private void put(int place, int id, long key) {
    keys[place] = key;
    ids[place] = id;
    places[id] = place;
  }

  private static boolean before(long key, int id, long otherKey, int otherId) {
    return key < otherKey || key == otherKey && id < otherId;
  }
}
