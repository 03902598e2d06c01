package io.isle.lib.leap.banks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/** Writer and reader of one segment, in any order of their calls. */
class BanksPropertyTest {
  private static final MemorySegment SEGMENT = Arena.global().allocate(BankLayout.BYTES, 64);
  private static final MemorySegment MEMORY = Arena.global().allocate(BankLayout.BANK_BYTES);
  private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
  private static final long SOURCE = -7;

  static MemorySegment empty() {
    SEGMENT.asSlice(BankLayout.STATES).fill((byte) 0);
    return SEGMENT;
  }

  enum Step {
    WRITE,
    WRITE_IN_PLACE,
    READ,
    READ_BY_PARTS,
    WRITER_SLEEPS,
    READER_SLEEPS,
    WRITER_RESTARTS,
    READER_RESTARTS
  }

  record Call(Step step, int bytes) {}

  @Provide
  Arbitrary<List<Call>> calls() {
    Arbitrary<Integer> sizes =
        Arbitraries.oneOf(
            Arbitraries.integers().between(0, 300),
            Arbitraries.integers().between(BankLayout.BANK_BYTES - 2, BankLayout.BANK_BYTES + 2));
    // long runs of writes and of reads fill and empty the banks
    Arbitrary<List<Call>> runs =
        Arbitraries.of(Step.class)
            .flatMap(
                step -> sizes.map(size -> new Call(step, size)).list().ofMinSize(1).ofMaxSize(80));
    return runs.list().ofMaxSize(30).map(lists -> lists.stream().flatMap(List::stream).toList());
  }

  /** Each frame arrives once, in order, with its bytes; never more than 64 are under way. */
  @Property(tries = 300)
  void framesArriveInOrder(
      @ForAll("calls") List<Call> calls, @ForAll @LongRange(max = Long.MAX_VALUE / 2) long seed) {
    empty();
    Model model = new Model(seed);
    calls.forEach(model::run);
  }

  private static final class Model {
    private BankWriter writer = new BankWriter(SEGMENT, SOURCE, 0);
    private BankReader reader = new BankReader(SEGMENT, 0);
    private final Deque<Integer> underWay = new ArrayDeque<>();
    private boolean writerSleeps;
    private boolean readerSleeps;
    private byte next;
    private byte expected;

    Model(long seed) {
      next = (byte) seed;
      expected = next;
    }

    void run(Call call) {
      switch (call.step) {
        case WRITE, WRITE_IN_PLACE -> write(call);
        case READ, READ_BY_PARTS -> read(call.step == Step.READ);
        case WRITER_SLEEPS -> {
          int code = writer.lieDown();
          assertEquals(underWay.size() < BankLayout.BANKS ? 0 : -Errno.EAGAIN, code);
          writerSleeps = true;
        }
        case READER_SLEEPS -> {
          assertEquals(underWay.isEmpty() ? 0 : 1, reader.lieDown());
          readerSleeps = true;
        }
        // a restarted side may ring once too often
        case WRITER_RESTARTS -> {
          writer = new BankWriter(SEGMENT, SOURCE, writer.number());
          writer.bellDue();
          readerSleeps = false;
        }
        case READER_RESTARTS -> {
          reader = new BankReader(SEGMENT, reader.taken());
          reader.bellDue();
          writerSleeps = false;
        }
      }
    }

    private void write(Call call) {
      int code;
      if (call.step == Step.WRITE) {
        MEMORY.asSlice(0, Math.min(call.bytes, BankLayout.BANK_BYTES)).fill(next);
        int head = call.bytes / 3;
        code = writer.write(MEMORY, 0, head, MEMORY, head, call.bytes - head);
      } else {
        code = writer.claim();
        if (code == 0 && call.bytes <= BankLayout.BANK_BYTES) {
          SEGMENT.asSlice(writer.offset(), call.bytes).fill(next);
        }
        code = writer.publish(call.bytes);
      }
      if (call.bytes > BankLayout.BANK_BYTES) {
        assertEquals(-Errno.EMSGSIZE, code);
      } else if (underWay.size() == BankLayout.BANKS) {
        assertEquals(-Errno.EAGAIN, code);
      } else {
        assertEquals(0, code);
        underWay.add(call.bytes);
        next++;
        assertEquals(readerSleeps, writer.bellDue());
        assertFalse(writer.bellDue(), "each sleep is rung for once");
        readerSleeps = false;
      }
    }

    private void read(boolean whole) {
      if (underWay.isEmpty()) {
        assertEquals(-Errno.EAGAIN, reader.length());
        assertEquals(-Errno.EAGAIN, reader.read(MEMORY, 0, BankLayout.BANK_BYTES));
        return;
      }
      int length = underWay.remove();
      assertEquals(length, reader.length());
      if (length > 0) {
        assertEquals(-Errno.EMSGSIZE, reader.read(MEMORY, 0, length - 1));
      }
      if (whole) {
        assertEquals(length, reader.read(MEMORY, 0, length));
      } else {
        reader.copy(length / 2, MEMORY, length / 2, length - length / 2);
        reader.copy(0, MEMORY, 0, length / 2);
        assertEquals(0, reader.take());
      }
      assertEquals(SOURCE, reader.source());
      for (int at : new int[] {0, length / 2, length - 1}) {
        assertTrue(length == 0 || MEMORY.get(BYTE, Math.max(0, at)) == expected);
      }
      expected++;
      assertEquals(writerSleeps, reader.bellDue());
      assertFalse(reader.bellDue(), "each sleep is rung for once");
      writerSleeps = false;
    }
  }

  @Test
  void theLayoutIsThatOfTheKernelModuleAndLinesBehind() {
    assertEquals(KernelModule.RX_BYTES, BankLayout.STATES);
    assertEquals(0, BankLayout.BYTES % 4096);
    assertTrue(BankLayout.WRITER + BankLayout.SLEEPS + 8 <= BankLayout.BYTES);
    assertEquals(BankLayout.READER + 256, BankLayout.WRITER);
    assertEquals(BankLayout.STATES + 64 * 64, BankLayout.READER);
    assertEquals(63 * 131_072L, BankLayout.offset(63));
    assertEquals(0, BankLayout.offset(64));
  }
}
