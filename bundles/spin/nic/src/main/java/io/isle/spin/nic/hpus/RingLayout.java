package io.isle.spin.nic.hpus;

import io.isle.lib.kabi.SpinStructs;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Where the words of the rings are. */
final class RingLayout {
  static final ValueLayout.OfInt U32 = ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);
  static final ValueLayout.OfLong U64 = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
  static final VarHandle INT = U32.varHandle();
  static final VarHandle LONG = U64.varHandle();

  static final long STOPPED = SpinStructs.RINGS.offset("stopped");
  static final long COUNTERS = SpinStructs.RINGS.offset("counters");
  static final long TEXT_WRITTEN = SpinStructs.RINGS.offset("text_written");
  static final long TEXT_TAKEN = SpinStructs.RINGS.offset("text_taken");
  static final long TEXT = SpinStructs.RINGS.offset("text");

  private static final long HPUS = SpinStructs.RINGS.offset("hpus");
  private static final long HPU_BYTES = SpinStructs.HPU.size();
  private static final long TASK_AT = SpinStructs.HPU.offset("task");
  private static final long END_AT = SpinStructs.HPU.offset("end");

  // Within an HPU.
  static final long POSTED = TASK_AT + SpinStructs.TASK.offset("posted");
  static final long HANDLER = TASK_AT + SpinStructs.TASK.offset("handler");
  static final long QUEUE = TASK_AT + SpinStructs.TASK.offset("queue");
  static final long HOME_CLUSTER = TASK_AT + SpinStructs.TASK.offset("home_cluster");
  static final long PACKET = TASK_AT + SpinStructs.TASK.offset("offset");
  static final long LENGTH = TASK_AT + SpinStructs.TASK.offset("length");
  static final long ENDED = END_AT + SpinStructs.END.offset("ended");
  static final long RESULT = END_AT + SpinStructs.END.offset("result");
  static final long CAUSE = END_AT + SpinStructs.END.offset("cause");
  static final long WAITING = END_AT + SpinStructs.END.offset("waiting");
  static final long SLEEPING = END_AT + SpinStructs.END.offset("sleeping");
  static final long INSTRUCTION = END_AT + SpinStructs.END.offset("instruction");
  static final long ADDRESS = END_AT + SpinStructs.END.offset("address");
  static final long START_NS = END_AT + SpinStructs.END.offset("start_ns");
  static final long END_NS = END_AT + SpinStructs.END.offset("end_ns");
  static final long SENT = SpinStructs.HPU.offset("sent");
  static final long TAKEN = SpinStructs.HPU.offset("taken");

  private static final long SENDS = SpinStructs.HPU.offset("sends");
  private static final long SENT_BYTES = SpinStructs.SENT_FRAME.size();
  static final long SENT_LENGTH = SpinStructs.SENT_FRAME.offset("length");
  static final long SENT_FRAME = SpinStructs.SENT_FRAME.offset("bytes");

  /** Low half of the answer's word. */
  static final long FLAGS = SpinStructs.HOST_DATA.offset("flags");

  private RingLayout() {}

  static long hpu(int number) {
    return HPUS + number * HPU_BYTES;
  }

  /**
   * Where a sent frame lies.
   *
   * @param hpu from {@link #hpu}
   * @param number of the frame, modulo 2^32
   */
  static long frame(long hpu, int number) {
    return hpu + SENDS + (number & SpinStructs.SENDS - 1) * SENT_BYTES;
  }
}
