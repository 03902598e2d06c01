package io.isle.core.accel.context;

import io.isle.api.accel.AccelAdmin;
import io.isle.api.accel.KernelInfo;
import io.isle.api.accel.Program;
import io.isle.api.base.ForeignText;
import io.isle.api.base.Ids;
import io.isle.api.driver.ProgramEntry;
import io.isle.core.accel.device.FatalBuilds;
import io.isle.core.accel.device.ProgramCode;
import io.isle.core.accel.device.ProgramDescription;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;

/** A program of a context. */
public final class LoadedProgram extends Resource implements Program {
  private final ContextPrograms owner;
  private final ProgramCode code;
  private final ProgramDescription description;
  private final EntryTable table;
  private final int[] hashes;
  private final AtomicBoolean freed = new AtomicBoolean();
  private final FatalBuilds fatal = new FatalBuilds();

  /**
   * @param description its entries in the order of their numbers, from 0 on
   */
  LoadedProgram(
      ContextPrograms owner,
      ContextRecord record,
      WriterLock writer,
      long id,
      ProgramCode code,
      ProgramDescription description) {
    super(record, writer, id);
    this.owner = owner;
    this.code = code;
    this.description = description;
    this.table = new EntryTable(description);
    this.hashes = EntryHashes.of(code, table);
  }

  /** Kept so that the next device can load it. */
  public ProgramCode code() {
    return code;
  }

  /** Whether a device describes the same entries and kernels. */
  public boolean isDescribedAs(ProgramDescription now) {
    return description.isKeptBy(now);
  }

  /** Of the builds that bring it to further devices. */
  public FatalBuilds fatal() {
    return fatal;
  }

  /** Whether the caller is to unload it from its device; true once. */
  public boolean takeFree() {
    return freed.compareAndSet(false, true);
  }

  /** What its entries take, for the data path. */
  public EntryTable table() {
    return table;
  }

  /** 16 bits that tell program and entry from others; for an entry that there is. */
  public int hash(int entry) {
    return hashes[entry];
  }

  @Override
  public List<Entry> entries() {
    return description.entries().stream()
        .map(e -> new Entry(e.name(), e.arguments().stream().map(LoadedProgram::kind).toList()))
        .toList();
  }

  @Override
  public List<KernelInfo> kernels() {
    return KernelInfos.of(description.kernels().orElse(List.of()));
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

  @Override
  public void close() {
    if (end("the program")) {
      owner.unload(this);
    }
  }
}
