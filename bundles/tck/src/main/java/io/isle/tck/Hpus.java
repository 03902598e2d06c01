package io.isle.tck;

import io.isle.api.base.Errno;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.HandlerUnits;
import io.isle.api.driver.HpuLimits;
import io.isle.api.driver.HpuReport;
import io.isle.api.driver.Programs;
import io.isle.lib.ffi.Futex;
import io.isle.lib.kabi.SpinStructs;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;

/** A context with {@link HandlerImage}, and the NIC that gives its HPUs tasks. */
final class Hpus {
  static final int RINGS = 0;
  static final int PACKETS = 1;
  static final int HANDLER = 2;
  static final int HOST_DATA = 4;
  static final int HPU = 5;
  static final int FRAME = 60;

  private static final VarHandle WORD = ValueLayout.JAVA_INT.varHandle();
  private static final int PACKET_AT = 128;

  private static final long[] SIZES = {
    (SpinStructs.RINGS.size() + SpinStructs.PAGE - 1) / SpinStructs.PAGE * SpinStructs.PAGE,
    16_384,
    8_192,
    SpinStructs.PAGE,
    SpinStructs.PAGE,
    (long) SpinStructs.PAGE * SpinStructs.HPUS
  };

  private final Rig rig;
  private final HandlerUnits units;
  private final List<Rig.Memory> memories = new ArrayList<>();
  private final long context;
  private final long program;
  private int posted;

  Hpus(Rig rig) {
    this.rig = rig;
    this.units = units(rig);
    this.context = rig.context();
    this.program = rig.newProgramId();
    var ignored =
        rig.programs().load(context, program, Programs.Kind.HANDLERS, HandlerImage.bytes());
    for (long size : SIZES) {
      memories.add(rig.memory(context, size));
    }
  }

  /** The interface, or the case is skipped. */
  static HandlerUnits units(Rig rig) {
    return rig.device()
        .extension(HandlerUnits.class)
        .orElseThrow(() -> new Check.Skipped("no HPUs"));
  }

  HandlerUnits units() {
    return units;
  }

  long context() {
    return context;
  }

  long program() {
    return program;
  }

  long[] ids() {
    return memories.stream().mapToLong(Rig.Memory::id).toArray();
  }

  MemorySegment memory(int which) {
    return memories.get(which).cpu();
  }

  /** With the most time that the device gives, and any number of traps. */
  Hpus attach() {
    return attach(0);
  }

  Hpus attach(int traps) {
    HpuLimits most = units.caps().limits();
    units.attach(
        context,
        program,
        ids(),
        new HpuLimits(most.handlerMicros(), most.hostWaitMillis(), traps, 0));
    posted = 0;
    return this;
  }

  void detach() {
    units.detach(context);
  }

  HpuReport report() {
    return units.report(context);
  }

  private MemorySegment hpu() {
    long at = SpinStructs.RINGS.offset("hpus") + HPU * SpinStructs.HPU.size();
    return memory(RINGS).asSlice(at, SpinStructs.HPU.size());
  }

  /** Has the packet handler do something, and gives the result of the task. */
  int run(byte action) {
    MemorySegment packet = memory(PACKETS).asSlice(PACKET_AT, FRAME);
    for (int i = 0; i < FRAME; i++) {
      packet.set(ValueLayout.JAVA_BYTE, i, i == 0 ? action : (byte) (posted + i));
    }
    return run(SpinStructs.HANDLER_PACKET, PACKET_AT);
  }

  /** Posts a task, and gives its result. */
  int run(int handler, int offset) {
    MemorySegment task = hpu().asSlice(SpinStructs.HPU.offset("task"), SpinStructs.TASK.size());
    SpinStructs.TASK.set(task, "handler", handler);
    SpinStructs.TASK.set(task, "queue", 3);
    SpinStructs.TASK.set(task, "offset", offset);
    SpinStructs.TASK.set(task, "length", FRAME);
    WORD.setVolatile(task, SpinStructs.TASK.offset("posted"), ++posted);
    Futex.wake(task.asSlice(SpinStructs.TASK.offset("posted"), Integer.BYTES), 1);
    MemorySegment end = end();
    rig.until(
        () -> (int) WORD.getAcquire(end, SpinStructs.END.offset("ended")) == posted,
        "the task does not end");
    return SpinStructs.END.getInt(end, "result");
  }

  void done(byte action, String what) {
    Check.equal(SpinStructs.RESULT_DONE, run(action), "the result of " + what);
  }

  MemorySegment end() {
    return hpu().asSlice(SpinStructs.HPU.offset("end"), SpinStructs.END.size());
  }

  int sent() {
    return (int) WORD.getAcquire(hpu(), SpinStructs.HPU.offset("sent"));
  }

  /** The bytes of a frame that was sent, with its length. */
  byte[] frame(int number) {
    long at = SpinStructs.HPU.offset("sends") + number * SpinStructs.SENT_FRAME.size();
    int length = hpu().get(ValueLayout.JAVA_INT, at);
    Check.that(length > 0 && length <= SpinStructs.FRAME, "a sent frame has " + length + " bytes");
    return hpu()
        .asSlice(at + SpinStructs.SENT_FRAME.offset("bytes"), length)
        .toArray(ValueLayout.JAVA_BYTE);
  }

  byte[] packet() {
    return memory(PACKETS).asSlice(PACKET_AT, FRAME).toArray(ValueLayout.JAVA_BYTE);
  }

  /** The call is refused with EINVAL, and says why. */
  static void explained(String what, String field, Runnable call) {
    try {
      call.run();
    } catch (DriverException e) {
      Check.equal(Errno.name(Errno.EINVAL), Errno.name(e.code()), what + ": the refusal");
      Check.that(
          e.getMessage().contains(field), what + ": '" + e.getMessage() + "' lacks " + field);
      return;
    }
    throw new Check.Broken(what + " is not refused");
  }
}
