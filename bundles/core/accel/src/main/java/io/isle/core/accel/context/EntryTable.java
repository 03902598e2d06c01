package io.isle.core.accel.context;

import io.isle.api.driver.ArgumentKind;
import io.isle.api.driver.Kernel;
import io.isle.api.driver.ProgramEntry;
import io.isle.core.accel.device.ProgramDescription;
import java.util.List;

/**
 * What the entries of a program take, in a form for the data path: by number, first those that
 * dispatches can run, then those that need a launch. Immutable.
 */
public final class EntryTable {
  private static final int[] NONE = {};
  private static final int WRITE = 2;

  private final int dispatches;
  private final boolean launches;
  private final String[] names;
  private final int[][] kinds;
  private final int[][] access;
  private final int[][] bytes;
  private final int[][] groups;
  private final int[] mostInGroup;
  private final String[] unusable;

  EntryTable(ProgramDescription description) {
    List<ProgramEntry> entries = description.entries();
    List<Kernel> kernels = description.kernels().orElse(List.of());
    dispatches = entries.size();
    launches = description.kernels().isPresent();
    int size = Math.max(dispatches, kernels.size());
    names = new String[size];
    kinds = new int[size][];
    access = new int[size][];
    bytes = new int[size][];
    groups = new int[size][];
    mostInGroup = new int[size];
    unusable = new String[size];
    for (int i = 0; i < size; i++) {
      if (i < kernels.size()) {
        put(i, kernels.get(i));
      }
      if (i < dispatches) {
        put(i, entries.get(i));
      }
    }
  }

  private void put(int entry, Kernel kernel) {
    List<Kernel.Argument> arguments = kernel.arguments();
    names[entry] = kernel.name();
    unusable[entry] = kernel.unusable();
    groups[entry] = numbers(kernel.groupSize());
    mostInGroup[entry] = kernel.maxGroup();
    if (kernel.isUsable()) {
      kinds[entry] = arguments.stream().mapToInt(a -> code(a.kind().orElseThrow())).toArray();
      access[entry] = arguments.stream().mapToInt(a -> needed(a.access())).toArray();
      bytes[entry] = arguments.stream().mapToInt(Kernel.Argument::bytes).toArray();
    }
  }

  /** As dispatches always were: what an entry needs may be less than what its kernel may do. */
  private void put(int entry, ProgramEntry described) {
    List<ProgramEntry.Argument> arguments = described.arguments();
    names[entry] = described.name();
    kinds[entry] = arguments.stream().mapToInt(a -> a.kind().ordinal() + 1).toArray();
    access[entry] = arguments.stream().mapToInt(ProgramEntry.Argument::access).toArray();
    if (unusable[entry] == null) {
      unusable[entry] = "";
      bytes[entry] = new int[arguments.size()];
      groups[entry] = NONE;
    }
  }

  private static int[] numbers(List<Integer> list) {
    return list.stream().mapToInt(Integer::intValue).toArray();
  }

  private static int code(ArgumentKind kind) {
    return kind.code();
  }

  /** What a kernel may both read and write it may be given for writing: it may overwrite all. */
  private static int needed(int access) {
    return (access & WRITE) != 0 ? WRITE : access;
  }

  /** How many there are. */
  public int size() {
    return names.length;
  }

  /** Whether there is an entry of this number. */
  public boolean has(int entry) {
    return entry >= 0 && entry < names.length;
  }

  /** Whether a dispatch can run an entry that there is; a launch can run any that is usable. */
  public boolean dispatches(int entry) {
    return entry < dispatches;
  }

  /** Whether the driver takes launches. */
  public boolean launches() {
    return launches;
  }

  public String name(int entry) {
    return names[entry];
  }

  /** Why an entry cannot be used; empty if it can. */
  public String unusable(int entry) {
    return unusable[entry];
  }

  /** ISLE_ARG_* of each argument; null for an entry that there is not or that cannot be used. */
  public int[] kinds(int entry) {
    return has(entry) ? kinds[entry] : null;
  }

  /** Access that each argument needs. */
  public int[] access(int entry) {
    return access[entry];
  }

  /** Bytes of each argument that is a value; 0 where they are not known. */
  public int[] bytes(int entry) {
    return bytes[entry];
  }

  /** The work-group size that an entry requires, three numbers; none if it requires none. */
  public int[] group(int entry) {
    return groups[entry];
  }

  /** Most work items of a work-group; 0 if it is not known. */
  public int mostInGroup(int entry) {
    return mostInGroup[entry];
  }
}
