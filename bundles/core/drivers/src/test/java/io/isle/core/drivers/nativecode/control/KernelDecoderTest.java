package io.isle.core.drivers.nativecode.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.driver.ArgumentKind;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.Kernel;
import io.isle.lib.kabi.CStruct;
import io.isle.lib.kabi.KabiStructs;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Descriptions of kernels as hosts answer them: those that can be, and any others. */
class KernelDecoderTest {
  private static final CStruct KERNEL = KabiStructs.KERNEL;
  private static final CStruct ARGUMENT = KabiStructs.KERNEL_ARG;

  private static MemorySegment argument(MemorySegment kernel, int index) {
    return kernel.asSlice(KERNEL.offset("args") + index * ARGUMENT.size(), ARGUMENT.size());
  }

  /** A kernel with a buffer, a number of 2 bytes, local memory and a vector. */
  private static MemorySegment good() {
    MemorySegment memory = MemorySegment.ofArray(new byte[(int) KERNEL.size()]);
    KERNEL.setText(memory, "name", "sum");
    KERNEL.set(memory, "entry", 7);
    KERNEL.set(memory, "arg_count", 4);
    KERNEL.set(memory, "max_group", 256);
    KERNEL.set(memory, "local_bytes", 1024);
    KERNEL.set(memory, "private_bytes", 64);
    KERNEL.setText(memory, "needs_group_size", "barrier in kernel sum, line 3");
    set(memory, 0, "uint*", ArgumentKind.BUFFER, 4, ArgumentKind.U32, 1);
    ARGUMENT.set(argument(memory, 0), "access", 3);
    set(memory, 1, "ushort", ArgumentKind.U32, 2, ArgumentKind.U32, 1);
    set(memory, 2, "float*", ArgumentKind.LOCAL, 4, ArgumentKind.F32, 1);
    set(memory, 3, "float3", ArgumentKind.BYTES, 16, ArgumentKind.F32, 3);
    return memory;
  }

  private static void set(
      MemorySegment memory,
      int index,
      String type,
      ArgumentKind kind,
      int bytes,
      ArgumentKind element,
      int lanes) {
    MemorySegment at = argument(memory, index);
    ARGUMENT.setText(at, "name", "a" + index);
    ARGUMENT.setText(at, "type", type);
    ARGUMENT.set(at, "kind", kind.code());
    ARGUMENT.set(at, "bytes", bytes);
    ARGUMENT.set(at, "element", element.code());
    ARGUMENT.set(at, "lanes", lanes);
  }

  @Test
  void aGoodDescriptionArrivesWhole() {
    Kernel kernel = KernelDecoder.kernel(good());
    assertEquals("sum", kernel.name());
    assertEquals(7, kernel.entry());
    assertEquals(List.of(), kernel.groupSize());
    assertEquals(256, kernel.maxGroup());
    assertEquals(1024, kernel.localBytes());
    assertEquals(64, kernel.privateBytes());
    assertEquals("barrier in kernel sum, line 3", kernel.needsGroupSize());
    assertTrue(kernel.isUsable());
    assertEquals(
        new Kernel.Argument(
            "a3",
            "float3",
            Optional.of(ArgumentKind.BYTES),
            0,
            16,
            Optional.of(ArgumentKind.F32),
            3),
        kernel.arguments().get(3));
    assertEquals(3, kernel.arguments().getFirst().access());
    assertEquals(2, kernel.arguments().get(1).bytes());
  }

  @Test
  void theMostThatAFieldMayHaveIsTaken() {
    MemorySegment memory = good();
    KERNEL.set(memory, "max_group", 0xffff_ffffL);
    for (int i = 0; i < 3; i++) {
      memory.set(ValueLayout.JAVA_INT_UNALIGNED, KERNEL.offset("group_size") + 4L * i, 1 << 10);
    }
    Kernel kernel = KernelDecoder.kernel(memory);
    assertEquals(Integer.MAX_VALUE, kernel.maxGroup());
    assertEquals(List.of(1024, 1024, 1024), kernel.groupSize());
  }

  private static void wrong(String field, Consumer<MemorySegment> change) {
    MemorySegment memory = good();
    change.accept(memory);
    DriverException refused =
        assertThrows(DriverException.class, () -> KernelDecoder.kernel(memory), field);
    assertEquals(Errno.EPROTO, refused.code());
    assertTrue(refused.getMessage().contains(field), refused.getMessage());
  }

