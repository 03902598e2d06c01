package io.isle.core.accel.device;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;
import io.isle.api.base.ForeignText;
import io.isle.api.driver.ProgramEntry;
import io.isle.lib.kabi.CommandOp;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What a driver may say of a program's entries. Pure functions. */
public final class Signature {
  private static final int MAX_ENTRIES = 256;
  private static final int READ_WRITE = 3;

  private Signature() {}

  /**
   * The entries in the order of their numbers, if they can be.
   *
   * @throws AccelException EPROTO naming the one that cannot
   */
  public static List<ProgramEntry> checked(String device, List<ProgramEntry> entries) {
    if (entries == null || entries.size() > MAX_ENTRIES) {
      throw new AccelException(
          Errno.EPROTO,
          device + ": the driver reports no entries for the program, or more than " + MAX_ENTRIES);
    }
    Set<Integer> numbers = new HashSet<>();
    for (ProgramEntry entry : entries) {
      if (entry == null || !isPossible(entry, entries.size()) || !numbers.add(entry.entry())) {
        throw new AccelException(
            Errno.EPROTO,
            device
                + ": the driver reports an entry with impossible arguments: "
                + ForeignText.line("" + entry));
      }
    }
    return entries.stream().sorted(Comparator.comparingInt(ProgramEntry::entry)).toList();
  }

  /** Entries have the numbers from 0 on, without gaps: tenants know them by their place. */
  private static boolean isPossible(ProgramEntry entry, int count) {
    return entry.name() != null
        && entry.entry() >= 0
        && entry.entry() < count
        && entry.arguments().size() <= CommandOp.Dispatch.MAX_ARGS
        && entry.arguments().stream().allMatch(Signature::isPossible);
  }

  private static boolean isPossible(ProgramEntry.Argument argument) {
    return argument.kind() != null && (argument.access() & ~READ_WRITE) == 0;
  }
}
