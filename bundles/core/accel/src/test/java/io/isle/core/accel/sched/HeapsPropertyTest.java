package io.isle.core.accel.sched;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Heaps and sets against plain collections. */
class HeapsPropertyTest {
  private static final int IDS = 40;
  private static final int HEAPS = 7;

  private static int least(Map<Integer, Long> model) {
    return model.entrySet().stream()
        .min(Map.Entry.<Integer, Long>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
        .orElseThrow()
        .getKey();
  }

  @Property(tries = 300)
  void anIndexedHeapFindsTheLeast(
      @ForAll @Size(max = 300) List<@IntRange(min = 0, max = 1 << 20) Integer> script) {
    IndexedHeap heap = new IndexedHeap(IDS);
    Map<Integer, Long> model = new TreeMap<>();
    for (int step : script) {
      int id = step % IDS;
      long key = step / IDS % 16;
      if (!model.containsKey(id)) {
        heap.insert(id, key);
        model.put(id, key);
      } else if (step % 3 == 0) {
        heap.remove(id);
        model.remove(id);
      } else {
        heap.update(id, key);
        model.put(id, key);
      }
      for (int other = 0; other < IDS; other++) {
        assertEquals(model.containsKey(other), heap.contains(other));
        if (heap.contains(other)) {
          assertEquals(model.get(other), heap.key(other));
        }
      }
      assertEquals(model.isEmpty(), heap.isEmpty());
      if (!model.isEmpty()) {
        assertEquals(least(model), heap.top());
        assertEquals(model.get(heap.top()), heap.topKey());
      }
    }
    heap.clear();
    assertTrue(heap.isEmpty() && !heap.contains(0));
  }

  /** Nodes change the heap that they belong to all the time, so regions grow and are compacted. */
  @Property(tries = 300)
  void aForestFindsTheLeastOfEachHeap(
      @ForAll @Size(max = 600) List<@IntRange(min = 0, max = 1 << 20) Integer> script) {
    HeapForest forest = new HeapForest(IDS, HEAPS);
    int[] home = new int[IDS];
    Arrays.fill(home, -1);
    List<TreeMap<Integer, Long>> models =
        Stream.generate(TreeMap<Integer, Long>::new).limit(HEAPS).toList();
    for (int step : script) {
      int node = step % IDS;
      long key = step / IDS % 16;
      if (home[node] < 0 || !models.get(home[node]).containsKey(node)) {
        int to = step / IDS % HEAPS;
        if (home[node] >= 0) {
          forest.leave(home[node]);
        }
        forest.join(to);
        home[node] = to;
        forest.setKey(node, key);
        forest.insert(to, node);
        models.get(to).put(node, key);
      } else if (step % 3 == 0) {
        forest.remove(home[node], node);
        models.get(home[node]).remove(node);
        assertFalse(forest.contains(node));
      } else {
        forest.update(home[node], node, key);
        models.get(home[node]).put(node, key);
      }
      for (int h = 0; h < HEAPS; h++) {
        var model = models.get(h);
        assertEquals(model.size(), forest.size(h));
        assertEquals(model.isEmpty(), forest.isEmpty(h));
        assertEquals(model.isEmpty() ? HeapForest.NONE : least(model), forest.top(h));
        model.forEach((n, k) -> assertTrue(forest.contains(n) && forest.key(n) == k));
        if (!model.isEmpty()) {
          assertEquals(model.get(forest.top(h)), forest.topKey(h));
        }
      }
    }
    forest.clear();
    assertTrue(forest.isEmpty(0) && !forest.contains(0));
  }

  @Property(tries = 100)
  void loweringKeepsTheOrder(
      @ForAll @Size(min = 1, max = IDS) List<@IntRange(min = 100, max = 1000) Integer> keys) {
    HeapForest forest = new HeapForest(IDS, 2);
    for (int node = 0; node < keys.size(); node++) {
      forest.join(node & 1);
      forest.setKey(node, keys.get(node));
      forest.insert(node & 1, node);
    }
    int top = forest.top(0);
    forest.lower(0, 100);
    assertEquals(top, forest.top(0));
    for (int node = 0; node < keys.size(); node++) {
      assertEquals(keys.get(node) - ((node & 1) == 0 ? 100 : 0), forest.key(node));
    }
    assertEquals(forest.key(top), forest.topKey(0));
  }

  @Property(tries = 200)
  void aReadySetServesEachOnceARound(
      @ForAll Set<@IntRange(min = 0, max = 4095) Integer> contexts,
      @ForAll Set<@IntRange(min = 0, max = 4095) Integer> removed) {
    ReadySet set = new ReadySet(4096);
    contexts.forEach(set::add);
    removed.forEach(set::remove);
    Set<Integer> left = new HashSet<>(contexts);
    left.removeAll(removed);
    assertEquals(left.isEmpty(), set.isEmpty());
    List<Integer> order = left.stream().sorted(Comparator.naturalOrder()).toList();
    for (int round = 0; round < 2; round++) {
      for (int c : order) {
        assertEquals(c, set.next());
        set.served(c);
      }
    }
  }
}
