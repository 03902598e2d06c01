package io.isle.tck;

import io.isle.api.base.Errno;
import io.isle.api.driver.AllocArgs;
import io.isle.api.driver.AllocArgs.PageSize;
import io.isle.api.driver.Allocation;
import io.isle.api.driver.DriverException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** Device memory: arguments, limits, and who owns it. */
final class MemoryCases {
  private static final long SIZE = 8192;

  /** A page of a device, the largest that it may round up to. */
  private static final long LARGEST_ROUNDING = 2 << 20;

  private MemoryCases() {}

  static List<Case> all() {
    return List.of(
        Case.of("memory/size", MemoryCases::size),
        Case.of("memory/bad-size", MemoryCases::badSize),
        Case.of("memory/bad-alignment", MemoryCases::badAlignment),
        Case.of("memory/bad-flags", MemoryCases::badFlags),
        Case.of("memory/alignment", MemoryCases::alignment),
        Case.of("memory/zeroed", MemoryCases::zeroed),
        Case.of("memory/device-full", MemoryCases::deviceFull),
        Case.of("memory/context-limit", MemoryCases::contextLimit),
        Case.of("memory/free-gives-back", MemoryCases::freeGivesBack),
        Case.of("memory/free-unknown", MemoryCases::freeUnknown),
        Case.of("memory/free-in-use", MemoryCases::freeInUse),
        Case.of("memory/use-after-free", MemoryCases::useAfterFree),
        Case.of("memory/foreign", MemoryCases::foreign));
  }

  private static void size(Rig rig) {
    for (long size : new long[] {1, 4095, 4096, 4097, 1 << 20}) {
      Allocation made = rig.device().allocate(rig.context(), rig.newMemoryId(), Rig.args(size));
      Check.that(made.size() >= size, "of " + size + " bytes there are " + made.size());
      long most = (size + LARGEST_ROUNDING - 1) / LARGEST_ROUNDING * LARGEST_ROUNDING;
      Check.that(made.size() <= most, "for " + size + " bytes there are " + made.size());
      long visible = made.cpu().map(MemorySegment::byteSize).orElse(size);
      Check.that(visible >= size, "of " + size + " bytes the CPU sees " + visible);
    }
  }

  private static void refused(Rig rig, String what, AllocArgs args) {
    long context = rig.context();
    Check.refused(
        what,
        () -> rig.device().allocate(context, rig.newMemoryId(), args),
        Errno.EINVAL,
        Errno.ENOMEM);
  }

  private static void badSize(Rig rig) {
    refused(rig, "size 0", Rig.args(0));
    refused(rig, "size -1", Rig.args(-1));
    refused(rig, "size 2^63-1", Rig.args(Long.MAX_VALUE));
  }

  private static void badAlignment(Rig rig) {
    for (long alignment : new long[] {3, 48, -4096}) {
      refused(
          rig,
          "alignment " + alignment,
          new AllocArgs(SIZE, alignment, PageSize.STANDARD, AllocArgs.CPU_VISIBLE));
    }
  }

  private static void badFlags(Rig rig) {
    refused(rig, "flags 0x1", new AllocArgs(SIZE, 64, PageSize.STANDARD, 0x1));
    refused(rig, "flags 0x80000000", new AllocArgs(SIZE, 64, PageSize.STANDARD, 0x80000000));
  }

  private static void alignment(Rig rig) {
    long context = rig.context();
    for (long alignment = 8; alignment <= 4096; alignment *= 8) {
      AllocArgs args = new AllocArgs(100, alignment, PageSize.STANDARD, AllocArgs.CPU_VISIBLE);
      Allocation made = rig.device().allocate(context, rig.newMemoryId(), args);
      long address = made.cpu().map(MemorySegment::address).orElse(0L);
      Check.that(address % alignment == 0, "memory is not aligned to " + alignment);
    }
  }

  private static void zeroed(Rig rig) {
    long first = rig.context();
    Rig.Memory secret = rig.memory(first, SIZE);
    secret.cpu().fill((byte) 0x5a);
    rig.device().free(secret.id());
    rig.device().destroyContext(first);
    MemorySegment next = rig.memory(rig.context(), SIZE).cpu();
    for (long at = 0; at < SIZE; at++) {
      Check.that(next.get(ValueLayout.JAVA_BYTE, at) == 0, "new memory is not zero at byte " + at);
    }
  }

  private static void deviceFull(Rig rig) {
    long all = rig.device().info().localMemoryBytes();
    long context = rig.context();
    Check.refused(
        "one byte more than the device has",
        () -> rig.device().allocate(context, rig.newMemoryId(), Rig.args(all + 1)),
        Errno.ENOMEM);
    rig.memory(context, all / 2 + 1);
    Check.refused(
        "a second half of the device",
        () -> rig.device().allocate(context, rig.newMemoryId(), Rig.args(all / 2 + 1)),
        Errno.ENOMEM);
  }

  private static void contextLimit(Rig rig) {
    long context = rig.context(1 << 20, 0);
    rig.memory(context, 700_000);
    Check.refused(
        "memory beyond max_memory_bytes",
        () -> rig.device().allocate(context, rig.newMemoryId(), Rig.args(700_000)),
        Errno.ENOMEM);
  }

  private static void freeGivesBack(Rig rig) {
    long all = rig.device().info().localMemoryBytes();
    Check.needs(all > 0, "no device memory");
    long context = rig.context();
    rig.device().free(rig.memory(context, all).id());
    try {
      rig.memory(context, all);
    } catch (DriverException e) {
      throw new Check.Broken("freed memory is not free: " + e.getMessage());
    }
  }

  private static void freeUnknown(Rig rig) {
    rig.context();
    Check.refused(
        "free of memory that never existed",
        () -> rig.device().free(rig.newMemoryId()),
        Errno.ENOENT,
        Errno.ESTALE);
  }

  private static void freeInUse(Rig rig) {
    Check.needs(rig.device().info().computeUnits() > 1, "a single compute unit");
    long context = rig.context();
    Rig.Memory memory = rig.memory(context, SIZE);
    Envelope busy =
        new Envelope()
            .program(rig.program(context, "busy"))
            .memory(memory.id(), 0, SIZE, Envelope.READ)
            .dispatch(0, Envelope.Argument.u64(60_000_000));
    Rig.Sub running = rig.submit(context, busy);
    Check.equal(0, running.code(), "the result of submit");
    rig.settle(rig.context());
    Check.refused("free of memory in use", () -> rig.device().free(memory.id()), Errno.EBUSY);
    rig.device().resetContext(context);
  }

  private static void useAfterFree(Rig rig) {
    long context = rig.context();
    Rig.Memory memory = rig.memory(context, SIZE);
    rig.device().free(memory.id());
    rig.fails(
        context,
        new Envelope().memory(memory.id(), 0, SIZE, Envelope.WRITE).fill(0, 0, 64, 1),
        "work on freed memory");
  }

  private static void foreign(Rig rig) {
    long owner = rig.context();
    Rig.Memory memory = rig.memory(owner, SIZE);
    long other = rig.context();
    rig.fails(
        other,
        new Envelope().memory(memory.id(), 0, SIZE, Envelope.WRITE).fill(0, 0, SIZE, -1),
        "work on another context's memory");
    Check.equal((byte) 0, memory.cpu().get(ValueLayout.JAVA_BYTE, 0), "a byte of another's memory");
  }
}
