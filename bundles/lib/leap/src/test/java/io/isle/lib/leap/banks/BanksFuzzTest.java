package io.isle.lib.leap.banks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.isle.api.base.Errno;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A neighbour that writes any word anywhere between any two calls: each call has one of its codes,
 * and numbers only rise.
 *
 * <p>An input is a script. Each step has eight bytes: what happens, the bank, then a number.
 */
class BanksFuzzTest {
  private static final int STEP_BYTES = 8;
  private static final Set<Integer> WRITING = Set.of(0, -Errno.EAGAIN, -Errno.EPROTO);
  private static final MemorySegment INTO = MemorySegment.ofArray(new byte[BankLayout.BANK_BYTES]);

  /** What the script does. */
  private enum Step {
    PUBLISH,
    READ,
    LOOK_AND_TAKE,
    LIE_DOWN,
    NUMBER,
    LENGTH,
    TAKEN,
    SLEEPS
  }

  static Stream<byte[]> seeds() {
    ByteBuffer full = ByteBuffer.allocate(STEP_BYTES * 140);
    for (int i = 0; full.hasRemaining(); i++) {
      full.put((byte) (i < 70 ? Step.PUBLISH : Step.READ).ordinal())
          .put((byte) 0)
          .putShort((short) 9);
      full.putInt(i);
    }
    byte[] any = new byte[STEP_BYTES * 100];
    new Random(1).nextBytes(any);
    return Stream.of(full.array(), any);
  }

  @MethodSource("seeds")
  @FuzzTest
  void eachCallHasACode(byte[] script) {
    MemorySegment segment = BanksPropertyTest.empty();
    BankWriter writer = new BankWriter(segment, 1, 0);
    BankReader reader = new BankReader(segment, 0);
    ByteBuffer steps = ByteBuffer.wrap(script);
    while (steps.remaining() >= STEP_BYTES) {
      Step step = Step.values()[steps.get() & 7];
      int bank = steps.get() & 63;
      int length = steps.getShort() & 0xFFFF;
      long number = steps.getInt();
      long before = reader.taken();
      switch (step) {
        case PUBLISH -> assertTrue(WRITING.contains(writer.publish(length)));
        case READ -> read(reader.read(INTO, 0, length), length);
        case LOOK_AND_TAKE -> lookAndTake(reader, segment, bank, number);
        case LIE_DOWN -> lieDown(writer, reader);
        case NUMBER -> segment.set(BankLayout.U64, line(bank) + BankLayout.NUMBER, number);
        case LENGTH -> segment.set(BankLayout.U32, line(bank) + BankLayout.LENGTH, (int) number);
        case TAKEN -> segment.set(BankLayout.U64, BankLayout.READER + BankLayout.TAKEN, number);
        case SLEEPS -> segment.set(BankLayout.U64, BankLayout.WRITER + BankLayout.SLEEPS, number);
      }
      assertTrue(reader.taken() == before || reader.taken() == before + 1);
      assertTrue(writer.number() - writer.taken() <= BankLayout.BANKS);
      assertTrue(writer.taken() <= writer.number());
    }
  }

  private static long line(int bank) {
    return BankLayout.STATES + (long) bank * BankLayout.LINE_BYTES;
  }

  private static void read(int code, int most) {
    assertTrue(
        code >= 0 && code <= most
            || Set.of(-Errno.EAGAIN, -Errno.EPROTO, -Errno.EMSGSIZE).contains(code));
  }

  /** The number changes between the look and the end of the copy. */
  private static void lookAndTake(BankReader reader, MemorySegment segment, int bank, long number) {
    int length = reader.length();
    if (length < 0) {
      assertTrue(length == -Errno.EAGAIN || length == -Errno.EPROTO);
      return;
    }
    assertTrue(length <= BankLayout.BANK_BYTES);
    long next = reader.taken() + 1;
    if (bank < 32) {
      segment.set(BankLayout.U64, BankLayout.state(next) + BankLayout.NUMBER, number);
    }
    reader.copy(0, INTO, 0, length);
    boolean changed = bank < 32 && number != next;
    assertEquals(changed ? -Errno.EPROTO : 0, reader.take());
  }

  private static void lieDown(BankWriter writer, BankReader reader) {
    assertTrue(WRITING.contains(writer.lieDown()));
    assertTrue(Set.of(0, 1, -Errno.EPROTO).contains(reader.lieDown()));
    boolean ignored = writer.bellDue() | reader.bellDue();
  }
}
