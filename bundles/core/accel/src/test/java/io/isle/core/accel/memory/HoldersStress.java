package io.isle.core.accel.memory;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Ids;
import java.util.Optional;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Whoever lets go of memory last frees it, and nobody else does. Run by the races' test. */
public final class HoldersStress {
  private HoldersStress() {}

  /** Memory with one buffer, which says how often it was freed because a pin was closed. */
  public static final class Held implements MemoryPin.Target {
    public final DeviceMemory memory = new DeviceMemory(Ids.of(Ids.MEMORY, 1, 0), null, 16, 0);

    public Held() {
      boolean ignored = memory.retain();
    }

    @Override
    public String device() {
      return "sim0";
    }

    @Override
    public Optional<String> group() {
      return Optional.empty();
    }

    @Override
    public int epoch() {
      return 1;
    }

    @Override
    public boolean lasts() {
      return true;
    }

    @Override
    public String endedWhy() {
      return "";
    }

    /** Called by the thread that closed the pin. */
    @Override
    public void free(DeviceMemory freed) {
      throw new Freed();
    }
  }

  private static final class Freed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Freed() {
      super("freed", null, false, false);
    }
  }

  /** How often a close freed. */
  private static int closing(MemoryPin pin) {
    try {
      pin.close();
      return 0;
    } catch (Freed e) {
      return 1;
    }
  }

  /** The last buffer is closed while somebody pins the memory and lets go of it. */
  @JCStressTest
  @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "by the buffer")
  @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "by the pin")
  @Outcome(id = "1, -1", expect = Expect.ACCEPTABLE, desc = "too late to pin")
  @State
  public static class PinOrLastBuffer {
    private final Held held = new Held();

    @Actor
    public void buffer(II_Result result) {
      result.r1 = held.memory.release() ? 1 : 0;
    }

    @Actor
    public void pin(II_Result result) {
      try {
        result.r2 = closing(held.memory.pin(held));
      } catch (AccelException e) {
        result.r2 = -1;
      }
    }
  }

  /** The last buffer of pinned memory is closed while the device is taken away. */
  @JCStressTest
  @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "by the buffer")
  @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "with the device")
  @State
  public static class LastBufferOrDevice {
    private final Held held = new Held();
    private final MemoryPin pin = held.memory.pin(held);

    @Actor
    public void buffer(II_Result result) {
      result.r1 = held.memory.release() ? 1 : 0;
    }

    @Actor
    public void device(II_Result result) {
      result.r2 = held.memory.endPins() ? 1 : 0;
      // of a pin that has ended nothing is left to free
      result.r2 += closing(pin);
    }
  }

  /** The last pin, which holds the memory alone, is closed while the device is taken away. */
  @JCStressTest
  @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "by the pin")
  @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "with the device")
  @State
  public static class LastPinOrDevice {
    private final Held held = new Held();
    private final MemoryPin pin = held.memory.pin(held);

    public LastPinOrDevice() {
      boolean ignored = held.memory.release();
    }

    @Actor
    public void pin(II_Result result) {
      result.r1 = closing(pin);
    }

    @Actor
    public void device(II_Result result) {
      result.r2 = held.memory.endPins() ? 1 : 0;
    }
  }

  /** Two threads close the same pin, which holds the memory alone. */
  @JCStressTest
  @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "the first")
  @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "the second")
  @State
  public static class SamePin {
    private final Held held = new Held();
    private final MemoryPin pin = held.memory.pin(held);

    public SamePin() {
      boolean ignored = held.memory.release();
    }

    @Actor
    public void one(II_Result result) {
      result.r1 = closing(pin);
    }

    @Actor
    public void two(II_Result result) {
      result.r2 = closing(pin);
    }
  }
}
