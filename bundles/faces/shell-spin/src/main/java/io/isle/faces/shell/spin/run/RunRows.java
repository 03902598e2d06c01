package io.isle.faces.shell.spin.run;

import io.isle.api.spin.ContextStats;
import io.isle.api.spin.HandlerTimes;
import io.isle.api.spin.RunResult;
import io.isle.api.spin.RunTrap;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a run has done, for people and as JSON. */
final class RunRows {
  private static final int MOST_TRAPS = 10;

  private final RunResult result;
  private final RunOutput seen;

  RunRows(RunResult result, RunOutput seen) {
    this.result = result;
    this.seen = seen;
  }

  /** A counter that handlers have used. */
  private record Counter(int index, long count, long sum) {}

  private static Table<HandlerTimes> handlers() {
    return new Table<HandlerTimes>("")
        .column("handler", HandlerTimes::handler)
        .column("runs", HandlerTimes::runs)
        .column("traps", HandlerTimes::traps)
        .column("min_ns", times -> times.ns().min())
        .column("p50_ns", times -> times.ns().p50())
        .column("p99_ns", times -> times.ns().p99())
        .column("max_ns", times -> times.ns().max())
        .column("min_cycles", times -> times.cycles().min())
        .column("p50_cycles", times -> times.cycles().p50())
        .column("p99_cycles", times -> times.cycles().p99())
        .column("max_cycles", times -> times.cycles().max());
  }

  private static Table<Counter> counters() {
    return new Table<Counter>("")
        .column("counter", Counter::index)
        .column("count", Counter::count)
        .column("sum", Counter::sum)
        .shownOnly("mean", counter -> "%.1f".formatted((double) counter.sum / counter.count));
  }

  private static Table<RunTrap> traps() {
    return new Table<RunTrap>("")
        .column("packet", RunTrap::packet)
        .column("handler", RunTrap::handler)
        .column("hpu", RunTrap::hpu)
        .column("cause", RunTrap::cause)
        .column("instruction", RunTrap::instruction)
        .column("function", RunTrap::function)
        .column("address", RunTrap::address);
  }

  private List<Counter> used() {
    List<Counter> used = new ArrayList<>();
    List<ContextStats.Counter> all = result.stats().counters();
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i).count() != 0) {
        used.add(new Counter(i, all.get(i).count(), all.get(i).sum()));
      }
    }
    return used;
  }

  static String text(RunTrap trap) {
    String line =
        "trap: packet %d, handler %s, HPU %d: %s"
            .formatted(trap.packet(), trap.handler(), trap.hpu(), trap.cause());
    if (trap.address() != 0) {
      line += " at 0x" + Long.toHexString(trap.address());
    }
    if (!trap.function().isEmpty()) {
      line += ", in " + trap.function();
    }
    return trap.instruction() == 0
        ? line
        : line + ", instruction 0x" + Long.toHexString(trap.instruction());
  }

  /** Prints for people. */
  void print(Output output) {
    seen.text().lines().forEach(output::line);
    if (seen.textLost() > 0) {
      output.line("(" + seen.textLost() + " characters more)");
    }
    seen.traps().stream().limit(MOST_TRAPS).map(RunRows::text).forEach(output::line);
    if (result.traps() > MOST_TRAPS) {
      output.line("(" + (result.traps() - MOST_TRAPS) + " traps more)");
    }
    output.table(handlers(), result.times());
    if (!used().isEmpty()) {
      output.table(counters(), used());
    }
    output.line(summary());
  }

  private String summary() {
    ContextStats stats = result.stats();
    String line =
        "%d packets: %d handled, %d unmatched, %d dropped; %d frames sent"
            .formatted(
                result.packets(),
                stats.packets(),
                result.unmatched(),
                stats.drops(),
                result.sent());
    if (stats.messages() + stats.aborted() > 0) {
      line += "; %d messages, %d aborted".formatted(stats.messages(), stats.aborted());
    }
    return stats.failed() == 0
        ? line
        : line + "; " + stats.failed() + " calls outside of the context's memory";
  }

  /** As JSON. */
  Map<String, Object> document() {
    ContextStats stats = result.stats();
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("handlers", result.handlers());
    document.put("rules", result.rules());
    document.put("packets", result.packets());
    document.put("handled", stats.packets());
    document.put("unmatched", result.unmatched());
    document.put("dropped", stats.drops());
    document.put("sent", result.sent());
    document.put("messages", stats.messages());
    document.put("aborted", stats.aborted());
    document.put("traps", result.traps());
    document.put("host_requests", stats.hostRequests());
    document.put("failed_calls", stats.failed());
    document.put("times", result.times().stream().map(handlers()::object).toList());
    document.put("counters", used().stream().map(counters()::object).toList());
    document.put("first_traps", seen.traps().stream().map(traps()::object).toList());
    document.put("stdout", seen.text());
    document.put("stdout_lost", seen.textLost() + stats.textLost());
    document.put("stopped", result.stopped());
    document.put("not_run_from", result.notRun());
    return document;
  }
}
