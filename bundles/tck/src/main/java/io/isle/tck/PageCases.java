package io.isle.tck;

import io.isle.api.base.Errno;
import io.isle.api.driver.AllocArgs;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.FaultInjection.Fault;
import io.isle.api.driver.PageMigration;
import io.isle.api.driver.PageMigration.Location;
import io.isle.api.driver.PageMigration.Page;
import io.isle.api.driver.PageRetirement;
import io.isle.api.driver.PageRetirement.Range;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** Faulty pages and pages on their way, of drivers that offer them. */
final class PageCases {
  private static final long SIZE = 64 << 10;
  private static final long AT = SIZE / 2;
  private static final byte FULL = 0x11;

  private PageCases() {}

  static List<Case> all() {
    return List.of(
        Case.withFaults("pages/faulty-page", PageCases::faulty),
        Case.withFaults("pages/retired-page", PageCases::retired),
        Case.of("pages/retire-what-is-well", PageCases::well),
        Case.of("pages/migrate-and-return", PageCases::migrate),
        Case.of("pages/migrate-unknown-memory", PageCases::unknown),
        Case.of("pages/migrate-pinned", PageCases::pinned));
  }

  private static PageRetirement retirement(Rig rig) {
    return rig.device()
        .extension(PageRetirement.class)
        .orElseThrow(() -> new Check.Skipped("no page retirement"));
  }

  private static PageMigration migration(Rig rig) {
    return rig.device()
        .extension(PageMigration.class)
        .orElseThrow(() -> new Check.Skipped("no page migration"));
  }

  private static Envelope fill(Rig.Memory memory, long offset, long length) {
    return new Envelope()
        .memory(memory.id(), offset, length, Envelope.WRITE)
        .fill(0, 0, length, FULL * 0x01010101);
  }

  /** Filled memory whose page at {@link #AT} has just become unreadable. */
  private static Rig.Memory poisoned(Rig rig, long context) {
    Rig.Memory memory = rig.memory(context, SIZE);
    rig.success(context, fill(memory, 0, SIZE), "a fill");
    rig.faults().inject(Fault.ECC_UNCORRECTABLE, 0, 1, AT);
    Ended ended = rig.await(rig.submit(context, fill(memory, 0, SIZE)));
    Check.that(ended.status() != CompletionSink.SUCCESS, "an uncorrectable error is not reported");
    return memory;
  }

  private static void faulty(Rig rig) {
    PageRetirement pages = retirement(rig);
    Check.equal(List.of(), pages.faulty(), "the faulty pages of a new device");
    long context = rig.context();
    Rig.Memory memory = poisoned(rig, context);
    List<Range> found = pages.faulty();
    Check.that(
        found.size() == 1
            && found.getFirst().memory() == memory.id()
            && found.getFirst().offset() <= AT
            && found.getFirst().offset() + found.getFirst().length() > AT,
        "after an error at " + AT + " the faulty pages are " + found);
    Ended ended = rig.await(rig.submit(context, fill(memory, AT, 8)));
    Check.equal(-Errno.EHWPOISON, ended.detail(), "the detail of work on a faulty page");
    rig.success(context, fill(memory, 0, found.getFirst().offset()), "work on other pages");
  }

  private static void retired(Rig rig) {
    PageRetirement pages = retirement(rig);
    long context = rig.context();
    Rig.Memory memory = poisoned(rig, context);
    long total = rig.device().utilization().memoryTotalBytes();
    long before = pages.retiredPages();
    Range range = pages.faulty().getFirst();
    pages.retire(range);
    Check.equal(List.of(), pages.faulty(), "the faulty pages after all were retired");
    Check.that(pages.retiredPages() > before, "no page counts as retired");
    Check.that(
        rig.device().utilization().memoryTotalBytes() < total,
        "the device has as much memory as before");
    Check.equal((byte) 0, memory.cpu().get(ValueLayout.JAVA_BYTE, range.offset()), "a new byte");
    Check.equal(FULL, memory.cpu().get(ValueLayout.JAVA_BYTE, range.offset() - 1), "an old byte");
    rig.success(context, fill(memory, 0, SIZE), "work on healthy memory");
  }

  private static void well(Rig rig) {
    PageRetirement pages = retirement(rig);
    Rig.Memory memory = rig.memory(rig.context(), SIZE);
    Check.refused(
        "retiring a page without error",
        () -> pages.retire(new Range(memory.id(), 0, 4096)),
        Errno.EINVAL);
  }

  private static void migrate(Rig rig) {
    PageMigration pages = migration(rig);
    long context = rig.context();
    Rig.Memory memory = rig.memory(context, SIZE);
    rig.success(context, fill(memory, 0, SIZE), "a fill");
    long used = rig.device().utilization().memoryUsedBytes();
    List<Page> page = List.of(new Page(memory.id(), 0));
    Check.equal(List.of(0), pages.migrate(context, page, Location.CPU, 0), "the result");
    Check.that(
        rig.device().utilization().memoryUsedBytes() < used,
        "a migrated page still takes device memory");
    Check.equal(FULL, memory.cpu().get(ValueLayout.JAVA_BYTE, 0), "a byte of the page");
    rig.success(context, fill(memory, 0, SIZE), "work on a page on the CPU's side");
    Check.equal(List.of(0), pages.migrate(context, page, Location.DEVICE, 0), "the result");
    Check.equal(used, rig.device().utilization().memoryUsedBytes(), "memory_used_bytes");
  }

  private static void unknown(Rig rig) {
    PageMigration pages = migration(rig);
    long context = rig.context();
    List<Page> nowhere = List.of(new Page(rig.newMemoryId(), 0));
    Check.equal(
        List.of(-Errno.ENOENT),
        pages.migrate(context, nowhere, Location.CPU, 0),
        "the result for memory that does not exist");
  }

  private static void pinned(Rig rig) {
    PageMigration pages = migration(rig);
    long context = rig.context();
    long id = rig.newMemoryId();
    int flags = AllocArgs.CPU_VISIBLE | AllocArgs.PINNED;
    var ignored =
        rig.device()
            .allocate(context, id, new AllocArgs(SIZE, 64, AllocArgs.PageSize.STANDARD, flags));
    List<Page> page = List.of(new Page(id, 0));
    Check.equal(
        List.of(-Errno.EBUSY),
        pages.migrate(context, page, Location.CPU, 0),
        "the result for a pinned page");
    Check.equal(
        List.of(0),
        pages.migrate(context, page, Location.CPU, PageMigration.FORCE),
        "the result for a pinned page by force");
  }
}
