package io.isle.core.observe;

import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditEvent;
import io.isle.api.observe.AuditFilter;
import io.isle.api.observe.AuditRecord;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Numbers events and keeps them in memory and in files. One thread writes; any may {@link #tail}.
 * When the files cannot be written it goes on in memory, counts, complains once, and writes the
 * count down when they can be written again.
 */
final class AuditJournal {
  /** Records in memory. */
  static final int REMEMBERED = 4096;

  private final AuditFolder folder;
  private final Consumer<String> warnings;
  private final RecordRing ring = new RecordRing(REMEMBERED);
  private long number;
  private long unwritten;

  /**
   * @param warnings for the administrator, a line each
   */
  AuditJournal(AuditFolder folder, Consumer<String> warnings) {
    this.folder = folder;
    this.warnings = warnings;
    try {
      number = folder.lastNumber();
    } catch (IOException e) {
      warnings.accept("the audit files cannot be read, so the numbers of records begin at 1: " + e);
    }
  }

  /** An event and when it happened. */
  record Stamped(long epochMs, AuditEvent event) {}

  /** Writes events down, and after them how many could not be written before. */
  void append(List<Stamped> events, long maxFileBytes) {
    List<AuditRecord> records = new ArrayList<>();
    events.forEach(event -> records.add(next(event)));
    records.forEach(ring::add);
    Optional<AuditRecord> gap = gap(events.getLast().epochMs());
    gap.ifPresent(records::add);
    StringBuilder lines = new StringBuilder();
    records.forEach(entry -> lines.append(RecordLine.write(entry)));
    try {
      folder.append(records.getFirst(), lines.toString(), maxFileBytes);
      gap.ifPresent(ring::add);
      number += gap.isPresent() ? 1 : 0;
      unwritten = 0;
    } catch (IOException | RuntimeException | Error e) {
      if (unwritten == 0) {
        warnings.accept(
            "audit records cannot be written and stay in memory only; free disk space or repair"
                + " the folder data/audit: "
                + e);
      }
      unwritten += events.size();
    }
  }

  /** What is missing in the files, under the next number. */
  private Optional<AuditRecord> gap(long epochMs) {
    String text =
        unwritten + " records are missing in the audit files, because a file could not be written";
    return unwritten == 0
        ? Optional.empty()
        : Optional.of(
            new AuditRecord(number + 1, epochMs, AuditBook.own("audit.unwritten").detail(text)));
  }

  /** Deletes files whose time has come; says so when it is for want of space. */
  void expire(Instant now, AuditLimits limits) {
    try {
      int crowdedOut = folder.expire(now.minus(limits.retention()), limits.maxTotalBytes());
      if (crowdedOut > 0) {
        String text =
            crowdedOut
                + " audit files were deleted before retention_days, because all files exceed"
                + " max_total_bytes";
        warnings.accept("audit: " + text);
        append(
            List.of(new Stamped(now.toEpochMilli(), AuditBook.own("audit.expired").detail(text))),
            limits.maxFileBytes());
      }
    } catch (IOException e) {
      warnings.accept("old audit files cannot be deleted: " + e);
    }
  }

  /** The newest that match, oldest first: from memory, and from files what is older. */
  List<AuditRecord> tail(int limit, AuditFilter filter) {
    int wanted = Math.clamp(limit, 1, Audit.MAX_TAIL);
    List<AuditRecord> recent = ring.all();
    ArrayDeque<AuditRecord> found = new ArrayDeque<>();
    prepend(found, recent, Long.MAX_VALUE, wanted, filter);
    long before = recent.isEmpty() ? Long.MAX_VALUE : recent.getFirst().number();
    try {
      List<AuditFolder.Part> parts = folder.parts();
      for (int i = parts.size() - 1; i >= 0 && found.size() < wanted; i--) {
        if (before <= filter.afterNumber() + 1 || Thread.currentThread().isInterrupted()) {
          break;
        }
        if (parts.get(i).number() < before) {
          prepend(found, AuditFolder.read(parts.get(i)), before, wanted, filter);
          before = parts.get(i).number();
        }
      }
    } catch (IOException e) {
      warnings.accept("old audit files cannot be read: " + e);
    }
    return List.copyOf(found);
  }

  /** As {@link #tail}, once there is a record that matches; empty only after {@link #end}. */
  List<AuditRecord> awaitNext(AuditFilter filter) throws InterruptedException {
    AuditFilter unseen = filter;
    while (true) {
      long newest = ring.newest();
      List<AuditRecord> found = tail(Audit.MAX_TAIL, unseen);
      if (!found.isEmpty() || !ring.awaitAfter(newest)) {
        return found;
      }
      unseen = filter.after(Math.max(newest, filter.afterNumber()));
    }
  }

  /** Nothing is appended any more. */
  void end() {
    ring.close();
  }

  private static void prepend(
      ArrayDeque<AuditRecord> found,
      List<AuditRecord> records,
      long before,
      int wanted,
      AuditFilter filter) {
    for (int i = records.size() - 1; i >= 0 && found.size() < wanted; i--) {
      AuditRecord entry = records.get(i);
      if (entry.number() < before && filter.matches(entry)) {
        found.addFirst(entry);
      }
    }
  }

  private AuditRecord next(Stamped event) {
    return new AuditRecord(++number, event.epochMs(), event.event());
  }
}
