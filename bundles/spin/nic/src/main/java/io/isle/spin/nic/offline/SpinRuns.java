package io.isle.spin.nic.offline;

import io.isle.api.accel.Accelerator;
import io.isle.api.accel.Accelerators;
import io.isle.api.accel.DeviceQuery;
import io.isle.api.accel.ProgramKind;
import io.isle.api.base.IsleException;
import io.isle.api.driver.DeviceSessions;
import io.isle.api.spin.HandlerImage;
import io.isle.api.spin.HandlerRuns;
import io.isle.api.spin.HandlerSource;
import io.isle.api.spin.MemoryRegion;
import io.isle.api.spin.Ruleset;
import io.isle.api.spin.RulesetPreset;
import io.isle.api.spin.RunObserver;
import io.isle.api.spin.RunPackets;
import io.isle.api.spin.RunResult;
import io.isle.api.spin.RunSpec;
import io.isle.api.tenancy.Capability;
import io.isle.spin.nic.core.HandlerKind;
import io.isle.spin.nic.hpus.AttachedHandlers;
import io.isle.spin.nic.hpus.HandlersPlan;
import io.isle.spin.nic.hpus.TaskBounds;
import io.isle.spin.nic.plan.ContextPlan;
import io.isle.spin.nic.plan.NicLimits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Function;

/** Runs on the HPUs of a device. Thread-safe. */
public final class SpinRuns implements HandlerRuns {
  private static final NicLimits LIMITS = NicLimits.FPSPIN;

  private final Accelerators accelerators;
  private final DeviceSessions sessions;
  private final Function<String, HandlerImage> images;

  /**
   * @param images finds the handlers of bundles
   */
  public SpinRuns(
      Accelerators accelerators, DeviceSessions sessions, Function<String, HandlerImage> images) {
    this.accelerators = accelerators;
    this.sessions = sessions;
    this.images = images;
  }

  @Override
  public RunResult run(
      Capability capability, RunSpec spec, RunPackets packets, RunObserver observer)
      throws IOException, InterruptedException {
    HandlerImage image = image(spec.context().handlers());
    Ruleset rules = spec.context().rules().or(image::rules).orElseGet(RulesetPreset.MATCH::ruleset);
    Accelerator device =
        accelerators.find(
            spec.device().map(DeviceQuery::id).orElse(DeviceQuery.taking(ProgramKind.HANDLERS)));
    HandlersPlan plan = new HandlersPlan(image, LIMITS, spec.context());
    try (AttachedHandlers handlers = AttachedHandlers.open(device, sessions, capability, plan)) {
      RunReport report = new RunReport(image, observer);
      OfflineRun run =
          new OfflineRun(
              LIMITS,
              plan(capability.group(), rules, handlers.handlers()),
              new RingsRunner(
                  handlers.rings(),
                  () -> attached(handlers),
                  LIMITS,
                  spec.context().hostReply(),
                  TaskBounds.of(handlers.limits()),
                  observer::text),
              report);
      run(run, packets);
      for (MemoryRegion region : MemoryRegion.values()) {
        observer.memory(region, handlers.region(region).asReadOnly());
      }
      return report.result(rules, run, handlers);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static boolean attached(AttachedHandlers handlers) {
    try {
      return handlers.report().attached();
    } catch (IsleException e) {
      // its process has ended
      return false;
    }
  }

  private HandlerImage image(HandlerSource source) {
    return switch (source) {
      case HandlerImage image -> image;
      case HandlerSource.Installed installed -> images.apply(installed.name());
    };
  }

  private static ContextPlan plan(String group, Ruleset rules, int handlers) {
    return new ContextPlan(
        group,
        rules,
        has(handlers, HandlerKind.HEADER),
        has(handlers, HandlerKind.PACKET),
        has(handlers, HandlerKind.TAIL));
  }

  private static boolean has(int handlers, HandlerKind kind) {
    return (handlers >>> kind.ordinal() & 1) != 0;
  }

  private static void run(OfflineRun run, RunPackets packets)
      throws IOException, InterruptedException {
    while (!run.refused() && packets.next()) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      run.packet(packets.memory(), 0, packets.length());
    }
    if (!run.refused()) {
      run.end();
    }
  }
}
