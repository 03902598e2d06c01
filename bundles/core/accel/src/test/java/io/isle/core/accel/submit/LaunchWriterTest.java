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
import io.isle.api.base.Errno;
import io.isle.core.accel.Fixture;
import io.isle.core.accel.ScriptedDevice;
import io.isle.core.accel.TestKernels;
import io.isle.lib.kabi.CommandEnvelope;
import io.isle.lib.kabi.CommandEnvelope.Binding;
import io.isle.lib.kabi.CommandOp;
import io.isle.lib.kabi.CommandOp.Arg;
import io.isle.lib.kabi.CommandOp.Launch;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Dispatches that say more than sizes and scalars. */
@Timeout(60)
class LaunchWriterTest {
  private static final int SCALE = 0;
  private static final int FIXED = 1;
  private static final int TILE = 2;
  private static final int PICTURE = 3;
  private static final int MANY = 4;
  private static final int LARGEST = 5;

  private final Fixture fixture = TestKernels.fixture();
  private final Context context = fixture.context(ContextSpec.named("l").withQueue(4, 8192));
  private final Buffer buffer = context.allocate(1000, 0);
  private final Program program = context.load(new ProgramSource.OpenClC("source"));
  private final MemorySegment vector = bytes(16);

  @AfterEach
  void close() {
    fixture.close();
  }

  private static MemorySegment bytes(int count) {
    byte[] all = new byte[count];
    for (int i = 0; i < count; i++) {
      all[i] = (byte) (i + 1);
    }
    return MemorySegment.ofArray(all);
  }

  private MemorySegment sent(Consumer<CommandWriter> write) throws InterruptedException {
    CommandWriter writer = context.writer();
    write.accept(writer);
    assertTrue(context.submit(writer) > 0, writer::mistake);
    ScriptedDevice.Submission got = fixture.device.awaitRunning(1).getFirst();
    MemorySegment bytes =
        fixture.attachment.commands().memory().asSlice(got.offset(), got.length());
    MemorySegment copy = Arena.ofAuto().allocate(got.length(), 8);
    copy.copyFrom(bytes);
    fixture.device.complete(got, 0);
    return copy;
  }

  private static void argument(MemorySegment bytes, long at, int kind, int binding, long value) {
    assertEquals(kind, bytes.get(U32, at + Arg.KIND));
    assertEquals(binding, bytes.get(U32, at + Arg.BINDING));
    assertEquals(value, bytes.get(U64, at + Arg.VALUE));
  }

  @Test
  void aLaunchStandsWhereTheAbiSaysHoweverItWasWritten() throws InterruptedException {
    MemorySegment bytes =
        sent(
            w -> {
              int first = w.use(buffer, 0, 500, Buffer.WRITE);
              w.fill(first, 0, 8, 7).dispatch(program, TILE, 128, 6, 1);
              w.offset(5, 0, 9).local(64, 2, 1);
              int second = w.use(buffer, 8, 400, Buffer.WRITE);
              w.arg(second).argLocal(4096);
              int third = w.use(buffer, 0, 1, Buffer.READ);
              w.argBytes(vector).copy(first, 0, third, 0, 1);
            });
    assertEquals(4, bytes.get(U32, CommandEnvelope.BINDING_COUNT));
    assertEquals(3, bytes.get(U32, CommandEnvelope.OP_COUNT));
    long at = CommandEnvelope.ops(0, 4) + CommandOp.Fill.BYTES;
    assertEquals(CommandOp.LAUNCH, bytes.get(U16, at));
    assertEquals(0, bytes.get(U16, at + CommandOp.FLAGS));
    assertEquals(96 + 3 * 16 + 16, bytes.get(U32, at + CommandOp.LENGTH));
    assertEquals(1, bytes.get(U32, at + Launch.PROGRAM));
    assertEquals(TILE, bytes.get(U32, at + Launch.ENTRY));
    assertEquals(3, bytes.get(U32, at + Launch.DIMENSIONS));
    assertEquals(3, bytes.get(U32, at + Launch.ARG_COUNT));
    assertEquals(16, bytes.get(U64, at + Launch.TAIL_BYTES));
    long[] words = {128, 6, 1, 5, 0, 9};
    for (int i = 0; i < words.length; i++) {
      assertEquals(words[i], bytes.get(U64, at + Launch.SIZE + 8L * i));
    }
    int[] local = {64, 2, 1, 0};
    for (int i = 0; i < local.length; i++) {
      assertEquals(local[i], bytes.get(U32, at + Launch.LOCAL + 4L * i));
    }
    argument(bytes, at + Launch.ARGS, Arg.BUFFER, 2, 0);
    argument(bytes, at + Launch.ARGS + 16, Arg.LOCAL, 0, 4096);
    argument(bytes, at + Launch.ARGS + 32, Arg.BYTES_OF_TAIL, 0, 16);
    assertEquals(-1, vector.mismatch(bytes.asSlice(at + Launch.ARGS + 48, 16)));
    long copy = at + 96 + 3 * 16 + 16;
    assertEquals(CommandOp.COPY, bytes.get(U16, copy));
    assertEquals(bytes.byteSize(), copy + CommandOp.Copy.BYTES);
  }

