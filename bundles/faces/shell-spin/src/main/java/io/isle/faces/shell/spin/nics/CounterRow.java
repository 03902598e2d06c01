package io.isle.faces.shell.spin.nics;

import io.isle.api.spin.ContextInfo;
import io.isle.api.spin.ContextStats;
import io.isle.faces.shell.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A counter of a context.
 *
 * @param count number of the values, of a counter of handlers; else null
 */
record CounterRow(String context, String counter, long value, Long count) {
  static List<CounterRow> of(List<ContextInfo> contexts) {
    List<CounterRow> rows = new ArrayList<>();
    for (ContextInfo context : contexts) {
      own(context.stats())
          .forEach((name, value) -> rows.add(new CounterRow(context.name(), name, value, null)));
      List<ContextStats.Counter> counters = context.stats().counters();
      for (int i = 0; i < counters.size(); i++) {
        ContextStats.Counter one = counters.get(i);
        if (one.count() != 0) {
          rows.add(new CounterRow(context.name(), "handler_" + i, one.sum(), one.count()));
        }
      }
    }
    return rows;
  }

  private static Map<String, Long> own(ContextStats stats) {
    Map<String, Long> all = new LinkedHashMap<>();
    all.put("packets", stats.packets());
    all.put("bytes", stats.bytes());
    all.put("messages", stats.messages());
    all.put("aborted", stats.aborted());
    all.put("lost", stats.lost());
    all.put("dropped_length", stats.droppedLength());
    all.put("dropped_slots", stats.droppedSlots());
    all.put("dropped_recovery", stats.droppedRecovery());
    all.put("tasks", stats.tasks());
    all.put("traps", stats.traps());
    all.put("hpu_ns", stats.hpuNs());
    all.put("sends", stats.sends());
    all.put("sent_bytes", stats.sentBytes());
    all.put("host_requests", stats.hostRequests());
    all.put("failed", stats.failed());
    all.put("text_lost", stats.textLost());
    return all;
  }

  static Table<CounterRow> table() {
    return new Table<CounterRow>(ContextRows.NONE)
        .column("context", CounterRow::context)
        .whole()
        .column("counter", CounterRow::counter)
        .whole()
        .column("value", CounterRow::value)
        .column("count", CounterRow::count);
  }
}
