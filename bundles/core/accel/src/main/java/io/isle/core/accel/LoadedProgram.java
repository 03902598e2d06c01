package io.isle.core.accel;

import io.isle.api.accel.AccelAdmin;
import io.isle.api.accel.Program;
import io.isle.api.base.Ids;
import io.isle.api.driver.ProgramEntry;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;

/** A program of a context, with its entries' arguments in a form for the data path. */
final class LoadedProgram extends Resource implements Program {
  private final ProgramCode code;
  private final List<ProgramEntry> described;
  private final AtomicBoolean freed = new AtomicBoolean();
  private final ProgramEntry[] entries;
  private final int[][] kinds;
  private final int[][] access;

  LoadedProgram(
      ExecutionContext context, long id, ProgramCode code, List<ProgramEntry> described) {
    super(context, id);
    this.code = code;
    this.described = List.copyOf(described);
    int size = described.stream().mapToInt(ProgramEntry::entry).max().orElse(-1) + 1;
    entries = new ProgramEntry[size];
    kinds = new int[size][];
    access = new int[size][];
    for (ProgramEntry entry : described) {
      List<ProgramEntry.Argument> arguments = entry.arguments();
      entries[entry.entry()] = entry;
      kinds[entry.entry()] = arguments.stream().mapToInt(a -> a.kind().ordinal() + 1).toArray();
      access[entry.entry()] = arguments.stream().mapToInt(ProgramEntry.Argument::access).toArray();
    }
  }

  /** Kept so that the next device can load it. */
  ProgramCode code() {
    return code;
  }

  /** Whether a device describes the same entries. */
  boolean isDescribedAs(List<ProgramEntry> now) {
    return described.equals(now);
  }

  /** Whether the caller is to unload it from its device; true once. */
  boolean takeFree() {
    return freed.compareAndSet(false, true);
  }

  @Override
  public List<Entry> entries() {
    return java.util.Arrays.stream(entries)
        .filter(java.util.Objects::nonNull)
        .map(e -> new Entry(e.name(), e.arguments().stream().map(LoadedProgram::kind).toList()))
        .toList();
  }

  /** What an administrator sees. */
  AccelAdmin.ProgramInfo info() {
    ContextSeat seat = context.seat();
    return new AccelAdmin.ProgramInfo(
        Ids.text(id()),
        seat.place().deviceId(),
        Ids.text(seat.id()),
        seat.capability().tenant(),
        ProgramCode.publicKind(code.kind()),
        code.isBuilt() ? "" : code.label(),
        code.bytes().length,
        code.options(),
        entries().stream()
            .map(entry -> entry.name() + "(" + String.join(", ", entry.arguments()) + ")")
            .map(DriverText::line)
            .toList());
  }

  private static String kind(ProgramEntry.Argument argument) {
    return argument.kind().name().toLowerCase(Locale.ROOT);
  }

  /** ISLE_ARG_* of each argument; null for an entry that there is not. */
  int[] kinds(int entry) {
    return entry >= 0 && entry < kinds.length ? kinds[entry] : null;
  }

  /** Name of an entry that there is. */
  String entryName(int entry) {
    return entries[entry].name();
  }

  /** How many numbers of entries there are. */
  int entryCount() {
    return entries.length;
  }

  /** Access that each argument needs. */
  int[] access(int entry) {
    return access[entry];
  }

  @Override
  public void close() {
    if (end("the program")) {
      context.unload(this);
    }
  }
}
