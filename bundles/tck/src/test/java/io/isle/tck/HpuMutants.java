package io.isle.tck;

import io.isle.api.base.Errno;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.HpuCaps;
import io.isle.api.driver.HpuLimits;
import io.isle.api.driver.HpuReport;
import io.isle.lib.kabi.SpinStructs;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Mutants of {@link HpuCases}; they break the driver of handlers. */
final class HpuMutants {
  private static final String ATTACH = "HandlerUnits.attach";
  private static final String DETACH = "HandlerUnits.detach";
  private static final String REPORT = "HandlerUnits.report";
  private static final int MEMORIES = 2;
  private static final int LIMITS = 3;

  private HpuMutants() {}

  static void add(Mutants to) {
    to.add("hpu/caps", HpuMutants::others);
    to.add("hpu/frame", HpuMutants::spoilsFrames);
    to.<HpuReport>result(
        "hpu/report", REPORT, report -> changed(report, report.trap().map(HpuMutants::elsewhere)));
    limits(to, "hpu/trap-costs-its-task", 0, 3);
    limits(to, "hpu/trap-limit", 2, 0);
    to.<HpuReport>result(
        "hpu/time-limit", REPORT, report -> changed(report, report.trap().map(HpuMutants::exit)));
    to.<HpuReport>result(
        "hpu/wrong-task",
        REPORT,
        report ->
            new HpuReport(
                report.attached(),
                report.handlers(),
                report.stopped(),
                report.trap(),
                report.tasks(),
                report.traps(),
                0));
    to.code("hpu/attach-twice", ATTACH, args -> true, Errno.EBUSY, Errno.EEXIST);
    to.swallow("hpu/detach", DETACH, Errno.ENOENT);
    to.add("hpu/reset-detaches", HpuMutants::forgetsResets);
    to.swallow("hpu/memory-in-use", "AccelDevice.free", Errno.EBUSY);
    to.on("hpu/memory-kept", ATTACH, HpuMutants::clears);
    to.on(
        "hpu/rings-are-zeros",
        ATTACH,
        (what, args, real, world) -> {
          Object result = real.call(args);
          memory(args, world, Hpus.HOST_DATA).set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
          return result;
        });
    to.swallow("hpu/foreign-objects", ATTACH, Errno.EACCES);
    to.on(
        "hpu/wrong-limit-is-explained",
        ATTACH,
        (what, args, real, world) -> {
          try {
            return real.call(args);
          } catch (DriverException e) {
            throw new DriverException(e.code(), "refused");
          }
        });
    to.swallow("hpu/wrong-program", "Programs.load", Errno.EINVAL);
  }

  private static MemorySegment memory(Object[] args, World world, int which) {
    return world.memory.get(((long[]) args[MEMORIES])[which]).cpu();
  }

  /** It says something else each time. */
  private static Hook others() {
    AtomicInteger calls = new AtomicInteger();
    return (what, args, real, world) -> {
      Object result = real.call(args);
      if (!what.equals("HandlerUnits.caps")) {
        return result;
      }
      HpuCaps caps = (HpuCaps) result;
      return new HpuCaps(
          caps.version(),
          caps.clusters(),
          caps.cores(),
          caps.queues(),
          caps.programBytes() + calls.incrementAndGet(),
          caps.frameBytes(),
          caps.megahertz(),
          caps.limits());
    };
  }

  private static Hook spoilsFrames() {
    AtomicReference<MemorySegment> rings = new AtomicReference<>();
    return (what, args, real, world) -> {
      if (what.equals(ATTACH)) {
        rings.set(memory(args, world, Hpus.RINGS));
      }
      if (what.equals(REPORT)) {
        long hpu = SpinStructs.RINGS.offset("hpus") + Hpus.HPU * SpinStructs.HPU.size();
        long frame = SpinStructs.HPU.offset("sends") + SpinStructs.SENT_FRAME.offset("bytes");
        rings.get().set(ValueLayout.JAVA_BYTE, hpu + frame + Hpus.FRAME - 1, (byte) 0x5a);
      }
      return real.call(args);
    };
  }

  private static HpuReport changed(HpuReport report, Optional<HpuReport.Trap> trap) {
    return new HpuReport(
        report.attached(),
        report.handlers(),
        report.stopped(),
        trap,
        report.tasks(),
        report.traps(),
        report.refused());
  }

  private static HpuReport.Trap elsewhere(HpuReport.Trap trap) {
    return new HpuReport.Trap(
        trap.cause(), trap.handler(), trap.hpu(), trap.instruction(), trap.address() + 1);
  }

  private static HpuReport.Trap exit(HpuReport.Trap trap) {
    return trap.cause() == SpinStructs.CAUSE_ACCESS
        ? trap
        : new HpuReport.Trap(
            SpinStructs.CAUSE_EXIT, trap.handler(), trap.hpu(), trap.instruction(), trap.address());
  }

  /** One limit of traps is taken for another. */
  private static void limits(Mutants to, String name, int from, int given) {
    to.arguments(
        name,
        ATTACH,
        (args, world) -> {
          HpuLimits limits = (HpuLimits) args[LIMITS];
          if (limits.traps() == from) {
            args[LIMITS] =
                new HpuLimits(
                    limits.handlerMicros(), limits.hostWaitMillis(), given, limits.spinMicros());
          }
        });
  }

  private static Hook forgetsResets() {
    AtomicBoolean reset = new AtomicBoolean();
    return (what, args, real, world) -> {
      Object result = real.call(args);
      if (what.equals("AccelDevice.resetContext")) {
        reset.set(true);
      }
      if (what.equals(REPORT) && reset.get()) {
        HpuReport said = (HpuReport) result;
        return new HpuReport(true, said.handlers(), false, said.trap(), 0, 0, 0);
      }
      return result;
    };
  }

  private static Object clears(String what, Object[] args, Hook.Real real, World world)
      throws Throwable {
    memory(args, world, Hpus.HANDLER).fill((byte) 0);
    return real.call(args);
  }
}
