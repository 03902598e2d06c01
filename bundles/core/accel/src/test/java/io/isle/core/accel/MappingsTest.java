package io.isle.core.accel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.Buffer;
import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.DeviceQuery;
import io.isle.api.base.Errno;
import io.isle.api.base.MonotonicClock;
import io.isle.core.accel.context.CoreServices;
import io.isle.core.accel.estimate.SubmissionTime;
import io.isle.core.accel.ids.CoreIds;
import io.isle.core.accel.managed.DeviceAttachment;
import io.isle.core.accel.managed.DeviceEngine;
import io.isle.core.accel.managed.ManagedDevice;
import io.isle.core.accel.settings.AccelLimits;
import io.isle.core.testing.Until;
import io.isle.lib.agent.AgentHost;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is mapped for a device goes with it, and not when something is collected. */
@Timeout(60)
class MappingsTest {
  private static final int DEVICES = 100;

  private final Fixture fixture = new Fixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  /** A device that was attached, with a context on it. */
  private record Attached(OwnedAttachment attachment, RoomyDevice device, Context context) {}

  private Attached attached(String id) {
    OwnedAttachment attachment = new OwnedAttachment(fixture.core.attach(id));
    RoomyDevice device = new RoomyDevice(attachment.completions(), 1L << 40);
    var ignored = attachment.rebuild(device, 1);
    attachment.thaw();
    Context context =
        fixture.view.find(DeviceQuery.id(id)).open(fixture.all, ContextSpec.named("mapped"));
    return new Attached(attachment, device, context);
  }

  @Test
  void aHundredDevicesThatHaveGoneLeaveNoMappings() {
    long commands = Mappings.count("isle-commands");
    long agents = Mappings.count("isle-agent");
    long size = Mappings.size();
    for (int i = 0; i < DEVICES; i++) {
      Attached one = attached("roomy" + i);
      Buffer retained = one.context.allocate(64L << 20, Buffer.RETAINED);
      assertEquals(1, one.context.submit(one.context.writer()));
      assertTrue(retained.size() > 0 && one.context.writer() != null);
      assertEquals(commands + 1, Mappings.count("isle-commands"));
      assertEquals(agents + 1, Mappings.count("isle-agent"));
      one.attachment.close();
      one.device.close();
    }
    assertEquals(commands, Mappings.count("isle-commands"));
    assertEquals(agents, Mappings.count("isle-agent"));
    long more = Mappings.size() - size;
    assertTrue(more < 2L << 30, "bytes more: " + more);
  }

  @Test
  void aPlaceWhoseAgentCannotStartLeavesNone() {
    long before = Mappings.count("isle-");
    AgentHost none = null;
    assertThrows(
        NullPointerException.class,
        () ->
            new ManagedDevice(
                "roomy0",
                new CoreServices(
                    fixture.capabilities,
                    CoreIds.create(),
                    fixture.core.audit(),
                    fixture.core.fences(),
                    new SubmissionTime(),
                    MonotonicClock.SYSTEM),
                fixture.core.members(),
                new DeviceEngine.Workers(none, Runnable::run),
                () -> AccelLimits.DEFAULT,
                new DeviceAttachment.Ending(() -> {}, () -> {})));
    assertEquals(before, Mappings.count("isle-"));
  }

  @Test
  void aTenantThatWritesWhenItsDeviceGoesIsToldSo() {
    Attached one = attached("roomy0");
    CommandWriter writer = one.context.writer();
    CommandWriter ignored = writer.vendor(MemorySegment.ofArray(new byte[64]));
    one.attachment.close();
    ignored = writer.vendor(MemorySegment.ofArray(new byte[64])).fill(0, 0, 8, 1);
    assertEquals(-Errno.ENODEV, one.context.submit(writer));
    assertEquals("", writer.mistake());
    assertNull(one.context.writer());
    one.device.close();
  }

  @Test
  void tenantsThatSubmitMeanwhileGetCodesOnly() throws Exception {
    for (int i = 0; i < DEVICES; i++) {
      Attached one = attached("roomy" + i);
      AtomicReference<Throwable> thrown = new AtomicReference<>();
      AtomicReference<Long> last = new AtomicReference<>();
      CountDownLatch submitted = new CountDownLatch(1);
      Thread tenant =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      long result;
                      do {
                        CommandWriter writer = one.context.writer();
                        result = one.context.submit(writer);
                        submitted.countDown();
                      } while (result > 0 || result == -Errno.EAGAIN || result == -Errno.EINTR);
                      last.set(result);
                    } catch (Throwable e) {
                      thrown.set(e);
                    }
                  });
      submitted.await();
      one.attachment.close();
      tenant.join();
      assertNull(thrown.get());
      assertEquals(-Errno.ENODEV, last.get());
      one.device.close();
    }
  }

  /** An agent that is stuck in its driver may look at the memory when it comes back. */
  @Test
  void whatAStuckAgentUsesStaysUntilItHasEnded() throws Exception {
    long before = Mappings.count("isle-");
    Fixture stuck = new Fixture(new AccelLimits(2, 100, 250, 10_000, 10));
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    stuck.device.inSubmit =
        () -> {
          inside.countDown();
          LifeCycleTest.awaitQuietly(release);
        };
    Context context = stuck.context();
    assertEquals(1, context.submit(context.writer()));
    inside.await();
    stuck.core.close();
    assertEquals(before + 2, Mappings.count("isle-"));
    release.countDown();
    assertTrue(Until.holds(() -> Mappings.count("isle-") == before));
  }
}
