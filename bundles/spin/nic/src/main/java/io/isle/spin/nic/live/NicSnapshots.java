package io.isle.spin.nic.live;

import io.isle.api.spin.HpuInfo;
import io.isle.api.spin.NicInfo;
import io.isle.api.spin.QueueInfo;
import io.isle.api.spin.Rulesets;
import io.isle.spin.nic.core.NicTask;
import io.isle.spin.nic.engine.NicAgent;
import io.isle.spin.nic.engine.NicEngine;
import io.isle.spin.nic.plan.NicLimits;
import io.isle.spin.nic.settings.NicSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What an interface does at the moment. */
final class NicSnapshots {
  private static final String UP = "up";
  private static final String DOWN = "down";

  private NicSnapshots() {}

  static NicInfo info(LiveNic nic, NicAgent agent, PortKeeper port, PortKeeper host) {
    String ended = agent.failure();
    if (!ended.isEmpty()) {
      return down(nic, ended);
    }
    String error = port.failure().isEmpty() ? host.failure() : port.failure();
    return agent.call(
        engine ->
            new NicInfo(
                nic.name(),
                nic.settings().device(),
                nic.settings().port(),
                nic.settings().host(),
                !error.isEmpty() ? DOWN : port.isOver() ? "ended" : UP,
                error,
                nic.contexts().size(),
                engine.limits().clusters(),
                engine.limits().hpus(),
                nic.settings().parallel(),
                engine.core().running(),
                engine.port().received(),
                engine.port().dropped() + engine.host().dropped(),
                engine.core().unmatched(),
                engine.port().sent(),
                engine.port().unsent()));
  }

  /** Of an interface whose agent has ended: nothing is known of it any more. */
  private static NicInfo down(LiveNic nic, String error) {
    NicSettings settings = nic.settings();
    return new NicInfo(
        nic.name(),
        settings.device(),
        settings.port(),
        settings.host(),
        DOWN,
        error,
        nic.contexts().size(),
        NicLimits.FPSPIN.clusters(),
        NicLimits.FPSPIN.hpus(),
        settings.parallel(),
        0,
        0,
        0,
        0,
        0,
        0);
  }

  static List<HpuInfo> hpus(String nic, NicEngine engine) {
    NicLimits limits = engine.limits();
    List<HpuInfo> all = new ArrayList<>();
    for (int hpu = 0; hpu < limits.clusters() * limits.hpus(); hpu++) {
      all.add(new HpuInfo(nic, hpu, hpu / limits.hpus(), "idle", "", "", -1, 0, 0));
    }
    long now = engine.tick();
    engine.core().view().tasks(task -> all.set(task.hpu(), busy(nic, engine, task, now)));
    return all;
  }

  private static HpuInfo busy(String nic, NicEngine engine, NicTask task, long now) {
    return new HpuInfo(
        nic,
        task.hpu(),
        task.hpu() / engine.limits().hpus(),
        task.waitsForHost() ? "waiting" : "running",
        engine.contextName(task.context()),
        task.handler().name().toLowerCase(Locale.ROOT),
        task.queue(),
        Integer.toUnsignedLong(task.message()),
        now - task.startNs());
  }

  static List<QueueInfo> queues(String nic, NicEngine engine) {
    List<QueueInfo> all = new ArrayList<>();
    long now = engine.tick();
    for (int slot = 0; slot < Rulesets.SLOTS; slot++) {
      if (!engine.isFree(slot)) {
        String context = engine.contextName(slot);
        engine
            .core()
            .view()
            .queues(
                slot,
                queue ->
                    all.add(
                        new QueueInfo(
                            nic,
                            context,
                            queue.queue(),
                            queue.state(),
                            Integer.toUnsignedLong(queue.message()),
                            queue.waiting(),
                            queue.running(),
                            queue.lastPacketNs() == 0 ? 0 : now - queue.lastPacketNs())));
      }
    }
    return all;
  }
}
