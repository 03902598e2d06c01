package io.isle.benchmarks.spin;

import io.isle.api.accel.Accelerators;
import io.isle.api.accel.DeviceQuery;
import io.isle.api.base.ConfigFiles;
import io.isle.api.driver.DeviceSessions;
import io.isle.api.spin.ContextSpec;
import io.isle.api.spin.HandlerImage;
import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.CapabilitySpec;
import io.isle.api.tenancy.Permission;
import io.isle.benchmarks.Cases;
import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import io.isle.benchmarks.embedded.EmbeddedPlatform;
import io.isle.lib.ffi.ThreadAffinity;
import io.isle.lib.kabi.SpinStructs;
import io.isle.spin.nic.core.HandlerKind;
import io.isle.spin.nic.hpus.AttachedHandlers;
import io.isle.spin.nic.hpus.HandlersPlan;
import io.isle.spin.nic.hpus.HpuListener;
import io.isle.spin.nic.hpus.SpinRings;
import io.isle.spin.nic.hpus.TaskEnding;
import io.isle.spin.nic.plan.NicLimits;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * A task of 64 bytes from its posting to its seen end, in another process, with a handler that does
 * nothing, against a cache line there and back. All spin.
 */
final class DispatchCase implements Cases {
  private static final String ROW = "dispatch";
  private static final String DEVICE = "spin0";
  private static final int PACKET = 64;
  private static final int TASKS = 200_000;
  private static final int SMOKE_TASKS = 100;
  private static final int WARM_UPS = 5;
  private static final long PATIENCE_NS = 10_000_000_000L;
  private static final double GOAL = 0.2;

  private final Settings settings;
  private final Handlers handlers;

  DispatchCase(Settings settings) {
    this.settings = settings;
    handlers = new Handlers(settings);
  }

  @Override
  public List<String> rows() {
    return List.of(ROW);
  }

  @Override
  public void checkPeers() throws IOException, InterruptedException {
    handlers.check();
  }

  @Override
  public List<Row> run() throws Exception {
    HandlerImage empty = handlers.ofText("empty", Handlers.EMPTY);
    try (EmbeddedPlatform platform = EmbeddedPlatform.ofHandlers(settings)) {
      platform
          .service(ConfigFiles.class)
          .set("io.isle.device-" + DEVICE, Map.of("driver", "spin", "hpu_spin_us", "1000000"));
      platform.settle();
      try (AttachedHandlers attached = attach(platform, empty);
          PeerProgram peer = new PeerProgram(settings, "0,1", "line")) {
        HpuProcesses.pin();
        return measure(attached.rings(), peer);
      }
    }
  }

  private static AttachedHandlers attach(EmbeddedPlatform platform, HandlerImage image) {
    Capability capability =
        platform
            .service(Capabilities.class)
            .issue(
                new CapabilitySpec("bench", EnumSet.allOf(Permission.class), Optional.empty(), 0));
    ContextSpec spec = ContextSpec.of("bench", image);
    return AttachedHandlers.open(
        platform.service(Accelerators.class).find(DeviceQuery.id(DEVICE)),
        platform.service(DeviceSessions.class),
        capability,
        new HandlersPlan(image, NicLimits.FPSPIN, spec));
  }

  private List<Row> measure(SpinRings rings, PeerProgram peer) throws Exception {
    int tasks = settings.size(TASKS, SMOKE_TASKS);
    double[] ours = new double[settings.size(SpinBench.PAIRS, 1)];
    double[] theirs = new double[ours.length];
    for (int i = 0; i < settings.size(WARM_UPS, 1); i++) {
      double ignored = onProcessor(rings, tasks);
    }
    for (int i = 0; i < ours.length; i++) {
      ours[i] = onProcessor(rings, tasks);
      theirs[i] = peer.nanos(tasks);
    }
    return List.of(
        Row.against(
            SpinBench.NAME,
            ROW,
            "ns",
            "lower",
            ours,
            theirs,
            "a cache line there and back between two processes in C (bench-spin line)",
            GOAL));
  }

  /** On a thread that stays on a processor, and leaves the other one to the HPU. */
  private static double onProcessor(SpinRings rings, int tasks)
      throws InterruptedException, ExecutionException {
    FutureTask<Double> work =
        new FutureTask<>(
            () -> {
              int code = ThreadAffinity.pin(Set.of(1));
              if (code != 0) {
                throw new IllegalStateException("a thread cannot be kept on processor 1: " + code);
              }
              return new Trips(rings).nanos(tasks);
            });
    Thread.ofPlatform().start(work).join();
    return work.get();
  }

  /** Posts tasks to one HPU and awaits each. */
  private static final class Trips implements HpuListener {
    private final SpinRings rings;
    private int ended;

    Trips(SpinRings rings) {
      this.rings = rings;
    }

    double nanos(int tasks) {
      MemorySegment packet = Arena.ofAuto().allocate(PACKET);
      rings.store(0, packet, 0, PACKET);
      // wakes the HPU, which then spins
      trip();
      long start = System.nanoTime();
      for (int i = 0; i < tasks; i++) {
        trip();
      }
      return (System.nanoTime() - start) / (double) tasks;
    }

    private void trip() {
      int before = ended;
      int code = rings.post(0, HandlerKind.PACKET, 0, 0, 0, PACKET);
      if (code != 0) {
        throw new IllegalStateException("a task was refused with " + code);
      }
      long begin = 0;
      for (int polls = 1; ended == before; polls++) {
        if (rings.poll(this) < 0) {
          throw new IllegalStateException("the process of the HPUs breaks the rules");
        }
        if ((polls & 0xFFFFF) == 0) {
          begin = begin == 0 ? System.nanoTime() : begin;
          if (System.nanoTime() - begin > PATIENCE_NS) {
            throw new IllegalStateException("a task does not end");
          }
        }
        Thread.onSpinWait();
      }
    }

    @Override
    public void ended(int hpu, TaskEnding end) {
      if (end.result() != SpinStructs.RESULT_DONE) {
        throw new IllegalStateException("a task ended with " + end.result());
      }
      ended++;
    }

    @Override
    public boolean sent(int hpu, MemorySegment memory, long offset, int length) {
      throw new IllegalStateException("the handler sends nothing");
    }

    @Override
    public void waits(int hpu, boolean waits) {
      throw new IllegalStateException("the handler waits for nothing");
    }

    @Override
    public void requested(int hpu, int length) {
      throw new IllegalStateException("the handler asks nothing");
    }
  }
}
