package io.isle.spin.nic.hpus;

import io.isle.lib.kabi.SpinStructs;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/** HPUs whose handlers are Java code: they use the rings as the process of the driver does. */
public final class JavaHpus {
  /** A handler on a packet. */
  public interface Handler {
    /** Cause of a trap, or 0. */
    int run(JavaHpus hpus, int hpu, int handler, byte[] packet);
  }

  final MemorySegment rings;
  final MemorySegment packets;
  final MemorySegment hostData;
  final MemorySegment host;
  private final int[] ended = new int[SpinStructs.HPUS];
  private int requests;

  JavaHpus(MemorySegment rings, MemorySegment packets, MemorySegment data, MemorySegment host) {
    this.rings = rings;
    this.packets = packets;
    this.hostData = data;
    this.host = host;
  }

  /** With memory of their own. */
  public static JavaHpus of(int hostPages) {
    Arena arena = Arena.ofAuto();
    return new JavaHpus(
        arena.allocate(SpinStructs.RINGS.size(), 64),
        arena.allocate(1 << 20, 64),
        arena.allocate(SpinStructs.PAGE, 64),
        arena.allocate((long) hostPages * SpinStructs.PAGE, 64));
  }

  public SpinRings nic() {
    return new SpinRings(rings, packets, hostData, host);
  }

  void set(int hpu, long word, int value) {
    RingLayout.INT.setVolatile(rings, RingLayout.hpu(hpu) + word, value);
  }

  int get(int hpu, long word) {
    return (int) RingLayout.INT.getVolatile(rings, RingLayout.hpu(hpu) + word);
  }

  public boolean has(int hpu) {
    return get(hpu, RingLayout.POSTED) != ended[hpu];
  }

  /** Runs what is posted; false without a task. */
  public boolean step(int hpu, Handler handler) {
    if (!has(hpu)) {
      return false;
    }
    int length = get(hpu, RingLayout.LENGTH);
    byte[] packet = new byte[length];
    MemorySegment.copy(
        packets, get(hpu, RingLayout.PACKET), MemorySegment.ofArray(packet), 0, length);
    int cause = handler.run(this, hpu, get(hpu, RingLayout.HANDLER), packet);
    end(hpu, cause == 0 ? SpinStructs.RESULT_DONE : SpinStructs.RESULT_TRAPPED, cause);
    return true;
  }

  public void end(int hpu, int result, int cause) {
    set(hpu, RingLayout.RESULT, result);
    set(hpu, RingLayout.CAUSE, cause);
    set(hpu, RingLayout.WAITING, 0);
    set(hpu, RingLayout.ENDED, ended[hpu] = get(hpu, RingLayout.POSTED));
  }

  /** False where the NIC has taken none of the last 16. */
  public boolean send(int hpu, byte[] frame) {
    int sent = get(hpu, RingLayout.SENT);
    if (sent - get(hpu, RingLayout.TAKEN) == SpinStructs.SENDS) {
      return false;
    }
    long at = RingLayout.frame(RingLayout.hpu(hpu), sent);
    rings.set(RingLayout.U32, at + RingLayout.SENT_LENGTH, frame.length);
    MemorySegment.copy(
        MemorySegment.ofArray(frame), 0, rings, at + RingLayout.SENT_FRAME, frame.length);
    set(hpu, RingLayout.SENT, sent + 1);
    return true;
  }

  /** Asks the host, and waits. */
  public int request(int hpu, int length) {
    int number = ++requests & 0xFF;
    RingLayout.LONG.setVolatile(
        host, (long) hpu * SpinStructs.PAGE, number | (long) length << 8 | (long) hpu << 40);
    set(hpu, RingLayout.WAITING, 1);
    return number;
  }

  /** The newest answer of the host. */
  public long answer(int hpu) {
    return (long) RingLayout.LONG.getVolatile(hostData, RingLayout.FLAGS + hpu * 8L);
  }

  public void print(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    long written = (long) RingLayout.LONG.getVolatile(rings, RingLayout.TEXT_WRITTEN);
    for (byte value : bytes) {
      rings.set(
          java.lang.foreign.ValueLayout.JAVA_BYTE,
          RingLayout.TEXT + written++ % SpinStructs.TEXT,
          value);
    }
    RingLayout.LONG.setVolatile(rings, RingLayout.TEXT_WRITTEN, written);
  }

  /** Waits for the host no more. */
  public void answered(int hpu) {
    set(hpu, RingLayout.WAITING, 0);
  }

  /** As after too many traps. */
  public void stop() {
    RingLayout.INT.setVolatile(rings, RingLayout.STOPPED, 1);
  }

  /** Breaks the rules. */
  public void spoil(int hpu) {
    set(hpu, RingLayout.ENDED, 99);
  }

  /** Breaks the rules while a task runs. */
  public void breakSends(int hpu) {
    set(hpu, RingLayout.SENT, 1000);
  }

  /** Runs all that is posted; the number of tasks. */
  public int stepAll(Handler handler) {
    int count = 0;
    for (int hpu = 0; hpu < SpinStructs.HPUS; hpu++) {
      count += step(hpu, handler) ? 1 : 0;
    }
    return count;
  }
}
