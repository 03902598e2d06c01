package io.isle.spin.nic.offline;

import io.isle.api.driver.HpuCaps;
import io.isle.api.spin.ContextStats;
import io.isle.api.spin.HandlerImage;
import io.isle.api.spin.HandlerTimes;
import io.isle.api.spin.Ruleset;
import io.isle.api.spin.RunObserver;
import io.isle.api.spin.RunResult;
import io.isle.api.spin.RunTrap;
import io.isle.spin.nic.core.ContextCounters;
import io.isle.spin.nic.core.DropReason;
import io.isle.spin.nic.core.HandlerKind;
import io.isle.spin.nic.hpus.AttachedHandlers;
import io.isle.spin.nic.hpus.SpinRings;
import io.isle.spin.nic.hpus.TrapCauses;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongUnaryOperator;

/** Passes on what comes out of a run, and sums it up. */
final class RunReport implements OfflineOutput {
  private final HandlerImage image;
  private final ImageFunctions functions;
  private final RunObserver observer;

  RunReport(HandlerImage image, RunObserver observer) {
    this.image = image;
    this.observer = observer;
    functions = ImageFunctions.of(image.bytes());
  }

  @Override
  public void sent(OfflineTask task, MemorySegment memory, long offset, int length) {
    try {
      observer.sent(memory, offset, length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void unmatched(MemorySegment memory, long offset, int length) {
    try {
      observer.unmatched(memory.asSlice(offset), length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void trapped(OfflineTask task, TaskTrap trap) {
    long instruction = Integer.toUnsignedLong(trap.instruction());
    observer.trap(
        new RunTrap(
            task.packet(),
            text(task.handler()),
            task.hpu(),
            TrapCauses.text(trap.cause()),
            instruction,
            functions.at(instruction),
            trap.address()));
  }

  private static String text(HandlerKind handler) {
    return handler.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public void aborted(int message, boolean atEnd) {
    observer.aborted(Integer.toUnsignedLong(message), atEnd);
  }

  RunResult result(Ruleset rules, OfflineRun run, AttachedHandlers handlers) {
    HpuCaps caps = handlers.caps();
    List<HandlerTimes> times = new ArrayList<>();
    for (HandlerKind handler : HandlerKind.values()) {
      if ((handlers.handlers() >>> handler.ordinal() & 1) != 0) {
        times.add(times(run, handler, caps.megahertz()));
      }
    }
    String stopped =
        run.refused()
            ? caps.limits().traps()
                + " handlers in a row have not returned (trap_limit): packet "
                + run.notRun()
                + " and those behind it were not run; with trap_limit = 0 of the device all are"
            : "";
    return new RunResult(
        image.name(),
        rules.text(),
        run.packets(),
        run.unmatched(),
        run.sent(),
        times,
        stats(run, handlers),
        stopped,
        run.notRun());
  }

  private static HandlerTimes times(OfflineRun run, HandlerKind handler, int megahertz) {
    RunTimes times = run.times(handler);
    return new HandlerTimes(
        text(handler),
        times.runs(),
        run.traps(handler),
        spread(times, ns -> ns),
        spread(times, ns -> ns * megahertz / 1000));
  }

  private static HandlerTimes.Spread spread(RunTimes times, LongUnaryOperator unit) {
    return new HandlerTimes.Spread(
        unit.applyAsLong(times.min()),
        unit.applyAsLong(times.percentile(50)),
        unit.applyAsLong(times.percentile(99)),
        unit.applyAsLong(times.max()));
  }

  private static ContextStats stats(OfflineRun run, AttachedHandlers handlers) {
    ContextCounters counters = run.counters();
    SpinRings rings = handlers.rings();
    long hpuNs = 0;
    for (HandlerKind handler : HandlerKind.values()) {
      hpuNs += run.times(handler).sum();
    }
    return new ContextStats(
        counters.packets(),
        counters.bytes(),
        counters.messages(),
        counters.aborted(),
        counters.lost(),
        counters.drops(DropReason.LENGTH),
        counters.drops(DropReason.SLOTS),
        counters.drops(DropReason.RECOVERY),
        counters.tasks(),
        counters.traps(),
        hpuNs,
        rings.counter("sends"),
        rings.counter("sent_bytes"),
        rings.counter("host_requests"),
        rings.counter("failed"),
        rings.counter("text_lost"),
        handlers.counters());
  }
}
