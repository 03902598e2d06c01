package io.isle.core.accel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.DeviceQuery;
import io.isle.api.accel.Fence;
import io.isle.api.accel.FenceType;
import io.isle.api.accel.HostTimeline;
import io.isle.api.base.Errno;
import io.isle.api.base.Ids;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.Permission;
import io.isle.core.accel.fence.FenceOwner;
import io.isle.core.accel.fence.FenceSettings;
import io.isle.core.accel.managed.ManagedDeviceInternals;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who may wait for whose points, and that a point cannot be forged. */
@Timeout(60)
class FenceRightsTest {
  private final Fixture fixture = new Fixture();
  private final OwnedAttachment secondAttachment = new OwnedAttachment(fixture.core.attach("sim1"));
  private final ScriptedDevice second = new ScriptedDevice(secondAttachment.completions());
  private final Capability other =
      fixture.capabilities.grant("other", Set.of(Permission.values()), 0);
  private final Context own;
  private final Context onSecond;
  private final Context foreign;
  private final HostTimeline host = fixture.view.hostTimeline(fixture.all, "mine");

  FenceRightsTest() {
    fixture.device.completeAtOnce = true;
    second.completeAtOnce = true;
    var ignored = secondAttachment.rebuild(second, 1);
    secondAttachment.thaw();
    own = fixture.context();
    onSecond =
        fixture.view.find(DeviceQuery.id("sim1")).open(fixture.all, ContextSpec.named("far"));
    foreign = fixture.accelerator().open(other, ContextSpec.named("foreign"));
    assertEquals(0, own.await(own.submit(own.writer()), -1));
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void pointsByValueAreFoundByThoseWhoMay() {
    Context beside = fixture.context();
    assertEquals(1, beside.submit(beside.writer().after(Fence.local(own.timeline(), 1))));
    assertEquals(1, onSecond.submit(onSecond.writer().after(Fence.cross(own.timeline(), 1))));
    assertEquals(2, onSecond.submit(onSecond.writer().after(Fence.cpu(host, 1))));
    assertEquals(0, host.signal(1));
    assertEquals(0, onSecond.await(2, -1));
    assertEquals(0, beside.await(1, -1));
  }

  @Test
  void anotherTenantsPointsAreNotWaitedForUnlessShared() {
    refused(foreign, foreign.writer().after(own.timeline(), 1), Errno.EACCES, "timeline: ");
    refused(foreign, foreign.writer().after(host, 1), Errno.EACCES, "timeline: ");
    refused(
        foreign, foreign.writer().after(Fence.local(own.timeline(), 1)), Errno.EACCES, "timeline");
    own.timeline().share(fixture.all, "other");
    host.share(fixture.all, "other");
    host.share(fixture.all, "other");
    assertEquals(1, foreign.submit(foreign.writer().after(own.timeline(), 1).after(host, 1)));
    assertEquals(0, host.signal(1));
    assertEquals(0, foreign.await(1, -1));
  }

  @Test
  void whoMayWaitMayNotSignal() {
    host.share(fixture.all, "other");
    refused(foreign, foreign.writer().signal(host, 1), Errno.EACCES, "timeline: ");
    assertEquals(0, host.ended());
  }

  @Test
  void onlyTheOwnerShares() {
    for (var timeline : List.of(host, own.timeline())) {
      AccelException e = assertThrows(AccelException.class, () -> timeline.share(other, "other"));
      assertEquals(Errno.EACCES, e.code());
      assertEquals(
          Errno.EINVAL,
          assertThrows(AccelException.class, () -> timeline.share(fixture.all, " ")).code());
      for (int i = 0; i < FenceOwner.MAX_SHARED; i++) {
        timeline.share(fixture.all, "t" + i);
      }
      assertEquals(
          Errno.ENOSPC,
          assertThrows(AccelException.class, () -> timeline.share(fixture.all, "more")).code());
    }
    fixture.capabilities.revoke(fixture.all);
    assertThrows(RuntimeException.class, () -> host.share(fixture.all, "late"));
  }

  @Test
  void aPointCannotBeForged() {
    long id = own.timeline().id();
    Context beside = fixture.context();
    refused(
        beside, new Fence(FenceType.DEVICE_LOCAL, "sim1", id, 1), Errno.EINVAL, "device: 'sim1'");
    refused(beside, new Fence(FenceType.CROSS_DEVICE, "sim0", id, 1), Errno.EINVAL, "type: cross");
    refused(beside, new Fence(FenceType.CPU_SIGNAL, "", id, 1), Errno.EINVAL, "type: cpu_signal");
    refused(beside, new Fence(FenceType.DEVICE_LOCAL, "", host.id(), 1), Errno.EINVAL, "type: ");
    refused(beside, new Fence(FenceType.CPU_SIGNAL, "sim0", host.id(), 1), Errno.EINVAL, "device");
    refused(beside, new Fence(FenceType.DEVICE_LOCAL, "sim0", id, 2), Errno.EINVAL, "point: 2");
    refused(
        beside, new Fence(FenceType.DEVICE_LOCAL, "sim0", own.id(), 1), Errno.EINVAL, "fence: ");
    refused(beside, new Fence(null, "sim0", id, 1), Errno.EINVAL, "fence: ");
    refused(beside, new Fence(FenceType.DEVICE_LOCAL, null, id, 1), Errno.EINVAL, "fence: ");
    refused(beside, (Fence) null, Errno.EINVAL, "fence: ");
    long older = Ids.of(Ids.TIMELINE, Ids.generation(id) + 1, Ids.index(id));
    refused(
        beside, new Fence(FenceType.DEVICE_LOCAL, "sim0", older, 1), Errno.ESTALE, "timeline: ");
    long beyond = Ids.of(Ids.TIMELINE, 1, Integer.MAX_VALUE);
    refused(beside, new Fence(FenceType.DEVICE_LOCAL, "sim0", beyond, 1), Errno.EINVAL, "fence: ");
    refused(beside, new Fence(FenceType.DEVICE_LOCAL, "sim0", -1, 1), Errno.EINVAL, "fence: ");
    refused(beside, new Fence(FenceType.DEVICE_LOCAL, "sim0", 0, 1), Errno.EINVAL, "fence: ");
  }

  @Test
  void whatIsGoneIsStale() {
    Fence ofContext = Fence.local(own.timeline(), 1);
    Fence ofTenant = Fence.cpu(host, 1);
    own.close();
    host.close();
    Context beside = fixture.context();
    refused(beside, ofContext, Errno.ESTALE, "timeline: ");
    refused(beside, ofTenant, Errno.ESTALE, "timeline: ");
  }

  @Test
  void devicesOfDifferentDomainsDoNotWaitForEachOther() {
    fixture.core.fences().configure(new FenceSettings(Map.of("sim1", 3), 10_000));
    refused(
        onSecond,
        onSecond.writer().after(own.timeline(), 1),
        Errno.EXDEV,
        "timeline: sim0 is in fence domain 0, sim1 in 3");
    assertEquals(
        0, ManagedDeviceInternals.fence(fixture.core.device("sim0").orElseThrow()).domain());
    assertEquals(
        3, ManagedDeviceInternals.fence(fixture.core.device("sim1").orElseThrow()).domain());
    // a tenant's timeline connects them
    assertTrue(own.submit(own.writer().signal(host, 1)) > 0);
    long far = onSecond.submit(onSecond.writer().after(host, 1));
    assertEquals(0, onSecond.await(far, -1));
    fixture.core.fences().configure(FenceSettings.DEFAULT);
    assertTrue(onSecond.submit(onSecond.writer().after(own.timeline(), 1)) > 0);
  }

  private static void refused(Context context, Fence fence, int code, String why) {
    refused(context, context.writer().after(fence), code, why);
  }

  private static void refused(Context context, CommandWriter writer, int code, String why) {
    assertEquals(-code, context.submit(writer));
    assertTrue(writer.mistake().startsWith(Errno.name(code) + ": " + why), () -> writer.mistake());
  }
}
