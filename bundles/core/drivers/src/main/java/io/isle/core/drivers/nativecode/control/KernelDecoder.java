package io.isle.core.drivers.nativecode.control;

import io.isle.api.driver.ArgumentKind;
import io.isle.api.driver.Kernel;
import io.isle.lib.kabi.CStruct;
import io.isle.lib.kabi.KabiStructs;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the description of a kernel as {@link Decoder} reads other structures. */
public final class KernelDecoder {
  private static final CStruct KERNEL = KabiStructs.KERNEL;
  private static final CStruct ARGUMENT = KabiStructs.KERNEL_ARG;
  private static final int DIMENSIONS = 3;
  private static final int MAX_LANES = 16;

  private KernelDecoder() {}

  /**
   * @throws io.isle.api.driver.DriverException EPROTO, naming the field
   */
  public static Kernel kernel(MemorySegment memory) {
    int count =
        Decoder.range("arg_count", KERNEL.get(memory, "arg_count"), 0, Kernel.MAX_ARGUMENTS);
    List<Kernel.Argument> arguments = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long at = KERNEL.offset("args") + i * ARGUMENT.size();
      arguments.add(argument(memory.asSlice(at, ARGUMENT.size())));
    }
    return new Kernel(
        KERNEL.text(memory, "name"),
        Decoder.range("entry", KERNEL.get(memory, "entry"), 0, Integer.MAX_VALUE),
        groupSize(memory),
        // a device's "any number"
        (int) Math.min(Integer.MAX_VALUE, KERNEL.get(memory, "max_group")),
        bytes(memory, "local_bytes"),
        bytes(memory, "private_bytes"),
        KERNEL.text(memory, "needs_group_size"),
        KERNEL.text(memory, "unusable"),
        arguments);
  }

  private static long bytes(MemorySegment memory, String field) {
    return Decoder.longRange(field, KERNEL.get(memory, field), 0, Decoder.MAX_MEMORY);
  }

  private static List<Integer> groupSize(MemorySegment memory) {
    List<Integer> size = new ArrayList<>();
    int sum = 0;
    for (int i = 0; i < DIMENSIONS; i++) {
      long value = KERNEL.at(memory, "group_size", i);
      size.add(Decoder.range("group_size", value, 0, Integer.MAX_VALUE));
      sum |= size.get(i);
    }
    return sum == 0 ? List.of() : size;
  }

  private static Kernel.Argument argument(MemorySegment memory) {
    return new Kernel.Argument(
        ARGUMENT.text(memory, "name"),
        ARGUMENT.text(memory, "type"),
        kind(memory, "kind"),
        Decoder.range("access", ARGUMENT.get(memory, "access"), 0, Integer.MAX_VALUE),
        Decoder.range("bytes", ARGUMENT.get(memory, "bytes"), 0, Kernel.MAX_BYTES),
        kind(memory, "element"),
        Decoder.range("lanes", ARGUMENT.get(memory, "lanes"), 0, MAX_LANES));
  }

  private static Optional<ArgumentKind> kind(MemorySegment memory, String field) {
    ArgumentKind[] all = ArgumentKind.values();
    int number = Decoder.range(field, ARGUMENT.get(memory, field), 0, all.length);
    return number == 0 ? Optional.empty() : Optional.of(all[number - 1]);
  }
}
