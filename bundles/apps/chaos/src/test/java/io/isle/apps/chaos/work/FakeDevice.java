package io.isle.apps.chaos.work;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Accelerator;
import io.isle.api.accel.Accelerators;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.DeviceQuery;
import io.isle.api.base.Errno;
import io.isle.api.display.Display;
import io.isle.api.display.Displays;
import io.isle.api.tenancy.Capability;
import io.isle.apps.chaos.platform.Partial;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * A device that computes at once: each submission has ended, and was told, when submit returns.
 * Methods are found by {@code Partial}.
 */
final class FakeDevice {
  /**
   * What becomes of a submission.
   *
   * @param refusal negated code; 0: it is accepted
   * @param status with which it ends
   * @param told whether the listener hears of it
   * @param spoiled whether its result is wrong
   */
  record Fate(int refusal, int status, boolean told, boolean spoiled) {
    static final Fate GOOD = new Fate(0, 0, true, false);

    static Fate ends(int status) {
      return new Fate(0, status, true, false);
    }

    static Fate refused(int refusal) {
      return new Fate(refusal, 0, true, false);
    }
  }

  /** By the number of the submission, from 1, refused ones included. */
  volatile IntFunction<Fate> plan = number -> Fate.GOOD;

  /** Before a context is opened, with how many there were. */
  volatile Runnable onOpen = () -> {};

  final List<FakeContext> contexts = new ArrayList<>();
  final FakeDisplay screen = new FakeDisplay(this);

  /** How often its display was asked for. */
  int owners;

  private int submissions;

  Accelerators service() {
    return Partial.of(Accelerators.class, this);
  }

  Accelerator find(DeviceQuery query) {
    return Partial.of(Accelerator.class, this);
  }

  Displays displays() {
    return Partial.of(Displays.class, this);
  }

  Display of(String device, Capability capability) {
    owners++;
    return Partial.of(Display.class, screen);
  }

  synchronized Context open(Capability capability, ContextSpec spec) {
    onOpen.run();
    if (!capability.valid()) {
      throw new AccelException(Errno.EREVOKED, "revoked");
    }
    FakeContext context = new FakeContext(this, spec);
    contexts.add(context);
    return Partial.of(Context.class, context);
  }

  synchronized Fate next() {
    return plan.apply(++submissions);
  }
}