  @Test
  void aDispatchThatNeedsNothingNewIsTheOldOperation() throws InterruptedException {
    MemorySegment bytes =
        sent(
            w -> {
              int use = w.use(buffer, 0, 500, Buffer.WRITE);
              w.dispatch(program, SCALE, 128, 6, 1).arg(use).argF32(1.5f);
            });
    long at = CommandEnvelope.ops(0, 2);
    assertEquals(CommandOp.DISPATCH, bytes.get(U16, at));
    assertEquals(32 + 2 * 16, bytes.get(U32, at + CommandOp.LENGTH));
    assertEquals(bytes.byteSize(), at + 32 + 2 * 16);
  }

  @Test
  void aDispatchBecomesALaunchWithTheArgumentsItHas() throws InterruptedException {
    MemorySegment bytes =
        sent(
            w -> {
              int use = w.use(buffer, 0, 500, Buffer.WRITE);
              w.dispatch(program, SCALE, 128, 1, 1).arg(use).argBytes(bytes(4));
              w.dispatch(program, FIXED, 16, 2, 1).arg(use).argBytes(bytes(2));
              w.dispatch(program, FIXED, 16, 2, 1).arg(use).argU32(3);
            });
    long at = CommandEnvelope.ops(0, 2);
    assertEquals(CommandOp.LAUNCH, bytes.get(U16, at));
    assertEquals(1, bytes.get(U32, at + Launch.DIMENSIONS));
    assertEquals(128, bytes.get(U64, at + Launch.SIZE));
    assertEquals(0, bytes.get(U64, at + Launch.LOCAL));
    argument(bytes, at + Launch.ARGS, Arg.BUFFER, 0, 0);
    argument(bytes, at + Launch.ARGS + 16, Arg.BYTES_OF_TAIL, 0, 4);
    assertEquals(0x04030201L, bytes.get(U64, at + Launch.ARGS + 32), "zeros behind the tail");
    long next = at + 96 + 2 * 16 + 8;
    assertEquals(CommandOp.LAUNCH, bytes.get(U16, next));
    assertEquals(2, bytes.get(U32, next + Launch.DIMENSIONS));
    assertEquals(2, bytes.get(U32, next + Launch.TAIL_BYTES));
    long last = next + 96 + 2 * 16 + 8;
    assertEquals(CommandOp.DISPATCH, bytes.get(U16, last));
    assertEquals(bytes.byteSize(), last + 32 + 2 * 16);
  }

  @Test
  void theLargestDispatchHas4384BytesWithItsWaits() throws InterruptedException {
    long done = sentFill();
    MemorySegment bytes =
        sent(
            w -> {
              for (int i = 0; i < 8; i++) {
                w.after(context.timeline(), done);
              }
              for (int i = 0; i < CommandWriter.MAX_USES - 1; i++) {
                int ignored = w.use(buffer, i, 1, Buffer.WRITE);
              }
              w.dispatch(program, LARGEST, 1, 1, 1);
              for (int i = 0; i < 64; i++) {
                w.argBytes(vector);
              }
            });
    assertEquals(ContextSpec.MAX_DISPATCH_BYTES, bytes.byteSize() + (8 - waits(bytes)) * 16);
  }

  private long sentFill() throws InterruptedException {
    long point = context.submit(context.writer());
    fixture.device.complete(fixture.device.awaitRunning(1).getFirst(), 0);
    assertEquals(0, context.await(point, -1));
    return point;
  }

  private static int waits(MemorySegment bytes) {
    return bytes.get(U32, CommandEnvelope.WAIT_COUNT);
  }

  @Test
  void aKernelMayHave63Buffers() throws InterruptedException {
    MemorySegment bytes =
        sent(
            w -> {
              int last = 0;
              for (int i = 0; i < CommandWriter.MAX_USES - 1; i++) {
                last = w.use(buffer, i, 1, Buffer.WRITE);
              }
              w.dispatch(program, MANY, 1, 1, 1);
              for (int i = 0; i < 64; i++) {
                w.arg(Math.min(i, last));
              }
            });
    long at = CommandEnvelope.ops(0, 64);
    assertEquals(64, bytes.get(U32, at + Launch.ARG_COUNT));
    argument(bytes, at + Launch.ARGS + 62 * 16, Arg.BUFFER, 62, 0);
    told(
        "EINVAL: use: the submission has 64 bindings",
        w -> {
          for (int i = 0; i < 65; i++) {
            int ignored = w.use(buffer, i, 1, Buffer.WRITE);
          }
        });
  }

