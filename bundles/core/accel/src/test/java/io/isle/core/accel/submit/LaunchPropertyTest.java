package io.isle.core.accel.submit;

import static io.isle.lib.kabi.CommandEnvelope.U16;
import static io.isle.lib.kabi.CommandEnvelope.U32;
import static io.isle.lib.kabi.CommandEnvelope.U64;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.Buffer;
import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.Program;
import io.isle.api.accel.ProgramSource;
import io.isle.api.driver.ArgumentKind;
import io.isle.api.driver.Kernel;
import io.isle.api.driver.ProgramEntry;
import io.isle.core.accel.Fixture;
import io.isle.core.accel.ScriptedDevice;
import io.isle.core.accel.TestKernels;
import io.isle.lib.kabi.CommandEnvelope;
import io.isle.lib.kabi.CommandOp;
import io.isle.lib.kabi.CommandOp.Arg;
import io.isle.lib.kabi.CommandOp.Dispatch;
import io.isle.lib.kabi.CommandOp.Launch;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** Whatever a kernel takes and in whatever order its dispatch is written: the device reads that. */
class LaunchPropertyTest {
  private static Fixture fixture;
  private static Context context;
  private static Buffer buffer;

  @BeforeContainer
  static void open() {
    fixture = TestKernels.fixture();
    context = fixture.context(ContextSpec.named("any").withQueue(4, 8192));
    buffer = context.allocate(64, 0);
  }

  @AfterContainer
  static void close() {
    fixture.close();
  }

  /**
   * An argument, and how it is given.
   *
   * @param bytes of the value
   * @param byBytes whether a number is given by its bytes
   * @param more whether a buffer is used right before
   */
  record Given(ArgumentKind kind, int bytes, long value, boolean byBytes, boolean more) {
    Kernel.Argument described() {
      return switch (kind) {
        case BUFFER -> TestKernels.BUFFER;
        case LOCAL -> TestKernels.LOCAL;
        case BYTES -> TestKernels.structure(bytes);
        default -> TestKernels.number(kind, size());
      };
    }

    int size() {
      return switch (kind) {
        case U64, I64, F64 -> 8;
        case U32, I32 -> bytes % 2 == 0 ? 4 : 2;
        default -> 4;
      };
    }

    boolean inTail() {
      return kind == ArgumentKind.BYTES || byBytes && kind.isScalar();
    }

    /** What is to arrive in the tail. */
    byte[] tail() {
      byte[] all = new byte[kind == ArgumentKind.BYTES ? bytes : size()];
      for (int i = 0; i < all.length; i++) {
        all[i] = (byte) (value >>> 8 * (i % 8) ^ i);
      }
      return all;
    }
  }

  @Provide
  Arbitrary<List<Given>> arguments() {
    return Combinators.combine(
            Arbitraries.of(ArgumentKind.class),
            Arbitraries.integers().between(1, 16),
            Arbitraries.longs(),
            Arbitraries.of(false, false, true),
            Arbitraries.of(false, true))
        .as(Given::new)
        .list()
        .ofMaxSize(64);
  }

  /** The range of a dispatch; 0 for a local size that is not given, negative for no offset. */
  record Range(int x, int y, int z, int group, long first) {
    boolean plain() {
      return group == 0 && first < 0;
    }
  }

  @Provide
  Arbitrary<Range> ranges() {
    Arbitrary<Integer> size = Arbitraries.of(1, 2, 8, 64);
    return Combinators.combine(
            size,
            size,
            size,
            Arbitraries.of(0, 0, 1),
            Arbitraries.longs().between(-2, Long.MAX_VALUE))
        .as(Range::new);
  }

  @Property(tries = 500)
  void theDeviceReadsWhatWasWritten(
      @ForAll("arguments") List<Given> given,
      @ForAll("ranges") Range range,
      @ForAll boolean entry,
      @ForAll @IntRange(max = 2) int before)
      throws InterruptedException {
    boolean dispatched =
        entry && given.size() <= 16 && given.stream().allMatch(LaunchPropertyTest::isOld);
    try (Program program = load(given, dispatched)) {
      CommandWriter writer = context.writer();
      int use = writer.use(buffer, 0, 64, Buffer.READ | Buffer.WRITE);
      for (int i = 0; i < before; i++) {
        writer.fill(use, i, 1, i);
      }
      writer.dispatch(program, 0, range.x, range.y, range.z);
      if (range.group > 0) {
        writer.local(range.x, 1, 1);
      }
      if (range.first >= 0) {
        writer.offset(range.first, 0, range.first);
      }
      List<Integer> uses = write(writer, given, use);
      writer.fill(use, 8, 4, 77);
      assertTrue(context.submit(writer) > 0, writer::mistake);
      ScriptedDevice.Submission got = fixture.device.awaitRunning(1).getFirst();
      MemorySegment bytes =
          fixture.attachment.commands().memory().asSlice(got.offset(), got.length());
      check(bytes, given, range, uses, before, dispatched);
      fixture.device.complete(got, 0);
      assertEquals(0, context.await(context.info().submitted(), -1));
    }
  }

  private static boolean isOld(Given given) {
    return given.kind == ArgumentKind.BUFFER || given.kind.isScalar();
  }

  private static Program load(List<Given> given, boolean dispatched) {
    List<Kernel.Argument> arguments = given.stream().map(Given::described).toList();
    fixture.device.kernels =
        List.of(TestKernels.kernel("any", 0, arguments.toArray(Kernel.Argument[]::new)));
    List<ProgramEntry.Argument> old =
        dispatched
            ? given.stream()
                .map(
                    one ->
                        new ProgramEntry.Argument(
                            ProgramEntry.Kind.valueOf(one.kind.name()),
                            one.kind == ArgumentKind.BUFFER ? 3 : 0))
                .toList()
            : List.of();
    fixture.device.compiler =
        (kind, source, options) ->
            dispatched ? List.of(new ProgramEntry("any", 0, old)) : List.of();
    return context.load(new ProgramSource.OpenClC("any"));
  }

