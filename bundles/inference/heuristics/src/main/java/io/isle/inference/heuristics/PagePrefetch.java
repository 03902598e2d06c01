package io.isle.inference.heuristics;

import io.isle.api.inference.CheckedDecisions;
import io.isle.api.inference.DecisionFeature;
import io.isle.api.inference.DecisionOutput;
import io.isle.api.inference.DecisionOutput.Outside;
import io.isle.api.inference.DecisionPoint;
import io.isle.api.inference.DecisionSpec;
import java.util.ArrayList;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/**
 * Which pages to read ahead after a fault, as offsets from the faulting page; 0 for none. The rule
 * is sequential readahead. The outcome is the offsets that were touched soon after.
 */
@Component(
    service = {DecisionPoint.class, CheckedDecisions.class},
    immediate = true,
    property = CheckedDecisions.DECISION + "=page_prefetch")
public final class PagePrefetch extends CheckedPoint {
  /** Pages that one decision reads at most. */
  static final int PAGES = 4;

  /** Farthest page: the maps of usable pages have a bit for each. */
  static final int FARTHEST = 31;

  private static final int HISTORY = 8;
  private static final int FAR = 1 << 20;

  // Places of the features that the check reads, after page, history, process, time and region.
  static final int SPACE_BEFORE = HISTORY + 4;
  static final int SPACE_AFTER = SPACE_BEFORE + 1;
  static final int USABLE_BEFORE = SPACE_BEFORE + 2;
  static final int USABLE_AFTER = SPACE_BEFORE + 3;
  static final int MEMORY_LEFT = SPACE_BEFORE + 4;

  /** Called by the service component runtime. */
  public PagePrefetch() {
    super(new DecisionSpec("page_prefetch", features(), outputs()));
  }

  private static List<DecisionFeature> features() {
    List<DecisionFeature> list = new ArrayList<>();
    list.add(upTo("page", "pages", Integer.MAX_VALUE));
    for (int i = 1; i <= HISTORY; i++) {
      list.add(within("fault_" + i, "pages", -FAR, FAR));
    }
    list.add(upTo("process", "id", Integer.MAX_VALUE));
    list.add(upTo("since_last", "us", Integer.MAX_VALUE));
    list.add(upTo("region", "kind", 3));
    list.add(upTo("space_before", "pages", Integer.MAX_VALUE));
    list.add(upTo("space_after", "pages", Integer.MAX_VALUE));
    list.add(upTo("usable_before", "bits", Integer.MAX_VALUE));
    list.add(upTo("usable_after", "bits", Integer.MAX_VALUE));
    list.add(upTo("memory_left", "pages", Integer.MAX_VALUE));
    return list;
  }

  private static List<DecisionOutput> outputs() {
    List<DecisionOutput> list = new ArrayList<>();
    for (int i = 1; i <= PAGES; i++) {
      list.add(new DecisionOutput("offset_" + i, "pages", -FARTHEST, FARTHEST, Outside.CLAMP));
    }
    return list;
  }

  @Override
  void choose(int[] features, int[] out) {
    for (int i = 0; i < PAGES; i++) {
      out[i] = i + 1;
    }
  }

  /**
   * A page is read only in the address space of the process, if it is usable (neither protected nor
   * corrupt), and while the memory limit of the process has room.
   */
  @Override
  void check(int[] features, int[] out) {
    int room = Math.max(0, features[MEMORY_LEFT]);
    for (int i = 0; i < PAGES; i++) {
      int offset = out[i];
      if (room == 0 || !permits(features, offset) || isThere(out, i, offset)) {
        out[i] = 0;
      } else {
        room--;
      }
    }
  }

  private static boolean permits(int[] features, int offset) {
    int distance = Math.abs(offset);
    if (distance < 1 || distance > FARTHEST) {
      return false;
    }
    int space = features[offset > 0 ? SPACE_AFTER : SPACE_BEFORE];
    int usable = features[offset > 0 ? USABLE_AFTER : USABLE_BEFORE];
    return distance <= space && (usable >>> distance - 1 & 1) != 0;
  }

  private static boolean isThere(int[] values, int count, int value) {
    for (int i = 0; i < count; i++) {
      if (values[i] == value) {
        return true;
      }
    }
    return false;
  }

  /** Pages that were read and touched, out of all that were read or touched. */
  @Override
  public int score(int[] features, int[] out, int[] actual) {
    int hits = 0;
    int all = 0;
    for (int i = 0; i < PAGES; i++) {
      boolean read = out[i] != 0 && !isThere(out, i, out[i]);
      boolean touched = actual[i] != 0 && !isThere(actual, i, actual[i]);
      all += (read ? 1 : 0) + (touched ? 1 : 0);
      hits += read && isThere(actual, PAGES, out[i]) ? 2 : 0;
    }
    return all == 0 ? 1000 : hits * 1000 / all;
  }
}
