package io.isle.net.tile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.lib.packet.UdpFrame;
import io.isle.lib.tile.KernelRing;
import io.isle.lib.tile.MemoryKernel;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** A kernel that keeps frames for a while, and notices when it is given one twice. */
final class TestKernel {
  private final MemoryKernel rings;
  private final MemorySegment umem;
  private final Random order = new Random(1);
  private final List<Integer> toReceive = new ArrayList<>();
  private final List<Integer> toComplete = new ArrayList<>();
  private final Set<Integer> has = new HashSet<>();
  private final List<Long> sent = new ArrayList<>();
  private long entered;
  private int wakes;

  TestKernel(MemoryKernel rings, MemorySegment umem) {
    this.rings = rings;
    this.umem = umem;
  }

  MemoryKernel rings() {
    return rings;
  }

  void woken() {
    wakes++;
  }

  int wakes() {
    return wakes;
  }

  /** Frames that were entered into RX. */
  long entered() {
    return entered;
  }

  /** Numbers of sent frames, in order. */
  List<Long> sent() {
    return sent;
  }

  /** Takes frames of FILL as a driver does, long before it receives. */
  void takeFill(int count) {
    for (int i = 0; i < count; i++) {
      long address = rings.takeFill();
      if (address < 0) {
        return;
      }
      toReceive.add(take(address));
    }
  }

  private int take(long address) {
    int frame = (int) (address / World.FRAME);
    assertTrue(address >= 0 && frame < World.FRAMES, "address " + address + " of no frame");
    assertTrue(has.add(frame), "frame " + frame + " was given to the kernel twice");
    return frame;
  }

  /**
   * Receives a numbered datagram.
   *
   * @return whether there was a frame for it
   */
  boolean receive(int port, long number) {
    return receive(
        UdpFrame.MIN_BYTES + 16,
        at -> {
          UdpFrame.write(umem, at, 10 << 24 | 9, 4000, FakeRoutes.SOURCE, port, 16);
          umem.set(ValueLayout.JAVA_LONG_UNALIGNED, at + TestApp.NUMBER, number);
        });
  }

  /** Writes a frame at an address of the UMEM. */
  interface Writer {
    void write(long address);
  }

  boolean receive(int length, Writer writer) {
    if (toReceive.isEmpty()) {
      takeFill(1);
    }
    if (toReceive.isEmpty()) {
      return false;
    }
    int frame = toReceive.get(order.nextInt(toReceive.size()));
    long address = (long) frame * World.FRAME + 256;
    writer.write(address);
    if (!rings.enterRx(address, length)) {
      return false;
    }
    toReceive.remove((Integer) frame);
    has.remove(frame);
    entered++;
    return true;
  }

  /** Sends frames of TX, without their completion. */
  void takeTx(int count) {
    for (int i = 0; i < count; i++) {
      KernelRing tx = new KernelRing(rings.memory(), rings.tx());
      if (tx.available(1) == 0) {
        return;
      }
      assertEquals(UdpFrame.MIN_BYTES + 16, tx.length(0));
      long address = rings.takeTx();
      toComplete.add(take(address));
      sent.add(umem.get(ValueLayout.JAVA_LONG_UNALIGNED, address + TestApp.NUMBER));
    }
  }

  /** Completes sent frames, in any order. */
  void complete(int count) {
    for (int i = 0; i < count && !toComplete.isEmpty(); i++) {
      Integer frame = toComplete.get(order.nextInt(toComplete.size()));
      if (rings.complete((long) frame * World.FRAME)) {
        toComplete.remove(frame);
        has.remove(frame);
      }
    }
  }

  /** Frames that the kernel has for receiving, in FILL and RX too. */
  List<Integer> receiving() {
    List<Integer> frames = new ArrayList<>(toReceive);
    frames.addAll(entries(new KernelRing(rings.memory(), rings.fill())));
    frames.addAll(entries(new KernelRing(rings.memory(), rings.rx())));
    return frames;
  }

  /** Frames that the kernel has for sending, in TX and COMPLETION too. */
  List<Integer> sending() {
    List<Integer> frames = new ArrayList<>(toComplete);
    frames.addAll(entries(new KernelRing(rings.memory(), rings.tx())));
    frames.addAll(entries(new KernelRing(rings.memory(), rings.completion())));
    return frames;
  }

  private static List<Integer> entries(KernelRing ring) {
    List<Integer> frames = new ArrayList<>();
    int count = ring.available(ring.size());
    for (int i = 0; i < count; i++) {
      frames.add((int) (ring.address(i) / World.FRAME));
    }
    return frames;
  }
}
