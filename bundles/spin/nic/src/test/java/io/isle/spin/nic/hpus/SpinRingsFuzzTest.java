package io.isle.spin.nic.hpus;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.isle.api.base.Errno;
import io.isle.lib.kabi.SpinStructs;
import io.isle.spin.nic.core.HandlerKind;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** A process writes any word of the shared memory between two looks at it. */
class SpinRingsFuzzTest {
  private static final int STEP = 10;
  private static final int STEPS = 200;
  private static final int POST = 1;
  private static final int REFUSE = 2;
  private static final int HOST = 4;
  private static final int DATA = 8;

  static Stream<byte[]> seeds() {
    return Stream.of(
        steps(new long[] {RingLayout.ENDED, 1}, new long[] {RingLayout.RESULT, 2}),
        steps(new long[] {RingLayout.SENT, 1}, new long[] {RingLayout.ENDED, 1}),
        steps(new long[] {RingLayout.WAITING, 1}, new long[] {RingLayout.CAUSE, -1}),
        steps(new long[] {RingLayout.TEXT_WRITTEN - RingLayout.hpu(0), 70_000}),
        random(1),
        random(2),
        new byte[0]);
  }

  /** An HPU gets a task, and writes these words, each an offset and a value. */
  private static byte[] steps(long[]... words) {
    ByteBuffer bytes = ByteBuffer.allocate(words.length * STEP).order(ByteOrder.LITTLE_ENDIAN);
    for (long[] word : words) {
      bytes.put((byte) POST).put((byte) 0);
      bytes.putInt((int) (RingLayout.hpu(0) + word[0])).putInt((int) word[1]);
    }
    return bytes.array();
  }

  private static byte[] random(long seed) {
    byte[] bytes = new byte[STEPS * STEP];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  @MethodSource("seeds")
  @FuzzTest
  void whatIsPassedOnIsInRange(byte[] bytes) {
    JavaHpus hpus = JavaHpus.of(SpinStructs.HPUS);
    SpinRings nic = hpus.nic();
    boolean[] takes = {true};
    RangeChecks checks = new RangeChecks(() -> takes[0]);
    byte[] text = new byte[SpinStructs.TEXT];
    ByteBuffer program = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    for (int step = 0; step < STEPS && program.remaining() >= STEP; step++) {
      int what = program.get();
      int hpu = program.get() & SpinStructs.HPUS - 1;
      int at = program.getInt();
      int value = program.getInt();
      if ((what & POST) != 0) {
        int ignored = nic.post(hpu, HandlerKind.PACKET, 0, 0, 0, 60);
      }
      takes[0] = (what & REFUSE) == 0;
      MemorySegment memory =
          (what & HOST) != 0 ? hpus.host : (what & DATA) != 0 ? hpus.hostData : hpus.rings;
      long words = memory.byteSize() / Integer.BYTES;
      memory.setAtIndex(
          ValueLayout.JAVA_INT, Integer.toUnsignedLong(at) / Integer.BYTES % words, value);
      checks.busy = nic.busy();
      int work = nic.poll(checks);
      assertTrue(work >= 0 || work == -Errno.EPROTO);
      int printed = nic.text(text);
      assertTrue(printed <= SpinStructs.TEXT && (printed >= 0 || printed == -Errno.EPROTO));
      int ignored = nic.respond(hpu, value & 0xFFF);
    }
  }
}
