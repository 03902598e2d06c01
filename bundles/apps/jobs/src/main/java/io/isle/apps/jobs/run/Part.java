package io.isle.apps.jobs.run;

import io.isle.api.accel.Buffer;
import io.isle.api.accel.CommandWriter;
import io.isle.apps.jobs.data.ElementType;
import java.util.List;
import java.util.Optional;

/**
 * A buffer of a step that has it on the device as a whole.
 *
 * @param resident what the program is given
 * @param role what the program does with it
 * @param origin where its contents before come from, by a copy on the device; null where {@code
 *     resident} has them itself
 * @param filling what an output holds before the program; empty for whatever was there
 * @param own memory that this step gives back at its end, unless an output is read later
 */
record Part(
    String name,
    ElementType type,
    List<Long> shape,
    Resident resident,
    Role role,
    Resident origin,
    Optional<Filling> filling,
    List<Resident> own) {
  /** What a program does with a buffer. */
  enum Role {
    READ,
    /** An input that the program may write, although nobody wants to see that. */
    DROPPED,
    IN_PLACE,
    OUTPUT,
    /** An output that only a loop itself has. */
    TEMP
  }

  Part {
    shape = List.copyOf(shape);
    own = List.copyOf(own);
  }

  /** Whether it has contents after the step. */
  boolean isOutput() {
    return role == Role.IN_PLACE || role == Role.OUTPUT;
  }

  /** The same with the contents that it has before the step, to be looked at. */
  Part before() {
    return origin == null
        ? this
        : new Part(name, type, shape, origin, Role.READ, null, Optional.empty(), List.of());
  }

  /**
   * It is on the device with its contents before the program; returns 0 or a negated code.
   *
   * @param clock told of what is put back
   */
  int bring(StreamContext stream, StepClock clock) throws InterruptedException {
    if (origin != null) {
      int code = origin.ensure(stream);
      if (code != 0) {
        return code;
      }
    }
    return switch (role) {
      case READ -> resident.ensure(stream);
      case DROPPED -> origin == null ? again(stream, clock) : resident.ensureRoom(stream);
      case IN_PLACE -> {
        // What it held is changed by the program, or was by an attempt before.
        resident.spoil();
        yield origin == null ? resident.ensureInput(stream) : resident.ensureRoom(stream);
      }
      case OUTPUT, TEMP -> {
        resident.spoil();
        yield resident.ensureRoom(stream);
      }
    };
  }

  private int again(StreamContext stream, StepClock clock) throws InterruptedException {
    int code = resident.ensure(stream);
    if (code == 0 && resident.isChanged()) {
      clock.putBack(resident.bytes());
      resident.putBack();
    }
    return code;
  }

  /** Binds it for the program; returns the index of the binding. */
  int use(CommandWriter writer, KernelAccess access) {
    return resident.use(
        writer,
        switch (role) {
          case READ -> access.input();
          case DROPPED -> origin == null ? access.dropped() : access.scratch();
          case IN_PLACE -> Buffer.READ | Buffer.WRITE;
          case OUTPUT, TEMP -> filling.isPresent() ? access.filled() : access.output();
        });
  }

  /** Has the device make what it holds before the program. */
  void begin(CommandWriter writer, int use, int originUse) {
    if (origin != null) {
      CommandWriter ignored = writer.copy(use, 0, originUse, 0, resident.bytes());
    }
    filling
        .filter(value -> !(value.isZeros() && resident.isFresh()))
        .ifPresent(value -> value.fill(writer, use, resident.bytes()));
  }

  /** Work did not end well. */
  void failed() {
    resident.failed();
  }

  /** The program was submitted, and may have run. */
  void submitted(StepClock clock) {
    resident.submitted();
    if (role == Role.DROPPED) {
      if (origin != null && resident.isChanged()) {
        clock.putBack(resident.bytes());
      }
      resident.change();
    }
  }
}