  @Test
  void bitsOfABindingArriveWithItsAccess() throws InterruptedException {
    MemorySegment bytes =
        sent(
            w -> {
              int use = w.use(buffer, 0, 8, Buffer.WRITE | Buffer.NO_COPY_IN | Buffer.NO_COPY_BACK);
              w.fill(use, 0, 8, 1);
            });
    assertEquals(
        Binding.WRITE | Binding.NO_COPY_IN | Binding.NO_COPY_BACK,
        bytes.get(U32, CommandEnvelope.bindings(0) + Binding.ACCESS));
    told("EINVAL", w -> w.use(buffer, 0, 8, Buffer.NO_COPY_IN));
    told("EACCES", w -> w.fill(w.use(buffer, 0, 8, Buffer.READ | Buffer.NO_COPY_IN), 0, 1, 0));
  }

  private void told(String text, Consumer<CommandWriter> mistake) {
    CommandWriter writer = context.writer();
    mistake.accept(writer);
    assertTrue(context.submit(writer) < 0, text);
    assertTrue(writer.mistake().startsWith(text), writer.mistake());
  }

  private CommandWriter tile(CommandWriter writer) {
    return writer.dispatch(program, TILE, 128, 6, 1);
  }

  @Test
  void whatDoesNotFitIsToldWithTheNumbers() {
    told(
        "EINVAL: tile: x: 128 work items are no multiple of 100, the work-group size (local)",
        w -> tile(w).local(100, 1, 1));
    told(
        "EINVAL: tile: y: 6 work items are no multiple of 4, the work-group size (local)",
        w -> tile(w).local(64, 4, 1));
    told("EINVAL: tile: local: 0, 1, 1: each count", w -> tile(w).local(0, 1, 1));
    told(
        "EINVAL: tile: local: a work-group of 768 work items is too large; the kernel takes at"
            + " most 256",
        w -> tile(w).local(128, 6, 1));
    told(
        "EINVAL: tile: local: a work-group of 4611686014132420609 work items",
        w ->
            w.dispatch(program, TILE, Integer.MAX_VALUE, Integer.MAX_VALUE, 1)
                .local(Integer.MAX_VALUE, Integer.MAX_VALUE, 1));
    told("ERANGE: tile: offset: -1, 0, 0: each offset", w -> tile(w).offset(-1, 0, 0));
    told(
        "EINVAL: tile: x, y, z: 2147483647, 2147483647, 2147483647: more than 2^64 - 1",
        w -> w.dispatch(program, TILE, Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE));
    told(
        "EINVAL: fixed: x: 12 work items are no multiple of 8, the work-group size that the"
            + " kernel requires",
        w -> w.dispatch(program, FIXED, 12, 2, 1));
    told(
        "EINVAL: fixed: local: 16, 1, 1 was given, but the kernel requires 8, 2, 1",
        w -> w.dispatch(program, FIXED, 16, 2, 1).local(16, 1, 1));
    told(
        "EINVAL: picture: the kernel cannot be used: argument 0 (image2d_t) is an image",
        w -> w.dispatch(program, PICTURE, 1, 1, 1));
    told(
        "EINVAL: entry: no entry 6; the program has entries 0 to 5",
        w -> w.dispatch(program, 6, 1, 1, 1));
  }

  @Test
  void callsOutOfPlaceAreTold() {
    told("EINVAL: local and offset belong directly after dispatch", w -> w.local(1, 1, 1));
    told("EINVAL: an argument was added without a dispatch", w -> w.argLocal(1));
    told("EINVAL: an argument was added without a dispatch", w -> w.argBytes(vector));
    told(
        "EINVAL: local and offset belong directly after dispatch",
        w -> {
          int use = w.use(buffer, 0, 9, Buffer.WRITE);
          tile(w).arg(use).local(64, 1, 1);
        });
  }

