package io.isle.core.accel.sched;

import java.util.Arrays;

/**
 * Many 4-ary min-heaps over one set of nodes, each node in at most one of them; ties go by node.
 * Each heap has a region of shared arrays, with room for all nodes that belong to it, so that keys
 * and ids of siblings lie side by side. A node keeps its key while it is in no heap. Not
 * thread-safe.
 */
final class HeapForest {
  static final int NONE = -1;

  /** By node. */
  private final long[] keys;

  private final int[] places;

  /** By place. */
  private long[] placeKeys;

  private int[] ids;

  /** The other half of the storage, for {@link #compact}. */
  private long[] spareKeys;

  private int[] spareIds;

  /** By heap: where its region begins, how many are in it, belong to it, and find room. */
  private final int[] base;

  private final int[] size;
  private final int[] members;
  private final int[] room;

  /** Places from here on are in no region. */
  private int end;

  HeapForest(int nodes, int heaps) {
    keys = new long[nodes];
    places = new int[nodes];
    // regions are powers of two: together less than twice what belongs to them
    placeKeys = new long[2 * nodes];
    ids = new int[2 * nodes];
    spareKeys = new long[2 * nodes];
    spareIds = new int[2 * nodes];
    base = new int[heaps];
    size = new int[heaps];
    members = new int[heaps];
    room = new int[heaps];
    Arrays.fill(places, NONE);
  }

  /** One more node belongs to the heap. Takes time in proportion to all nodes at worst. */
  void join(int heap) {
    if (++members[heap] <= room[heap]) {
      return;
    }
    int wanted = roomFor(members[heap]);
    if (end + wanted > ids.length) {
      compact();
      return;
    }
    for (int i = 0; i < size[heap]; i++) {
      put(end + i, ids[base[heap] + i], placeKeys[base[heap] + i]);
    }
    base[heap] = end;
    room[heap] = wanted;
    end += wanted;
  }

  /** One that is not in it does not belong to the heap any more. */
  void leave(int heap) {
    members[heap]--;
  }

  private static int roomFor(int members) {
    return members < 2 ? members : Integer.highestOneBit(members - 1) << 1;
  }

  private void compact() {
    long[] fromKeys = placeKeys;
    int[] fromIds = ids;
    placeKeys = spareKeys;
    ids = spareIds;
    spareKeys = fromKeys;
    spareIds = fromIds;
    end = 0;
    for (int heap = 0; heap < base.length; heap++) {
      int from = base[heap];
      for (int i = 0; i < size[heap]; i++) {
        put(end + i, fromIds[from + i], fromKeys[from + i]);
      }
      base[heap] = end;
      room[heap] = roomFor(members[heap]);
      end += room[heap];
    }
  }

  boolean isEmpty(int heap) {
    return size[heap] == 0;
  }

  /** How many are in it. */
  int size(int heap) {
    return size[heap];
  }

  /** The node with the least key; {@link #NONE} if there is none. */
  int top(int heap) {
    return size[heap] == 0 ? NONE : ids[base[heap]];
  }

  /** The least key; there must be one. */
  long topKey(int heap) {
    return placeKeys[base[heap]];
  }

  long key(int node) {
    return keys[node];
  }

  boolean contains(int node) {
    return places[node] != NONE;
  }

  /** Of a node that is in no heap. */
  void setKey(int node, long key) {
    keys[node] = key;
  }

  /** Adds a node, which belongs to the heap and is in none. */
  void insert(int heap, int node) {
    up(base[heap], size[heap]++, node, keys[node]);
  }

  /** Takes a node of the heap out. */
  void remove(int heap, int node) {
    int from = base[heap];
    int place = places[node] - from;
    places[node] = NONE;
    int last = --size[heap];
    if (place != last) {
      move(heap, place, ids[from + last], placeKeys[from + last]);
    }
  }

  /** Gives a node of the heap a new key. */
  void update(int heap, int node, long key) {
    keys[node] = key;
    move(heap, places[node] - base[heap], node, key);
  }

  /** Takes the same off the keys of all nodes of a heap, which are at least that. */
  void lower(int heap, long by) {
    for (int place = base[heap]; place < base[heap] + size[heap]; place++) {
      placeKeys[place] -= by;
      keys[ids[place]] -= by;
    }
  }

  /** Empties all; keys stay. */
  void clear() {
    Arrays.fill(places, NONE);
    Arrays.fill(size, 0);
  }

  private void move(int heap, int place, int node, long key) {
    int from = base[heap];
    int parent = from + ((place - 1) >> 2);
    if (place > 0 && before(key, node, placeKeys[parent], ids[parent])) {
      up(from, place, node, key);
    } else {
      down(from, size[heap], place, node, key);
    }
  }

  private void up(int from, int at, int node, long key) {
    int place = at;
    while (place > 0) {
      int parent = (place - 1) >> 2;
      if (!before(key, node, placeKeys[from + parent], ids[from + parent])) {
        break;
      }
      put(from + place, ids[from + parent], placeKeys[from + parent]);
      place = parent;
    }
    put(from + place, node, key);
  }

  private void down(int from, int count, int at, int node, long key) {
    int place = at;
    for (int first = (place << 2) + 1; first < count; first = (place << 2) + 1) {
      int least = leastOf(from + first, from + Math.min(first + 4, count));
      if (!before(placeKeys[least], ids[least], key, node)) {
        break;
      }
      put(from + place, ids[least], placeKeys[least]);
      place = least - from;
    }
    put(from + place, node, key);
  }

  private int leastOf(int first, int end) {
    int least = first;
    long leastKey = placeKeys[first];
    for (int place = first + 1; place < end; place++) {
      long key = placeKeys[place];
      if (key < leastKey || key == leastKey && ids[place] < ids[least]) {
        least = place;
        leastKey = key;
      }
    }
    return least;
  }

  private void put(int place, int node, long key) {
    placeKeys[place] = key;
    ids[place] = node;
    places[node] = place;
  }

  private static boolean before(long key, int id, long otherKey, int otherId) {
    return key < otherKey || key == otherKey && id < otherId;
  }
}
