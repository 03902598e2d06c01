package io.isle.spin.nic.engine;

import io.isle.api.spin.AbortEvent;
import io.isle.api.spin.TrapEvent;
import io.isle.spin.nic.core.AbortReason;
import io.isle.spin.nic.core.HandlerKind;
import io.isle.spin.nic.hpus.TrapCauses;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Traps and aborts, from the agent to the thread that tells others. The newest are lost where there
 * is no room. Writes allocate nothing.
 */
public final class EventRing {
  private static final int ROWS = 1024;

  private static final class Row {
    LiveSlot context;
    long timeNs;
    HandlerKind handler;
    int hpu;
    int cause;
    int instruction;
    long address;
    int message;
    AbortReason reason;
  }

  private final Row[] rows = new Row[ROWS];
  private volatile long written;
  private volatile long read;
  private volatile long lost;

  EventRing() {
    for (int i = 0; i < ROWS; i++) {
      rows[i] = new Row();
    }
  }

  /** A row that {@link #done} makes visible; null without room. */
  private Row next() {
    long at = written;
    if (at - read == ROWS) {
      long before = lost;
      lost = before + 1;
      return null;
    }
    return rows[(int) (at % ROWS)];
  }

  private void done() {
    long at = written;
    written = at + 1;
  }

  void trap(
      LiveSlot context,
      long timeNs,
      HandlerKind handler,
      int hpu,
      int cause,
      int instruction,
      long address) {
    Row row = next();
    if (row != null) {
      row.context = context;
      row.timeNs = timeNs;
      row.handler = handler;
      row.hpu = hpu;
      row.cause = cause;
      row.instruction = instruction;
      row.address = address;
      row.reason = null;
      done();
    }
  }

  void abort(LiveSlot context, long timeNs, int message, AbortReason reason) {
    Row row = next();
    if (row != null) {
      row.context = context;
      row.timeNs = timeNs;
      row.message = message;
      row.reason = reason;
      done();
    }
  }

  /** Events that were lost. */
  public long lost() {
    return lost;
  }

  /** Passes all events on; one thread at a time. */
  public void drain(String nic, Consumer<TrapEvent> traps, Consumer<AbortEvent> aborts) {
    long end = written;
    for (long at = read; at < end; at++) {
      Row row = rows[(int) (at % ROWS)];
      String context = row.context.name();
      if (row.reason == null) {
        traps.accept(
            new TrapEvent(
                row.timeNs,
                nic,
                context,
                lower(row.handler),
                row.hpu,
                TrapCauses.text(row.cause),
                Integer.toUnsignedLong(row.instruction),
                row.address));
      } else {
        aborts.accept(
            new AbortEvent(
                row.timeNs, nic, context, Integer.toUnsignedLong(row.message), lower(row.reason)));
      }
      row.context = null;
      read = at + 1;
    }
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
