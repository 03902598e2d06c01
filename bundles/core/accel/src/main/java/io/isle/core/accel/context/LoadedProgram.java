package io.isle.core.accel.context;

import io.isle.api.accel.AccelAdmin;
import io.isle.api.accel.KernelInfo;
import io.isle.api.accel.Program;
import io.isle.api.base.ForeignText;
import io.isle.api.base.Ids;
import io.isle.api.driver.ProgramEntry;
import io.isle.core.accel.device.FatalBuilds;
import io.isle.core.accel.device.ProgramCode;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;

/** A program of a context, with its entries' arguments in a form for the data path. */
public final class LoadedProgram extends Resource implements Program {
  private final ContextPrograms owner;
  private final ProgramCode code;
  private final List<ProgramEntry> described;
  private final AtomicBoolean freed = new AtomicBoolean();
  private final FatalBuilds fatal = new FatalBuilds();
  private final int[][] kinds;
  private final int[][] access;

  /**
   * @param described in the order of their numbers, from 0 on
   */
  LoadedProgram(
      ContextPrograms owner,
      ContextRecord record,
      WriterLock writer,
      long id,
      ProgramCode code,
      List<ProgramEntry> described) {
    super(record, writer, id);
    this.owner = owner;
    this.code = code;
    this.described = List.copyOf(described);
    int size = described.size();
    kinds = new int[size][];
    access = new int[size][];
    for (int i = 0; i < size; i++) {
      List<ProgramEntry.Argument> arguments = described.get(i).arguments();
      kinds[i] = arguments.stream().mapToInt(a -> a.kind().ordinal() + 1).toArray();
      access[i] = arguments.stream().mapToInt(ProgramEntry.Argument::access).toArray();
    }
  }

  /** Kept so that the next device can load it. */
  public ProgramCode code() {
    return code;
  }

  /** Whether a device describes the same entries. */
  public boolean isDescribedAs(List<ProgramEntry> now) {
    return described.equals(now);
  }

  /** Of the builds that bring it to further devices. */
  public FatalBuilds fatal() {
    return fatal;
  }

  /** Whether the caller is to unload it from its device; true once. */
  public boolean takeFree() {
    return freed.compareAndSet(false, true);
  }

  @Override
  public List<Entry> entries() {
    return described.stream()
        .map(e -> new Entry(e.name(), e.arguments().stream().map(LoadedProgram::kind).toList()))
        .toList();
  }

  @Override
  public List<KernelInfo> kernels() {
    return List.of();
  }

  /** What an administrator sees. */
  public AccelAdmin.ProgramInfo info() {
    return new AccelAdmin.ProgramInfo(
        Ids.text(id()),
        record.services().deviceId(),
        Ids.text(record.id()),
        record.capability().tenant(),
        ProgramCode.publicKind(code.kind()),
        code.isBuilt() ? "" : code.label(),
        code.size(),
        code.options(),
        entries().stream()
            .map(entry -> entry.name() + "(" + String.join(", ", entry.arguments()) + ")")
            .map(ForeignText::line)
            .toList());
  }

  private static String kind(ProgramEntry.Argument argument) {
    return argument.kind().name().toLowerCase(Locale.ROOT);
  }

  /** ISLE_ARG_* of each argument; null for an entry that there is not. */
  public int[] kinds(int entry) {
    return entry >= 0 && entry < kinds.length ? kinds[entry] : null;
  }

  /** Name of an entry that there is. */
  public String entryName(int entry) {
    return described.get(entry).name();
  }

  /** How many there are. */
  public int entryCount() {
    return described.size();
  }

  /** Access that each argument needs. */
  public int[] access(int entry) {
    return access[entry];
  }

  @Override
  public void close() {
    if (end("the program")) {
      owner.unload(this);
    }
  }
}
