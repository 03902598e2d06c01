package io.isle.drivers.sim;

import static io.isle.lib.kabi.CommandEnvelope.U64;

import io.isle.api.base.Errno;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.PageMigration;
import io.isle.api.driver.PageRetirement;
import io.isle.lib.kabi.CommandEnvelope;
import io.isle.lib.kabi.CommandEnvelope.Binding;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.LongFunction;

/** Pages with errors, and pages that lie on the CPU's side. Thread-safe. */
final class SimPages implements PageRetirement, PageMigration {
  static final int PAGE = 4096;
  private static final int MAX_RANGES = 1024;

  private final SimHeap heap;
  private final SimModel model;
  private final LongFunction<SimContext> contexts;

  SimPages(SimHeap heap, SimModel model, LongFunction<SimContext> contexts) {
    this.heap = heap;
    this.model = model;
    this.contexts = contexts;
  }

  /** Pages that a binding names: from {@code first} to before {@code end}. */
  private record Span(SimMemory memory, int first, int end) {}

  private static Span span(Run run, int index) {
    long at =
        run.work.offset + CommandEnvelope.bindings(run.work.waits) + (long) index * Binding.BYTES;
    long offset = run.commands().get(U64, at + Binding.OFFSET);
    long length = run.commands().get(U64, at + Binding.LENGTH);
    return new Span(
        run.work.memory[index], (int) (offset / PAGE), (int) ((offset + length + PAGE - 1) / PAGE));
  }

  /** Before the work of a submission: -EHWPOISON when it names a faulty page. */
  int touch(Run run) {
    for (int i = 0; i < run.work.bindings; i++) {
      SimMemory memory = run.work.memory[i];
      if (memory != null && memory.marked) {
        int code = touch(run, span(run, i));
        if (code != 0) {
          return code;
        }
      }
    }
    return 0;
  }

  private int touch(Run run, Span span) {
    synchronized (heap) {
      int faulty = span.memory.faulty.nextSetBit(span.first);
      if (faulty >= 0 && faulty < span.end) {
        return -Errno.EHWPOISON;
      }
      BitSet away = span.memory.onCpu;
      for (int page = away.nextSetBit(span.first);
          page >= 0 && page < span.end;
          page = away.nextSetBit(page + 1)) {
        run.pageFaults++;
        if (heap.takeRoom(PAGE)) {
          away.clear(page);
        }
      }
      return 0;
    }
  }

  /** An uncorrectable error at {@code offset} of what the submission names first. */
  int poison(Run run, long offset) {
    model.countUncorrectable();
    for (int i = 0; i < run.work.bindings; i++) {
      if (run.work.memory[i] != null) {
        Span span = span(run, i);
        if (span.end > span.first) {
          synchronized (heap) {
            int page = (int) Math.min(span.first + offset / PAGE, span.end - 1L);
            span.memory.faulty.set(page);
            span.memory.marked = true;
          }
          return -Errno.EHWPOISON;
        }
      }
    }
    return 0;
  }

  @Override
  public List<Range> faulty() {
    List<Range> ranges = new ArrayList<>();
    synchronized (heap) {
      for (SimMemory memory : heap.table().values()) {
        memory.faulty.stream()
            .limit(MAX_RANGES - ranges.size())
            .forEach(page -> ranges.add(new Range(memory.id, (long) page * PAGE, PAGE)));
      }
    }
    return ranges;
  }

  @Override
  public void retire(Range range) {
    SimMemory memory = heap.find(range.memory());
    long size = memory.bytes.byteSize();
    if (range.offset() < 0 || range.length() < 1 || range.offset() > size - range.length()) {
      throw new DriverException(Errno.EINVAL, "range: " + range + " is not within " + size);
    }
    int first = (int) (range.offset() / PAGE);
    int last = (int) ((range.offset() + range.length() - 1) / PAGE);
    int retired = 0;
    synchronized (heap) {
      for (int page = memory.faulty.nextSetBit(first);
          page >= 0 && page <= last;
          page = memory.faulty.nextSetBit(page + 1)) {
        memory.faulty.clear(page);
        memory.bytes.asSlice((long) page * PAGE, PAGE).fill((byte) 0);
        memory.worked().asSlice((long) page * PAGE, PAGE).fill((byte) 0);
        heap.retirePage();
        retired++;
      }
    }
    if (retired == 0) {
      throw new DriverException(Errno.EINVAL, "range: no page of " + range + " is faulty");
    }
  }

  @Override
  public long retiredPages() {
    return heap.retiredPages();
  }

  @Override
  public List<Integer> migrate(long context, List<Page> pages, Location target, int flags) {
    if (pages.size() > MAX_PAGES || (flags & ~(FORCE | PREFETCH)) != 0) {
      throw new DriverException(Errno.EINVAL, pages.size() + " pages with flags " + flags);
    }
    SimContext owner = contexts.apply(context);
    synchronized (heap) {
      return pages.stream().map(page -> move(owner, page, target, flags)).toList();
    }
  }

  private int move(SimContext owner, Page what, Location target, int flags) {
    SimMemory memory = heap.table().get(what.memory());
    if (memory == null || memory.context != owner) {
      return -Errno.ENOENT;
    }
    if (what.offset() < 0
        || what.offset() >= memory.bytes.byteSize()
        || what.offset() % PAGE != 0) {
      return -Errno.EINVAL;
    }
    int page = (int) (what.offset() / PAGE);
    boolean away = memory.onCpu.get(page);
    if (away == (target == Location.CPU)) {
      return 0;
    }
    if (away && !heap.takeRoom(PAGE)) {
      return -Errno.ENOMEM;
    }
    if (!away) {
      if (memory.pinned && (flags & FORCE) == 0) {
        return -Errno.EBUSY;
      }
      heap.leaveRoom(PAGE);
      memory.marked = true;
    }
    memory.onCpu.flip(page);
    return 0;
  }
}