  @Test
  void fieldsThatCannotBeAreNamed() {
    wrong("arg_count", m -> KERNEL.set(m, "arg_count", 65));
    wrong("arg_count", m -> KERNEL.set(m, "arg_count", -1));
    wrong("entry", m -> KERNEL.set(m, "entry", 256));
    wrong("entry", m -> KERNEL.set(m, "entry", 1L << 31));
    wrong("name", m -> KERNEL.setText(m, "name", ""));
    wrong("name", m -> m.asSlice(KERNEL.offset("name"), 256).fill((byte) 'x'));
    wrong(
        "needs_group_size",
        m -> m.asSlice(KERNEL.offset("needs_group_size"), 192).fill((byte) 'x'));
    wrong("unusable", m -> m.asSlice(KERNEL.offset("unusable"), 192).fill((byte) 'x'));
    wrong("group_size", m -> KERNEL.set(m, "max_group", setGroup(m, 8, 0, 1)));
    wrong("group_size", m -> KERNEL.set(m, "max_group", setGroup(m, -1, 1, 1)));
    wrong("group_size", m -> KERNEL.set(m, "max_group", setGroup(m, 1 << 16, 1 << 16, 1)));
    wrong("local_bytes", m -> KERNEL.set(m, "local_bytes", -1));
    wrong("local_bytes", m -> KERNEL.set(m, "local_bytes", 1L << 45));
    wrong("private_bytes", m -> KERNEL.set(m, "private_bytes", Long.MIN_VALUE));
    wrong("kind", m -> ARGUMENT.set(argument(m, 1), "kind", 10));
    wrong("args", m -> ARGUMENT.set(argument(m, 1), "kind", 0));
    wrong("access", m -> ARGUMENT.set(argument(m, 0), "access", 0));
    wrong("access", m -> ARGUMENT.set(argument(m, 0), "access", 0x8000_0001L));
    wrong("access", m -> ARGUMENT.set(argument(m, 1), "access", 1));
    wrong("bytes", m -> ARGUMENT.set(argument(m, 1), "bytes", 9));
    wrong("bytes", m -> ARGUMENT.set(argument(m, 3), "bytes", 1025));
    wrong("bytes", m -> ARGUMENT.set(argument(m, 3), "bytes", 0));
    wrong("element", m -> ARGUMENT.set(argument(m, 3), "element", 8));
    wrong("lanes", m -> ARGUMENT.set(argument(m, 3), "lanes", 5));
    wrong("lanes", m -> ARGUMENT.set(argument(m, 3), "lanes", 1L << 31));
    wrong("name", m -> argument(m, 0).asSlice(0, 64).fill((byte) 'x'));
  }

  private static long setGroup(MemorySegment memory, int x, int y, int z) {
    long at = KERNEL.offset("group_size");
    var word = ValueLayout.JAVA_INT_UNALIGNED;
    memory.set(word, at, x);
    memory.set(word, at + 4, y);
    memory.set(word, at + 8, z);
    return 0;
  }

  @Test
  void controlCharactersDoNotReachATerminal() {
    MemorySegment memory = good();
    KERNEL.setText(memory, "unusable", "it\u001b[31m cannot\n");
    assertFalse(KernelDecoder.kernel(memory).unusable().contains("\u001b"));
  }

  @Property(tries = 2000)
  void anyBytesAreAKernelOrARefusal(@ForAll long seed, @ForAll boolean mostlyGood) {
    Random random = new Random(seed);
    MemorySegment memory = good();
    byte[] noise = new byte[mostlyGood ? 4 : (int) memory.byteSize()];
    random.nextBytes(noise);
    long at = mostlyGood ? random.nextLong(memory.byteSize() - noise.length) : 0;
    memory.asSlice(at, noise.length).copyFrom(MemorySegment.ofArray(noise));
    try {
      Kernel kernel = KernelDecoder.kernel(memory);
      assertTrue(kernel.arguments().size() <= 64);
    } catch (DriverException refused) {
      assertEquals(Errno.EPROTO, refused.code());
    }
  }
}
