package io.isle.core.accel.submit;

import static io.isle.lib.kabi.CommandEnvelope.U16;
import static io.isle.lib.kabi.CommandEnvelope.U32;
import static io.isle.lib.kabi.CommandEnvelope.U64;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
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
import io.isle.lib.kabi.CommandEnvelope;
import io.isle.lib.kabi.CommandOp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class EnvelopeWriterTest {
  private final Fixture fixture = new Fixture();
  private final Context context = fixture.context(ContextSpec.named("writer").withQueue(4, 512));
  private final Buffer buffer = context.allocate(1000, 0);
  private final Program sum = context.load(new ProgramSource.Builtin("sum"));

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void partsStandWhereTheAbiSaysHoweverTheyWereWritten() throws InterruptedException {
    CommandWriter writer = context.writer();
    int first = writer.use(buffer, 0, 500, Buffer.READ | Buffer.WRITE);
    writer.fill(first, 8, 100, 0xabcd);
    int second = writer.use(buffer, 500, 500, Buffer.WRITE);
    writer.dispatch(sum, 0, 1, 2, 3).arg(first).argU64(77);
    int third = writer.use(buffer, 10, 20, Buffer.WRITE);
    writer.arg(third).copy(second, 0, first, 400, 100);
    long point = context.submit(writer);
    assertEquals(1, point);

    ScriptedDevice.Submission got = fixture.device.awaitRunning(1).get(0);
    MemorySegment bytes =
        fixture.attachment.commands().memory().asSlice(got.offset(), got.length());
    assertEquals(CommandEnvelope.MAGIC_VALUE, bytes.get(U32, CommandEnvelope.MAGIC));
    assertEquals(1, bytes.get(U16, CommandEnvelope.VERSION));
    assertEquals(64, bytes.get(U16, CommandEnvelope.HEADER_SIZE));
    assertEquals(got.length(), bytes.get(U32, CommandEnvelope.TOTAL_LENGTH));
    assertEquals(0, bytes.get(U32, CommandEnvelope.WAIT_COUNT));
    assertEquals(4, bytes.get(U32, CommandEnvelope.BINDING_COUNT));
    assertEquals(3, bytes.get(U32, CommandEnvelope.OP_COUNT));
    assertEquals(got.tag(), bytes.get(U64, CommandEnvelope.TAG));
    long second32 = CommandEnvelope.bindings(0) + CommandEnvelope.Binding.BYTES;
    assertEquals(buffer.id(), bytes.get(U64, second32));
    assertEquals(500, bytes.get(U64, second32 + CommandEnvelope.Binding.OFFSET));
    assertEquals(Buffer.WRITE, bytes.get(U32, second32 + CommandEnvelope.Binding.ACCESS));

    long fill = CommandEnvelope.ops(0, 4);
    assertEquals(CommandOp.FILL, bytes.get(U16, fill));
    assertEquals(0xabcd, bytes.get(U32, fill + CommandOp.Fill.PATTERN));
    long dispatch = fill + CommandOp.Fill.BYTES;
    assertEquals(CommandOp.DISPATCH, bytes.get(U16, dispatch));
    assertEquals(32 + 3 * 16, bytes.get(U32, dispatch + CommandOp.LENGTH));
    assertEquals(3, bytes.get(U32, dispatch + CommandOp.Dispatch.ARG_COUNT));
    assertEquals(3, bytes.get(U32, dispatch + CommandOp.Dispatch.Z));
    long program = bytes.get(U32, dispatch + CommandOp.Dispatch.PROGRAM);
    long named = CommandEnvelope.bindings(0) + program * CommandEnvelope.Binding.BYTES;
    assertEquals(sum.id(), bytes.get(U64, named));
    assertEquals(
        CommandEnvelope.Binding.PROGRAM, bytes.get(U32, named + CommandEnvelope.Binding.ACCESS));
    long scalar = dispatch + CommandOp.Dispatch.ARGS + CommandOp.Arg.BYTES;
    assertEquals(CommandOp.Arg.U64, bytes.get(U32, scalar));
    assertEquals(77, bytes.get(U64, scalar + CommandOp.Arg.VALUE));
    long copy = dispatch + 32 + 3 * 16;
    assertEquals(CommandOp.COPY, bytes.get(U16, copy));
    assertEquals(100, bytes.get(U64, copy + CommandOp.Copy.COUNT));
    assertEquals(got.length(), copy + CommandOp.Copy.BYTES);
  }

  @Test
  void rangesAndRightsOfWhatIsUsedAreChecked() {
    Buffer readOnly = context.attach(buffer.memory(), Buffer.READ);
    try (Context other = fixture.context()) {
      Buffer foreign = other.allocate(100, 0);
      use(-Errno.EINVAL, foreign, 0, 1, Buffer.READ);
      use(-Errno.EINVAL, null, 0, 1, Buffer.READ);
    }
    use(-Errno.ERANGE, buffer, -1, 1, Buffer.READ);
    use(-Errno.ERANGE, buffer, 0, 0, Buffer.READ);
    use(-Errno.ERANGE, buffer, 1, 1000, Buffer.READ);
    use(-Errno.ERANGE, buffer, 1001, 1, Buffer.READ);
    use(-Errno.ERANGE, buffer, 2, Long.MAX_VALUE, Buffer.READ);
    use(-Errno.ERANGE, buffer, Long.MAX_VALUE, Long.MAX_VALUE, Buffer.READ);
    use(-Errno.EINVAL, buffer, 0, 1, 0);
    use(-Errno.EINVAL, buffer, 0, 1, 4);
    use(-Errno.EACCES, readOnly, 0, 1, Buffer.WRITE);
    Buffer closed = context.attach(buffer.memory(), Buffer.READ);
    closed.close();
    use(-Errno.EINVAL, closed, 0, 1, Buffer.READ);
  }

  @Test
  void operationsAreChecked() {
    wrong(-Errno.EINVAL, w -> w.fill(0, 0, 1, 0));
    wrong(-Errno.EINVAL, w -> w.fill(-1, 0, 1, 0));
    wrong(-Errno.EACCES, w -> w.fill(w.use(buffer, 0, 10, Buffer.READ), 0, 1, 0));
    wrong(-Errno.ERANGE, w -> w.fill(w.use(buffer, 0, 10, Buffer.WRITE), 5, 6, 0));
    wrong(-Errno.ERANGE, w -> w.fill(w.use(buffer, 0, 10, Buffer.WRITE), 5, Long.MAX_VALUE, 0));
    wrong(-Errno.ERANGE, w -> w.fill(w.use(buffer, 0, 10, Buffer.WRITE), -5, 6, 0));
    wrong(-Errno.ERANGE, w -> w.fill(w.use(buffer, 0, 10, Buffer.WRITE), 0, 0, 0));
    wrong(-Errno.EACCES, w -> w.copy(w.use(buffer, 0, 9, 2), 0, w.use(buffer, 0, 9, 2), 0, 1));
    wrong(-Errno.EACCES, w -> w.copy(w.use(buffer, 0, 9, 1), 0, w.use(buffer, 0, 9, 1), 0, 1));
    wrong(-Errno.EINVAL, w -> w.vendor(MemorySegment.NULL));
    wrong(-Errno.EINVAL, w -> w.vendor(Arena.ofAuto().allocate(12)));
    wrong(-Errno.EMSGSIZE, w -> w.vendor(Arena.ofAuto().allocate(512)));
    wrong(-Errno.EMSGSIZE, EnvelopeWriterTest::tooLong);
    wrong(-Errno.EINVAL, this::tooManyUses);
  }

  @Test
  void dispatchesMustFitTheProgramsEntry() {
    wrong(-Errno.EINVAL, w -> w.dispatch(null, 0, 1, 1, 1));
    wrong(-Errno.EINVAL, w -> w.dispatch(sum, 1, 1, 1, 1));
    wrong(-Errno.EINVAL, w -> w.dispatch(sum, -1, 1, 1, 1));
    wrong(-Errno.EINVAL, w -> w.dispatch(sum, 0, 0, 1, 1));
    wrong(-Errno.EINVAL, w -> w.dispatch(sum, 0, 1, 1, -1));
    wrong(-Errno.EINVAL, w -> w.dispatch(sum, 0, 1, 1, 1));
    wrong(-Errno.EINVAL, w -> w.argU32(1));
    wrong(
        -Errno.EINVAL,
        w -> {
          int use = w.use(buffer, 0, 9, 3);
          w.dispatch(sum, 0, 1, 1, 1).arg(use).argU32(1);
        });
    wrong(
        -Errno.EINVAL,
        w -> {
          int use = w.use(buffer, 0, 9, 3);
          w.dispatch(sum, 0, 1, 1, 1).arg(use).argU64(1).arg(use).argU64(2);
        });
    wrong(
        -Errno.EACCES,
        w -> {
          int use = w.use(buffer, 0, 9, Buffer.READ);
          w.dispatch(sum, 0, 1, 1, 1).arg(use).argU64(1).arg(use);
        });
    try (Context other = fixture.context()) {
      Program foreign = other.load(new ProgramSource.Builtin("sum"));
      wrong(-Errno.EINVAL, w -> w.dispatch(foreign, 0, 1, 1, 1));
    }
  }

  @Test
  void aMistakeIsToldInWords() {
    told("", w -> {});
    told(
        "EINVAL: program: the program does not belong to this context",
        w -> w.dispatch(null, 0, 1, 1, 1));
    told(
        "EINVAL: entry: no entry 7; the program has entries 0 to 0",
        w -> w.dispatch(sum, 7, 1, 1, 1));
    told("EINVAL: sum: x, y, z: 1, 0, 1: each", w -> w.dispatch(sum, 0, 1, 0, 1));
    told("EINVAL: an argument was added without a dispatch", w -> w.argU32(1));
    told(
        "EINVAL: sum: 0 arguments are too few; the program takes 3 (buffer, u64, buffer)",
        w -> w.dispatch(sum, 0, 1, 1, 1));
    told(
        "EINVAL: argument 1 of sum: i32 was given, but the program takes u64",
        w -> w.dispatch(sum, 0, 1, 1, 1).arg(w.use(buffer, 0, 9, 3)).argI32(1).argU64(2));
    told(
        "EINVAL: argument 0 of sum: use 9 is not one of the 2 buffer ranges",
        w -> {
          int ignored = w.use(buffer, 0, 9, Buffer.READ);
          w.dispatch(sum, 0, 1, 1, 1).arg(9);
        });
    told(
        "EACCES: argument 2 of sum: the buffer range allows to read, but the program needs to"
            + " write",
        w -> {
          int use = w.use(buffer, 0, 9, Buffer.READ);
          w.dispatch(sum, 0, 1, 1, 1).arg(use).argU64(1).arg(use);
        });
    told("ERANGE", w -> w.use(buffer, 0, 2000, 1));
    told("EMSGSIZE: the command envelope is longer than commandBytes", EnvelopeWriterTest::tooLong);
  }

  /** The first mistake, also after the submission was refused, until the next is begun. */
  private void told(String text, Consumer<CommandWriter> mistake) {
    CommandWriter writer = context.writer();
    assertEquals("", writer.mistake());
    mistake.accept(writer);
    long result = context.submit(writer);
    assertTrue(writer.mistake().startsWith(text), writer.mistake());
    assertEquals(text.isEmpty(), result > 0);
    assertEquals(text.isEmpty(), writer.mistake().isEmpty());
  }

  @Test
  void aFutureFailsWithTheMistakeInWords() {
    CommandWriter writer = context.writer().dispatch(sum, 0, 1, 1, 1);
    ExecutionException e =
        assertThrows(ExecutionException.class, () -> context.submitAsync(writer).get());
    assertTrue(e.getCause().getMessage().contains("too few"), e.getCause().getMessage());
  }

  private void use(int code, Buffer used, long offset, long length, int access) {
    CommandWriter writer = context.writer();
    assertEquals(code, writer.use(used, offset, length, access));
    assertEquals(code, context.submit(writer));
  }

  private void wrong(int code, Consumer<CommandWriter> mistake) {
    CommandWriter writer = context.writer();
    mistake.accept(writer);
    assertEquals(code, context.submit(writer));
    assertEquals(0, context.info().submitted());
  }

  private static void tooLong(CommandWriter writer) {
    for (int i = 0; i < 8; i++) {
      writer.vendor(Arena.ofAuto().allocate(64));
    }
  }

  private void tooManyUses(CommandWriter writer) {
    try (Context roomy = fixture.context(ContextSpec.named("roomy").withQueue(2, 8192))) {
      Buffer memory = roomy.allocate(10, 0);
      CommandWriter many = roomy.writer();
      for (int i = 0; i < CommandWriter.MAX_USES; i++) {
        assertTrue(many.use(memory, 0, 1, 1) >= 0);
      }
      assertEquals(-Errno.EINVAL, many.use(memory, 0, 1, 1));
      assertEquals(-Errno.EINVAL, roomy.submit(many));
    }
    int ignored = writer.use(null, 0, 0, 0);
  }
}
