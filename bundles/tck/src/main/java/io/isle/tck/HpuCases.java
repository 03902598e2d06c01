package io.isle.tck;

import io.isle.api.base.Errno;
import io.isle.api.driver.HandlerUnits;
import io.isle.api.driver.HpuCaps;
import io.isle.api.driver.HpuLimits;
import io.isle.api.driver.HpuReport;
import io.isle.api.driver.Programs;
import io.isle.lib.kabi.SpinStructs;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;

/** HPUs: what can be attached, what tasks do, and what is left of them. */
final class HpuCases {
  private HpuCases() {}

  static List<Case> all() {
    return List.of(
        Case.of("hpu/caps", HpuCases::caps),
        Case.of("hpu/frame", HpuCases::frame),
        Case.of("hpu/report", HpuCases::report),
        Case.of("hpu/trap-costs-its-task", HpuCases::trap),
        Case.of("hpu/trap-limit", HpuCases::trapLimit),
        Case.of("hpu/time-limit", HpuCases::timeLimit),
        Case.of("hpu/wrong-task", HpuCases::wrongTask),
        Case.of("hpu/attach-twice", HpuCases::twice),
        Case.of("hpu/detach", HpuCases::detach),
        Case.of("hpu/reset-detaches", HpuCases::reset),
        Case.of("hpu/memory-in-use", HpuCases::inUse),
        Case.of("hpu/memory-kept", HpuCases::kept),
        Case.of("hpu/rings-are-zeros", HpuCases::zeros),
        Case.of("hpu/foreign-objects", HpuCases::foreign),
        Case.of("hpu/wrong-limit-is-explained", HpuCases::wrongLimit),
        Case.of("hpu/wrong-program", HpuCases::wrongProgram));
  }

  private static void caps(Rig rig) {
    HandlerUnits units = Hpus.units(rig);
    HpuCaps caps = units.caps();
    Check.equal(caps, units.caps(), "what HPUs have, asked again,");
    Check.that(
        rig.programs().kinds().contains(Programs.Kind.HANDLERS), "it takes no programs for HPUs");
  }

  private static void frame(Rig rig) {
    Hpus hpus = new Hpus(rig).attach();
    hpus.done(HandlerImage.SEND, "a handler that sends its packet");
    // the report also shows that control calls and tasks go side by side
    Check.equal(1L, hpus.report().tasks(), "the number of tasks");
    Check.equal(1, hpus.sent(), "the number of sent frames");
    Check.that(
        Arrays.equals(hpus.packet(), hpus.frame(0)), "the sent frame differs from the packet");
  }

  private static void report(Rig rig) {
    Hpus hpus = new Hpus(rig).attach();
    HpuReport before = hpus.report();
    Check.that(before.attached() && before.trap().isEmpty(), "an attachment begins as " + before);
    Check.equal(1 << SpinStructs.HANDLER_PACKET, before.handlers(), "the set of handlers");
    int ignored = hpus.run(HandlerImage.STRAY);
    HpuReport.Trap trap =
        hpus.report().trap().orElseThrow(() -> new Check.Broken("no trap is reported"));
    Check.equal(SpinStructs.CAUSE_ACCESS, trap.cause(), "the cause of a read of nothing");
    Check.equal(HandlerImage.NOWHERE, trap.address(), "the address of the trap");
    Check.equal(SpinStructs.HANDLER_PACKET, trap.handler(), "the handler of the trap");
    Check.equal(Hpus.HPU, trap.hpu(), "the HPU of the trap");
    Check.that(trap.instruction() > 0, "the place of the trap is unknown");
    Check.equal(1L, hpus.report().traps(), "the number of traps");
  }

  private static void trap(Rig rig) {
    Hpus hpus = new Hpus(rig).attach();
    for (int i = 0; i < 3; i++) {
      Check.equal(
          SpinStructs.RESULT_TRAPPED, hpus.run(HandlerImage.STRAY), "the result of a stray read");
    }
    hpus.done(HandlerImage.NOTHING, "a task after traps");
  }

  private static void trapLimit(Rig rig) {
    Hpus hpus = new Hpus(rig).attach(2);
    int ignored = hpus.run(HandlerImage.STRAY);
    hpus.done(HandlerImage.NOTHING, "a task after one trap of two");
    ignored = hpus.run(HandlerImage.STRAY) + hpus.run(HandlerImage.STRAY);
    Check.equal(
        SpinStructs.RESULT_REFUSED,
        hpus.run(HandlerImage.NOTHING),
        "the result of a task after two traps in a row");
    Check.that(hpus.report().stopped(), "the report does not say that tasks are refused");
  }

