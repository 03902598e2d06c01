package io.isle.tck;

import static io.isle.tck.Envelope.READ;
import static io.isle.tck.Envelope.WRITE;

import io.isle.lib.kabi.CommandEnvelope.Binding;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;

/**
 * Bindings that leave out copies, and those that do not, on a device with copies if there is one.
 */
final class CopyCases {
  /** Settings of drivers that can work with copies or without. */
  private static final Map<String, String> COPIES =
      Map.of("compiler", "true", "copies", "true", "memory", "staging");

  static final long SIZE = 4104;
  private static final int OLD = 0x11111111;
  private static final int NEW = 0x22222222;
  private static final int LAST = 0x33333333;

  private CopyCases() {}

  static List<Case> all() {
    return List.of(
        new Case("launch/no-copies", COPIES, CopyCases::noCopies),
        new Case("launch/copies", COPIES, CopyCases::copies));
  }

  private static Envelope fill(Rig.Memory memory, int access, int pattern) {
    return new Envelope().memory(memory.id(), 0, SIZE, access).fill(0, 0, SIZE, pattern);
  }

  /** What work reads of {@code memory}. */
  private static int read(Rig rig, long context, Rig.Memory memory, int access) {
    Rig.Memory seen = rig.memory(context, SIZE);
    rig.success(
        context,
        new Envelope()
            .memory(seen.id(), 0, SIZE, WRITE)
            .memory(memory.id(), 0, SIZE, access)
            .copy(0, 0, 1, 0, SIZE),
        "a copy");
    byte first = seen.cpu().get(ValueLayout.JAVA_BYTE, 0);
    byte last = seen.cpu().get(ValueLayout.JAVA_BYTE, SIZE - 1);
    Check.equal(first, last, "the last byte of what work reads");
    return first * 0x01010101;
  }

  /** What work leaves on the device later work finds there. */
  private static void noCopies(Rig rig) {
    var ignored = LaunchCases.kernels(rig);
    long context = rig.context();
    Rig.Memory memory = rig.memory(context, SIZE);
    rig.success(context, fill(memory, WRITE, OLD), "a fill");
    int apart = Binding.NO_COPY_IN | Binding.NO_COPY_BACK;
    rig.success(context, fill(memory, WRITE | apart, NEW), "a fill without copies");
    Check.equal(
        NEW,
        read(rig, context, memory, READ | Binding.NO_COPY_IN),
        "what work reads of the device's memory");
    rig.success(
        context,
        fill(memory, READ | WRITE | Binding.NO_COPY_IN, LAST),
        "a fill that is copied back");
    Check.equal((byte) LAST, memory.cpu().get(ValueLayout.JAVA_BYTE, 7), "what the CPU reads");
  }

  /** A binding without the bits copies its whole range, whatever was done before. */
  private static void copies(Rig rig) {
    var ignored = LaunchCases.kernels(rig);
    long context = rig.context();
    Rig.Memory memory = rig.memory(context, SIZE);
    int apart = Binding.NO_COPY_IN | Binding.NO_COPY_BACK;
    rig.success(context, fill(memory, WRITE | apart, NEW), "a fill without copies");
    memory.cpu().fill((byte) OLD);
    Check.equal(OLD, read(rig, context, memory, READ), "what work reads of the CPU's memory");
  }
}
