package io.isle.itests.inside;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;

import io.isle.api.accel.Accelerator;
import io.isle.api.accel.Buffer;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.Mapping;
import io.isle.api.accel.Program;
import io.isle.api.accel.ProgramSource;
import io.isle.api.driver.DeviceSession;
import io.isle.api.driver.HandlerUnits;
import io.isle.api.driver.HpuReport;
import io.isle.api.tenancy.Capability;
import io.isle.lib.ffi.Futex;
import io.isle.lib.kabi.SpinStructs;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** A tenant with handlers on HPUs, whose NIC this is. */
final class HandlersTenant implements AutoCloseable {
  private static final long PATIENCE_NS = Duration.ofSeconds(30).toNanos();
  private static final int FRAME = 60;
  private static final int HPU = 2;
  private static final int HANDLER = 2;
  private static final int ADDRESS = 6;
  private static final ValueLayout.OfInt U32 = ValueLayout.JAVA_INT;
  private static final VarHandle WORD = U32.varHandle();

  /** In the order of the interface. */
  private static final long[] SIZES = {
    pages(SpinStructs.RINGS.size()),
    65_536,
    65_536,
    (long) SpinStructs.PAGE * SpinStructs.CLUSTERS * SpinStructs.QUEUES,
    SpinStructs.PAGE,
    (long) SpinStructs.PAGE * SpinStructs.HPUS
  };

  private final Context context;
  private final Program program;
  private final List<Buffer> buffers = new ArrayList<>();
  private final List<Mapping> mappings = new ArrayList<>();
  private int posted;

  HandlersTenant(Accelerator device, Capability capability, String name, byte[] image) {
    context = device.open(capability, ContextSpec.named(name));
    boolean made = false;
    try {
      program = context.load(new ProgramSource.Handlers(image, name));
      for (long size : SIZES) {
        Buffer buffer = context.allocate(size, Buffer.COHERENT);
        buffers.add(buffer);
        mappings.add(buffer.map());
      }
      made = true;
    } finally {
      if (!made) {
        context.close();
      }
    }
  }

  private static long pages(long bytes) {
    return (bytes + SpinStructs.PAGE - 1) / SpinStructs.PAGE * SpinStructs.PAGE;
  }

  void attach(DeviceSession session) {
    var ignored =
        call(
            session,
            units -> {
              long[] memories = buffers.stream().mapToLong(Buffer::id).toArray();
              units.attach(context.id(), program.id(), memories, units.caps().limits());
              return true;
            });
    posted = 0;
  }

  HpuReport report(DeviceSession session) {
    return call(session, units -> units.report(context.id()));
  }

  void detach(DeviceSession session) {
    var ignored =
        call(
            session,
            units -> {
              units.detach(context.id());
              return true;
            });
  }

  private static <T> T call(DeviceSession session, Function<HandlerUnits, T> work) {
    return session.call(HandlerUnits.class, work);
  }

  /** Waits until the context is there again, and finds its memory, whose contents are lost. */
  void comesBack() {
    assertEquals(0, context.awaitUsable(PATIENCE_NS));
    for (int i = 0; i < SIZES.length; i++) {
      Mapping mapping = mappings.get(i);
      MemorySegment memory =
          Inside.eventually(
              () -> {
                MemorySegment now = mapping.segment();
                now.fill((byte) 0);
                return now;
              });
      mapping.flush(0, memory.byteSize());
    }
  }

  /** Writes a word to handler memory. */
  void remember(int word) {
    mappings.get(HANDLER).segment().set(U32, 0, word);
  }

  int remembered() {
    return mappings.get(HANDLER).segment().get(U32, 0);
  }

  int interruptions() {
    return context.interruptions();
  }

  /** One frame there, one back: with the addresses of Ethernet exchanged. */
  void ping(int seed) {
    byte[] frame = new byte[FRAME];
    for (int i = 0; i < FRAME; i++) {
      frame[i] = (byte) (seed + i);
    }
    MemorySegment hpu = hpu();
    int sent = (int) WORD.getAcquire(hpu, SpinStructs.HPU.offset("sent"));
    post(hpu, frame);
    assertEquals(SpinStructs.RESULT_DONE, result(hpu));
    assertEquals(sent + 1, (int) WORD.getAcquire(hpu, SpinStructs.HPU.offset("sent")));
    long at =
        SpinStructs.HPU.offset("sends") + sent % SpinStructs.SENDS * SpinStructs.SENT_FRAME.size();
    assertEquals(FRAME, hpu.get(U32, at));
    byte[] back =
        hpu.asSlice(at + SpinStructs.SENT_FRAME.offset("bytes"), 2 * ADDRESS)
            .toArray(ValueLayout.JAVA_BYTE);
    byte[] expected = new byte[2 * ADDRESS];
    System.arraycopy(frame, ADDRESS, expected, 0, ADDRESS);
    System.arraycopy(frame, 0, expected, ADDRESS, ADDRESS);
    assertArrayEquals(expected, back);
    WORD.setRelease(hpu, SpinStructs.HPU.offset("taken"), sent + 1);
  }

  private MemorySegment hpu() {
    long at = SpinStructs.RINGS.offset("hpus") + HPU * SpinStructs.HPU.size();
    return mappings.getFirst().segment().asSlice(at, SpinStructs.HPU.size());
  }

  /** Has handlers of {@code hostile.c} do something; {@link #result} is what becomes of it. */
  void post(int action, int argument) {
    ByteBuffer frame = ByteBuffer.allocate(FRAME).order(ByteOrder.LITTLE_ENDIAN);
    post(hpu(), frame.putInt(action).putInt(argument).array());
  }

  int result() {
    return result(hpu());
  }

  /** Posts a packet for the packet handler. */
  private void post(MemorySegment hpu, byte[] frame) {
    MemorySegment.copy(frame, 0, mappings.get(1).segment(), ValueLayout.JAVA_BYTE, 0, FRAME);
    MemorySegment task = hpu.asSlice(SpinStructs.HPU.offset("task"), SpinStructs.TASK.size());
    SpinStructs.TASK.set(task, "handler", SpinStructs.HANDLER_PACKET);
    SpinStructs.TASK.set(task, "length", FRAME);
    WORD.setVolatile(task, SpinStructs.TASK.offset("posted"), ++posted);
    Futex.wake(task.asSlice(SpinStructs.TASK.offset("posted"), Integer.BYTES), 1);
  }

  private int result(MemorySegment hpu) {
    MemorySegment end = hpu.asSlice(SpinStructs.HPU.offset("end"), SpinStructs.END.size());
    return Inside.eventually(
        () -> {
          assertEquals(posted, (int) WORD.getAcquire(end, SpinStructs.END.offset("ended")));
          return SpinStructs.END.getInt(end, "result");
        });
  }

  @Override
  public void close() {
    context.close();
  }
}
