package io.isle.core.accel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.AccelAdmin.FenceDeviceInfo;
import io.isle.api.accel.AccelAdmin.FenceInfo;
import io.isle.api.accel.AccelException;
import io.isle.api.accel.Context;
import io.isle.api.accel.HostTimeline;
import io.isle.api.base.Ids;
import io.isle.api.base.MonotonicClock;
import io.isle.api.observe.AuditTrail;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.Permission;
import io.isle.core.accel.fence.FenceSettings;
import io.isle.core.accel.settings.AccelLimits;
import io.isle.core.accel.timeline.HostTimelineHandle;
import io.isle.core.testing.FakeCapabilities;
import io.isle.lib.agent.ThreadedAgentHost;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FenceReportTest {
  @Test
  void timelinesAndDevicesAreShown() throws InterruptedException {
    try (Fixture fixture = new Fixture()) {
      fixture.core.fences().configure(new FenceSettings(Map.of("sim0", 7), 10_000));
      AdminView admin = new AdminView(fixture.core);
      Context context = fixture.context();
      HostTimeline host = fixture.view.hostTimeline(fixture.all, "input");
      host.share(fixture.all, "other");
      host.deadline(9, 3_000_000_000_000L);
      assertEquals(0, host.signal(4));
      assertTrue(context.submit(context.writer()) > 0);
      var ignored = fixture.device.awaitRunning(1);
      assertTrue(context.submit(context.writer().after(host, 5)) > 0);
      long foreign = context.submit(context.writer().after(host, -1));
      assertTrue(foreign < 0);
      List<FenceInfo> shown = admin.fences();
      assertEquals(2, shown.size());
      FenceInfo first = shown.get(0);
      assertEquals(Ids.text(context.timeline().id()), first.id());
      assertFalse(first.host());
      assertEquals(Optional.of("sim0"), first.owner());
      assertEquals(0, first.ended());
      assertEquals(2, first.submitted());
      assertEquals("open", first.state());
      FenceInfo second = shown.get(1);
      assertTrue(second.host());
      assertEquals(4, second.ended());
      assertEquals(List.of("other"), second.sharedWith());
      long left = second.deadlineNs().orElseThrow();
      assertTrue(left > 0 && left <= 3_000_000_000_000L);
      FenceDeviceInfo device = admin.fenceDevices().getFirst();
      while (device.waiting() == 0) {
        Thread.onSpinWait();
        device = admin.fenceDevices().getFirst();
      }
      assertEquals(
          new FenceDeviceInfo("sim0", 7, "core", true, false, false, 0, 1, 0, 0, 1), device);
      host.close();
      assertEquals(1, admin.fences().size());
    }
  }

  @Test
  void whatATimelineIsOverWithIsShown() {
    try (Fixture fixture = new Fixture()) {
      HostTimeline host = fixture.view.hostTimeline(fixture.all, "late");
      host.deadline(1, 1);
      assertEquals("ETIMEDOUT", new AdminView(fixture.core).fences().getFirst().state());
    }
  }

  /** Who looks does not end what goes on by another clock. */
  @Test
  void deadlinesAreOfTheCoresClock() {
    FakeCapabilities capabilities = new FakeCapabilities();
    AuditTrail audit = new AuditTrail(() -> null, AccelException::new);
    long start = System.nanoTime() - 1_000_000_000_000L;
    try (ThreadedAgentHost agents = new ThreadedAgentHost(1, MonotonicClock.SYSTEM);
        AccelCore core =
            new AccelCore(AccelLimits.DEFAULT, agents, capabilities, () -> start, audit)) {
      Capability all = capabilities.grant("test", Set.of(Permission.values()), 0);
      HostTimelineHandle host = core.hostTimelines().open(all, "slow");
      host.deadline(1, 5);
      FenceInfo shown = new AdminView(core).fences().getFirst();
      assertEquals("open", shown.state());
      assertEquals(5, shown.deadlineNs().orElseThrow());
    }
  }
}
