package io.isle.spin.nic.hpus;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** Writes down what HPUs have done. */
final class SeenHpus implements HpuListener {
  final List<String> seen = new ArrayList<>();

  /** Frames that are taken until no more are. */
  int room = Integer.MAX_VALUE;

  @Override
  public boolean sent(int hpu, MemorySegment memory, long offset, int length) {
    if (room == 0) {
      return false;
    }
    room--;
    byte first = memory.get(ValueLayout.JAVA_BYTE, offset);
    byte last = memory.get(ValueLayout.JAVA_BYTE, offset + length - 1);
    seen.add("sent " + hpu + " " + length + " " + first + " " + last);
    return true;
  }

  @Override
  public void ended(int hpu, TaskEnding end) {
    seen.add("ended " + hpu + " " + end.result() + " " + end.cause());
  }

  @Override
  public void waits(int hpu, boolean waits) {
    seen.add("waits " + hpu + " " + waits);
  }

  @Override
  public void requested(int hpu, int length) {
    seen.add("requested " + hpu + " " + length);
  }

  List<String> take() {
    List<String> all = List.copyOf(seen);
    seen.clear();
    return all;
  }
}