  @Test
  void argumentsThatDoNotFitAreTold() {
    told(
        "EINVAL: tile: 2 arguments are too few; the program takes 3 (buffer, local, bytes)",
        w -> tile(w).arg(w.use(buffer, 0, 9, Buffer.WRITE)).argLocal(1));
    told(
        "EINVAL: argument 0 of tile: local was given, but the program takes buffer",
        w -> tile(w).argLocal(16));
    told(
        "EINVAL: argument 0 of tile: bytes was given, but the program takes buffer",
        w -> tile(w).argBytes(vector));
    Consumer<MemorySegment> last =
        bytes ->
            told(
                "EINVAL: argument 2 of tile: "
                    + bytes.byteSize()
                    + " bytes were given, but the program takes 16",
                w -> tile(w).arg(use(w)).argLocal(16).argBytes(bytes));
    last.accept(bytes(12));
    last.accept(bytes(17));
    last.accept(MemorySegment.NULL);
    told(
        "EINVAL: argument 2 of tile: 0 bytes were given, but the program takes 16",
        w -> tile(w).arg(use(w)).argLocal(16).argBytes(null));
    told(
        "ERANGE: argument 1 of tile: 0 bytes of local memory; 1 to 1099511627776 are possible",
        w -> tile(w).arg(use(w)).argLocal(0));
    told("ERANGE", w -> tile(w).arg(use(w)).argLocal(Long.MAX_VALUE));
    told(
        "EINVAL: argument 2 of tile: u32 was given, but the program takes bytes",
        w -> tile(w).arg(use(w)).argLocal(16).argU32(1));
    told(
        "EINVAL: argument 1 of fixed: 4 bytes were given, but the program takes 2",
        w -> w.dispatch(program, FIXED, 8, 2, 1).arg(use(w)).argBytes(bytes(4)));
    told(
        "EACCES: argument 0 of tile: the buffer range allows to read, but the program needs to"
            + " write",
        w -> tile(w).arg(w.use(buffer, 0, 9, Buffer.READ)));
  }

  private int use(CommandWriter writer) {
    return writer.use(buffer, 0, 9, Buffer.WRITE);
  }

  @Test
  void bytesThatCannotBeReadAreRefused() {
    MemorySegment gone;
    try (Arena arena = Arena.ofConfined()) {
      gone = arena.allocate(16);
    }
    told(
        "EINVAL: argument 2 of tile: the segment is closed or belongs to another thread",
        w -> tile(w).arg(use(w)).argLocal(16).argBytes(gone));
  }

  @Test
  void aSlotThatIsTooShortIsTold() {
    Context small = fixture.context(ContextSpec.named("small").withQueue(4, 256));
    Program own = small.load(new ProgramSource.OpenClC("source"));
    Buffer memory = small.allocate(8, 0);
    CommandWriter writer = small.writer();
    int use = writer.use(memory, 0, 8, Buffer.WRITE);
    writer.dispatch(own, TILE, 64, 1, 1).local(64, 1, 1).arg(use).argLocal(8).argBytes(vector);
    assertEquals(-Errno.EMSGSIZE, small.submit(writer));
    assertTrue(writer.mistake().contains("longer than commandBytes"), writer.mistake());
  }

  @Test
  void aDriverThatDescribesNoKernelsTakesNone() {
    try (Fixture plain = new Fixture()) {
      plain.device.compiler = (kind, source, options) -> TestKernels.entries();
      Context old = plain.context(ContextSpec.named("old").withQueue(4, 4096));
      Program own = old.load(new ProgramSource.OpenClC("source"));
      Buffer memory = old.allocate(64, 0);
      assertTrue(own.kernels().isEmpty());
      refused(old, "scale: local: ", w -> w.dispatch(own, 0, 8, 1, 1).local(8, 1, 1));
      refused(old, "scale: offset: ", w -> w.dispatch(own, 0, 8, 1, 1).offset(8, 1, 1));
      refused(old, "scale: argLocal: ", w -> w.dispatch(own, 0, 8, 1, 1).argLocal(8));
      refused(old, "scale: argBytes: ", w -> w.dispatch(own, 0, 8, 1, 1).argBytes(vector));
      refused(old, "use: NO_COPY_IN", w -> w.use(memory, 0, 8, Buffer.READ | Buffer.NO_COPY_IN));
    }
  }

  private static void refused(Context context, String words, Consumer<CommandWriter> mistake) {
    CommandWriter writer = context.writer();
    mistake.accept(writer);
    assertEquals(-Errno.ENOTSUP, context.submit(writer));
    assertTrue(writer.mistake().contains(words), writer.mistake());
    assertTrue(writer.mistake().contains("does not describe kernels"), writer.mistake());
  }

  @Test
  void kernelsAreToldAsTheDriverDescribesThem() {
    assertEquals(6, program.kernels().size());
    assertEquals(2, program.entries().size());
    var tile = program.kernels().get(TILE);
    assertEquals("tile", tile.name());
    assertEquals(256, tile.maxGroup());
    assertEquals(
        "[buffer, local, bytes]",
        tile.arguments().stream().map(a -> a.kind().orElseThrow().text()).toList().toString());
    assertEquals(16, tile.arguments().get(2).bytes());
    assertEquals("argument 0 (image2d_t) is an image", program.kernels().get(PICTURE).unusable());
  }
}
