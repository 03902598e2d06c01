package io.isle.spin.nic.hpus;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.lib.kabi.SpinStructs;
import java.lang.foreign.MemorySegment;
import java.util.function.BooleanSupplier;

/** Fails when something is passed on that no HPU can have done. */
final class RangeChecks implements HpuListener {
  private static final int MAX_PAYLOAD = 4032;

  private final BooleanSupplier takes;

  /** HPUs that have a task. */
  int busy;

  /**
   * @param takes whether the next frame is taken
   */
  RangeChecks(BooleanSupplier takes) {
    this.takes = takes;
  }

  private void known(int hpu) {
    assertTrue(hpu >= 0 && hpu < SpinStructs.HPUS && (busy >>> hpu & 1) != 0);
  }

  @Override
  public boolean sent(int hpu, MemorySegment memory, long offset, int length) {
    known(hpu);
    assertTrue(length >= 1 && length <= SpinStructs.FRAME);
    assertTrue(offset + length <= memory.byteSize());
    return takes.getAsBoolean();
  }

  @Override
  public void ended(int hpu, TaskEnding end) {
    known(hpu);
    busy &= ~(1 << hpu);
    assertTrue(end.result() >= 0 && end.result() <= SpinStructs.RESULT_REFUSED);
    assertTrue(end.cause() >= 0 && end.cause() <= SpinStructs.CAUSE_STOPPED && end.ns() >= 0);
  }

  @Override
  public void waits(int hpu, boolean waits) {
    known(hpu);
  }

  @Override
  public void requested(int hpu, int length) {
    known(hpu);
    assertTrue(length >= 0 && length <= MAX_PAYLOAD);
  }
}
