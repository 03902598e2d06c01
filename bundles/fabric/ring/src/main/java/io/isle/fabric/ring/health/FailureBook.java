package io.isle.fabric.ring.health;

import io.isle.api.fabric.RingSide;
import io.isle.lib.leap.isle.Notice;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The newest notice of each reporter about each node. A notice that is not repeated ends, unless
 * its reporter has failed, too: then nobody else can tell. Bounded: at most {@link #MOST} notices
 * from each side. One thread at a time.
 */
final class FailureBook {
  /** Most notices that came from one side. */
  static final int MOST = 256;

  /** Longest time between two notices of a failure. */
  static final long KEEP_NS = 10 * OwnReports.REPEAT_NS;

  private final String self;
  private final Map<Key, Entry> entries = new LinkedHashMap<>();
  private final int[] counts = new int[RingSide.values().length];
  private long checkNs = Long.MAX_VALUE;

  private record Key(String reporter, String node) {}

  /**
   * @param from the side that the notice came from; null for an own one
   */
  private record Entry(Notice notice, RingSide from, long heardNs) {
    boolean isBack() {
      return notice.cause() == Notice.Cause.BACK;
    }
  }

  FailureBook(String self) {
    this.self = self;
  }

  /** A notice of this node. */
  void own(Notice notice, long nowNs) {
    Key key = new Key(notice.reporter(), notice.node());
    remove(key);
    if (notice.cause() != Notice.Cause.BACK) {
      entries.put(key, new Entry(notice, null, nowNs));
    }
  }

  /** What becomes of a notice. */
  enum Result {
    /** It is new, and goes on to the other side. */
    NEW,
    /** It is known already, from the other side or by a later one. */
    KNOWN,
    /** There is no room for it. */
    FULL
  }

  /** A notice of another node. */
  Result take(Notice notice, RingSide from, long nowNs) {
    if (notice.reporter().equals(self)) {
      return Result.KNOWN;
    }
    Key key = new Key(notice.reporter(), notice.node());
    Entry before = entries.get(key);
    if (before != null && notice.id() <= before.notice.id()) {
      return Result.KNOWN;
    }
    int own = before != null && before.from == from ? 1 : 0;
    if (counts[from.ordinal()] - own == MOST && !forgetBack(from)) {
      return Result.FULL;
    }
    remove(key);
    entries.put(key, new Entry(notice, from, nowNs));
    counts[from.ordinal()]++;
    checkNs = Math.min(checkNs, nowNs + KEEP_NS);
    return Result.NEW;
  }

  private void remove(Key key) {
    Entry before = entries.remove(key);
    if (before != null && before.from != null) {
      counts[before.from.ordinal()]--;
    }
  }

  /** Makes room at the expense of the oldest notice of an end. */
  private boolean forgetBack(RingSide from) {
    for (Map.Entry<Key, Entry> one : entries.entrySet()) {
      if (one.getValue().from == from && one.getValue().isBack()) {
        remove(one.getKey());
        return true;
      }
    }
    return false;
  }

  /** Forgets what nobody reports any more. */
  void expire(long nowNs) {
    if (nowNs < checkNs) {
      return;
    }
    Set<String> failed = new HashSet<>();
    for (Entry entry : entries.values()) {
      if (isFresh(entry, nowNs) && !entry.isBack()) {
        failed.add(entry.notice.node());
      }
    }
    checkNs = Long.MAX_VALUE;
    Iterator<Entry> all = entries.values().iterator();
    while (all.hasNext()) {
      Entry entry = all.next();
      boolean kept = !entry.isBack() && failed.contains(entry.notice.reporter());
      if (isFresh(entry, nowNs) || kept) {
        if (entry.from != null) {
          checkNs = nowNs + KEEP_NS / 4;
        }
      } else {
        all.remove();
        counts[entry.from.ordinal()]--;
      }
    }
  }

  private static boolean isFresh(Entry entry, long nowNs) {
    return entry.from == null || nowNs - entry.heardNs < KEEP_NS;
  }

  /** Time of the next {@link #expire}. */
  long deadlineNs() {
    return checkNs;
  }

  /** All notices of failures that last. */
  List<Notice> failing() {
    return entries.values().stream().filter(entry -> !entry.isBack()).map(Entry::notice).toList();
  }
}