  /** Gives all arguments; returns the uses of the buffers. */
  private static List<Integer> write(CommandWriter writer, List<Given> given, int first) {
    List<Integer> uses = new ArrayList<>(List.of(first));
    for (Given one : given) {
      if (one.more && uses.size() < 60) {
        uses.add(writer.use(buffer, uses.size(), 1, Buffer.READ | Buffer.WRITE));
      }
      if (one.inTail()) {
        writer.argBytes(MemorySegment.ofArray(one.tail()));
        continue;
      }
      CommandWriter ignored =
          switch (one.kind) {
            case BUFFER -> writer.arg(uses.getLast());
            case U32 -> writer.argU32((int) one.value);
            case I32 -> writer.argI32((int) one.value);
            case U64 -> writer.argU64(one.value);
            case I64 -> writer.argI64(one.value);
            case F32 -> writer.argF32(Float.intBitsToFloat((int) one.value & 0x7f7fffff));
            case F64 -> writer.argF64(Double.longBitsToDouble(one.value & 0x7fefffffffffffffL));
            case LOCAL -> writer.argLocal(1 + (one.value & 0xffff));
            case BYTES -> throw new AssertionError(one);
          };
    }
    return uses;
  }

  private static void check(
      MemorySegment bytes,
      List<Given> given,
      Range range,
      List<Integer> uses,
      int before,
      boolean dispatched) {
    int bindings = bytes.get(U32, CommandEnvelope.BINDING_COUNT);
    assertEquals(uses.size() + 1, bindings);
    assertEquals(before + 2, bytes.get(U32, CommandEnvelope.OP_COUNT));
    long at = CommandEnvelope.ops(0, bindings) + (long) before * CommandOp.Fill.BYTES;
    boolean launch = !dispatched || !range.plain() || given.stream().anyMatch(Given::inTail);
    assertEquals(launch ? CommandOp.LAUNCH : CommandOp.DISPATCH, bytes.get(U16, at));
    int tail = given.stream().filter(Given::inTail).mapToInt(one -> one.tail().length).sum();
    long header = launch ? Launch.BYTES : Dispatch.BYTES;
    long end = at + header + (long) given.size() * Arg.BYTES;
    assertEquals(end + (tail + 7) / 8 * 8 - at, bytes.get(U32, at + CommandOp.LENGTH));
    if (launch) {
      checkRange(bytes, at, range);
      assertEquals(given.size(), bytes.get(U32, at + Launch.ARG_COUNT));
      assertEquals(tail, bytes.get(U32, at + Launch.TAIL_BYTES));
    }
    checkArguments(bytes, at + header, end, given);
    long fill = end + (tail + 7) / 8 * 8;
    assertEquals(CommandOp.FILL, bytes.get(U16, fill));
    assertEquals(77, bytes.get(U32, fill + CommandOp.Fill.PATTERN));
    assertEquals(bytes.byteSize(), fill + CommandOp.Fill.BYTES);
  }

  private static void checkRange(MemorySegment bytes, long at, Range range) {
    long first = Math.max(0, range.first);
    int dimensions = range.z > 1 || first > 0 ? 3 : range.y > 1 ? 2 : 1;
    assertEquals(dimensions, bytes.get(U32, at + Launch.DIMENSIONS));
    long[] size = {range.x, range.y, range.z};
    long[] offset = {first, 0, first};
    for (int i = 0; i < 3; i++) {
      assertEquals(size[i], bytes.get(U64, at + Launch.SIZE + 8L * i));
      assertEquals(offset[i], bytes.get(U64, at + Launch.OFFSET + 8L * i));
      int local = range.group == 0 || i >= dimensions ? 0 : i == 0 ? range.x : 1;
      assertEquals(local, bytes.get(U32, at + Launch.LOCAL + 4L * i));
    }
  }

  private static void checkArguments(MemorySegment bytes, long at, long tail, List<Given> given) {
    int from = 0;
    int buffers = 0;
    for (int i = 0; i < given.size(); i++) {
      Given one = given.get(i);
      long arg = at + (long) i * Arg.BYTES;
      buffers += one.more && buffers < 59 ? 1 : 0;
      int kind = one.inTail() ? Arg.BYTES_OF_TAIL : one.kind.code();
      assertEquals(kind, bytes.get(U32, arg + Arg.KIND));
      int binding = bytes.get(U32, arg + Arg.BINDING);
      long value = bytes.get(U64, arg + Arg.VALUE);
      if (one.inTail()) {
        assertEquals(from, binding);
        assertEquals(one.tail().length, value);
        byte[] seen = bytes.asSlice(tail + from, value).toArray(ValueLayout.JAVA_BYTE);
        assertTrue(Arrays.equals(one.tail(), seen), () -> one + " has other bytes");
        from += one.tail().length;
      } else if (one.kind == ArgumentKind.BUFFER) {
        assertEquals(expectedBinding(buffers), binding);
        assertEquals(0, value);
      } else {
        assertEquals(0, binding);
        assertEquals(bits(one), value);
      }
    }
  }

  /** The program stands behind the first use. */
  private static int expectedBinding(int use) {
    return use == 0 ? 0 : use + 1;
  }

  private static long bits(Given one) {
    return switch (one.kind) {
      case U32, I32 -> one.value & 0xffffffffL;
      case F32 -> one.value & 0x7f7fffffL;
      case F64 -> one.value & 0x7fefffffffffffffL;
      case LOCAL -> 1 + (one.value & 0xffff);
      default -> one.value;
    };
  }
}
