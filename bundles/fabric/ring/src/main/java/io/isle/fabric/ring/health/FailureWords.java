package io.isle.fabric.ring.health;

import io.isle.api.fabric.FailureCause;
import io.isle.lib.leap.isle.Notice;
import java.util.List;

/** Failures and their remedies in words. Pure functions. */
final class FailureWords {
  private static final long NS_PER_MS = 1_000_000;

  private FailureWords() {}

  /** What happened. */
  static String reason(FailureCause cause, Notice notice, List<String> reporters) {
    String by = ", says " + String.join(" and ", reporters);
    return switch (cause) {
      case RESET -> "its path was reset" + detail(notice) + by;
      case SILENT -> "no sign of life for " + notice.ageNs() / NS_PER_MS + " ms" + by;
      case CUT ->
          "the path between it and "
              + String.join(" and ", reporters)
              + " is cut; both sides live and miss each other";
      case STUCK ->
          "its stage has worked on packet "
              + notice.frame()
              + " for more than "
              + notice.ageNs() / NS_PER_MS
              + " ms"
              + by;
      case FAILED -> "its stage fails, and packets are dropped there" + by;
      case LEFT -> "it has left the ring on purpose" + by;
    };
  }

  private static String detail(Notice notice) {
    return notice.detail().isEmpty() ? "" : " (" + notice.detail() + ")";
  }

  /** What to do. */
  static String remedy(FailureCause cause, Notice notice) {
    String at = notice.address().isEmpty() ? "" : " at " + notice.address();
    return switch (cause) {
      case RESET -> "its program or machine has ended; start the node again" + at;
      case SILENT -> "its program is stopped, or its machine or network is down; look there" + at;
      case CUT -> "look at the network and the firewalls between them" + at;
      case STUCK -> "see the log of that node; restart the node if the stage does not go on" + at;
      case FAILED -> "see the log of that node; a resize or position 0 resets the stage" + at;
      case LEFT -> "start the node again" + at + ", or connect its neighbours to each other";
    };
  }
}
