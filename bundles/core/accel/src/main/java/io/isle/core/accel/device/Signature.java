package io.isle.core.accel.device;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;
import io.isle.api.base.ForeignText;
import io.isle.api.driver.ArgumentKind;
import io.isle.api.driver.Kernel;
import io.isle.api.driver.Kernels;
import io.isle.api.driver.ProgramEntry;
import io.isle.lib.kabi.CommandOp;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** What a driver may say of a program's entries and kernels. Pure functions. */
public final class Signature {
  private static final int MAX_ENTRIES = 256;
  private static final int READ_WRITE = 3;

  private Signature() {}

  /**
   * A description whose entries are in the order of their numbers, if it can be one.
   *
   * @throws AccelException EPROTO naming what cannot; EINVAL if no kernel can be used
   */
  public static ProgramDescription checked(String device, ProgramDescription told) {
    List<ProgramEntry> entries = entries(device, told.entries());
    told.kernels().ifPresent(kernels -> checkKernels(device, entries, kernels));
    return new ProgramDescription(entries, told.kernels());
  }

  /**
   * A list of a driver, if there is one and it has all its elements.
   *
   * @throws AccelException EPROTO
   */
  static <T> List<T> present(List<T> told) {
    if (told == null || told.stream().anyMatch(Objects::isNull)) {
      throw new AccelException(
          Errno.EPROTO, "the driver's description of the program has missing parts");
    }
    return List.copyOf(told);
  }

  private static List<ProgramEntry> entries(String device, List<ProgramEntry> entries) {
    if (entries.size() > MAX_ENTRIES) {
      throw new AccelException(
          Errno.EPROTO,
          device + ": the driver reports more than " + MAX_ENTRIES + " entries of the program");
    }
    Set<Integer> numbers = new HashSet<>();
    for (ProgramEntry entry : entries) {
      if (!isPossible(entry, entries.size()) || !numbers.add(entry.entry())) {
        throw new AccelException(
            Errno.EPROTO,
            device
                + ": the driver reports an entry with impossible arguments: "
                + ForeignText.line("" + entry));
      }
    }
    return entries.stream().sorted(Comparator.comparingInt(ProgramEntry::entry)).toList();
  }

  /** Kernels have the numbers from 0 on, and begin with the entries. */
  private static void checkKernels(
      String device, List<ProgramEntry> entries, List<Kernel> kernels) {
    if (kernels.size() < entries.size() || kernels.size() > Kernels.MAX_KERNELS) {
      throw new AccelException(
          Errno.EPROTO,
          device
              + ": the driver describes "
              + kernels.size()
              + " kernels of the program, not "
              + entries.size()
              + " to "
              + Kernels.MAX_KERNELS);
    }
    for (int i = 0; i < kernels.size(); i++) {
      Kernel kernel = kernels.get(i);
      if (kernel.entry() != i || i < entries.size() && !isSame(entries.get(i), kernel)) {
        throw new AccelException(
            Errno.EPROTO,
            device
                + ": the driver describes kernel "
                + i
                + " of the program in two ways: "
                + ForeignText.line(kernel.name()));
      }
    }
    if (kernels.stream().noneMatch(Kernel::isUsable)) {
      throw new AccelException(Errno.EINVAL, whyUseless(kernels));
    }
  }

  private static String whyUseless(List<Kernel> kernels) {
    return kernels.isEmpty()
        ? "the program has no kernel"
        : "no kernel of the program can be used; kernel "
            + ForeignText.line(kernels.getFirst().name())
            + ": "
            + ForeignText.line(kernels.getFirst().unusable());
  }

  /** The access may differ: what a kernel may read and write is often only to be written. */
  private static boolean isSame(ProgramEntry entry, Kernel kernel) {
    List<ArgumentKind> kinds =
        kernel.arguments().stream().flatMap(argument -> argument.kind().stream()).toList();
    return kernel.isUsable()
        && entry.name().equals(kernel.name())
        && entry.arguments().stream()
            .map(argument -> argument.kind().name())
            .toList()
            .equals(kinds.stream().map(Enum::name).toList());
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