  private static void timeLimit(Rig rig) {
    Hpus hpus = new Hpus(rig).attach();
    Check.equal(
        SpinStructs.RESULT_TRAPPED, hpus.run(HandlerImage.LOOP), "the result of an endless loop");
    int cause = hpus.report().trap().map(HpuReport.Trap::cause).orElse(0);
    Check.that(
        cause == SpinStructs.CAUSE_CPU_TIME || cause == SpinStructs.CAUSE_WALL_TIME,
        "the cause of the end of an endless loop is " + cause);
  }

  private static void wrongTask(Rig rig) {
    Hpus hpus = new Hpus(rig).attach();
    Check.equal(
        SpinStructs.RESULT_REFUSED,
        hpus.run(SpinStructs.HANDLER_TAIL, 0),
        "the result of a task for a handler that the program lacks");
    Check.equal(
        SpinStructs.RESULT_REFUSED,
        hpus.run(SpinStructs.HANDLER_PACKET, 1 << 20),
        "the result of a task on a packet outside of the packet memory");
    Check.equal(2L, hpus.report().refused(), "the number of refused tasks");
  }

  private static void twice(Rig rig) {
    Hpus hpus = new Hpus(rig).attach();
    Check.refused("a second program on a context", hpus::attach, Errno.EBUSY);
  }

  private static void detach(Rig rig) {
    Hpus hpus = new Hpus(rig);
    Check.refused("detach without a program", hpus::detach, Errno.ENOENT);
    hpus.attach().detach();
    Check.equal(false, hpus.report().attached(), "attached after detach");
  }

  private static void reset(Rig rig) {
    Hpus hpus = new Hpus(rig).attach();
    rig.device().resetContext(hpus.context());
    Check.equal(false, hpus.report().attached(), "attached after a reset of the context");
    hpus.attach();
    hpus.done(HandlerImage.NOTHING, "a task after a reset");
  }

  private static void inUse(Rig rig) {
    Hpus hpus = new Hpus(rig).attach();
    long packets = hpus.ids()[Hpus.PACKETS];
    Check.refused("free of attached memory", () -> rig.device().free(packets), Errno.EBUSY);
    hpus.done(HandlerImage.NOTHING, "a task after a refused free");
    hpus.detach();
    rig.device().free(packets);
  }

  private static void kept(Rig rig) {
    Hpus hpus = new Hpus(rig).attach();
    hpus.done(HandlerImage.COUNT, "a handler that counts");
    hpus.detach();
    hpus.attach();
    hpus.done(HandlerImage.COUNT, "a handler that counts");
    Check.equal(
        2,
        hpus.memory(Hpus.HANDLER).get(ValueLayout.JAVA_INT, 0),
        "the count in handler memory, after two attachments,");
  }

  private static void zeros(Rig rig) {
    Hpus hpus = new Hpus(rig);
    hpus.memory(Hpus.HOST_DATA).fill((byte) 7);
    hpus.attach();
    Check.equal(
        0L, hpus.memory(Hpus.HOST_DATA).get(ValueLayout.JAVA_LONG, 0), "host data at first");
    hpus.done(HandlerImage.NOTHING, "a task");
    hpus.detach();
    hpus.attach();
    Check.equal(0, SpinStructs.END.getInt(hpus.end(), "ended"), "the number of ended tasks");
  }

  private static void foreign(Rig rig) {
    Hpus hpus = new Hpus(rig);
    Hpus other = new Hpus(rig);
    long[] theirs = hpus.ids();
    theirs[Hpus.PACKETS] = other.ids()[Hpus.PACKETS];
    HpuLimits limits = hpus.units().caps().limits();
    Check.refused(
        "memory of another context",
        () -> hpus.units().attach(hpus.context(), hpus.program(), theirs, limits),
        Errno.EACCES);
    Check.refused(
        "a program of another context",
        () -> hpus.units().attach(hpus.context(), other.program(), hpus.ids(), limits),
        Errno.EACCES);
    Check.refused(
        "an unknown context",
        () -> hpus.units().attach(rig.newContextId(), hpus.program(), hpus.ids(), limits),
        Errno.ESTALE);
  }

  private static void wrongLimit(Rig rig) {
    Hpus hpus = new Hpus(rig);
    HpuLimits most = hpus.units().caps().limits();
    Check.needs(
        most.handlerMicros() < HpuLimits.MAX_HANDLER_MICROS, "the device has the highest limit");
    HpuLimits more =
        new HpuLimits(most.handlerMicros() + 1, most.hostWaitMillis(), 0, most.spinMicros());
    Hpus.explained(
        "a handler limit above the device's",
        "handler_limit_us",
        () -> hpus.units().attach(hpus.context(), hpus.program(), hpus.ids(), more));
  }

  private static void wrongProgram(Rig rig) {
    Hpus.units(rig);
    byte[] image = HandlerImage.bytes();
    image[18] = 3;
    long context = rig.context();
    Check.refused(
        "an image for another machine",
        () -> {
          var ignored =
              rig.programs().load(context, rig.newProgramId(), Programs.Kind.HANDLERS, image);
        },
        Errno.EINVAL);
  }
}
