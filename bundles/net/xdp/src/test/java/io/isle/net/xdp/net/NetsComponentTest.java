package io.isle.net.xdp.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.net.AppInfo;
import io.isle.api.net.FramePort;
import io.isle.api.net.NetException;
import io.isle.api.net.NetState;
import io.isle.api.observe.AuditEvent;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.Permission;
import io.isle.api.tenancy.TenancyException;
import io.isle.core.testing.FakeCapabilities;
import io.isle.core.testing.RecordedAudit;
import java.io.IOException;
import java.net.DatagramSocket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which tenant may do what with a net, and what the audit log has of it. */
@Timeout(120)
class NetsComponentTest extends NetFixture {
  private static final int DEPTH = 128;

  private final List<AuditEvent> events = new CopyOnWriteArrayList<>();
  private final FakeCapabilities capabilities = new FakeCapabilities();
  private NetsComponent nets;

  @BeforeEach
  void net() {
    RecordedAudit audit = new RecordedAudit(events::add);
    nets = new NetsComponent(core, capabilities, () -> audit);
    core.create("n", settings());
    running();
  }

  private FramePort attach(Capability by) {
    return nets.attach(by, "n", List.of(PORT), DEPTH);
  }

  private void denied(Permission needed, Permission held, Function<Capability, FramePort> work) {
    Capability other = capabilities.grant("t", held);
    TenancyException denied = assertThrows(TenancyException.class, () -> work.apply(other));
    assertEquals(Errno.EACCES, denied.code());
    assertTrue(denied.getMessage().contains(needed.text()), denied.getMessage());
    AuditEvent last = events.getLast();
    assertEquals("n " + Errno.EACCES, last.object() + " " + last.code());
    assertEquals("tenant:t", last.actor());
    assertEquals(other.id(), last.capability());
    assertTrue(last.detail().contains(needed.text()), last.detail());
    assertEquals(List.of(), core.apps());
  }

  @Test
  void eachCallNeedsItsPermission() {
    denied(Permission.NET_ATTACH, Permission.NET_CAPTURE, this::attach);
    assertEquals("net.attach", events.getLast().action());
    denied(Permission.NET_CAPTURE, Permission.NET_ATTACH, by -> nets.capture(by, "n"));
    assertEquals("net.capture", events.getLast().action());
    Capability gone = capabilities.grant("t", Permission.NET_ATTACH);
    capabilities.revoke(gone);
    TenancyException revoked = assertThrows(TenancyException.class, () -> attach(gone));
    assertEquals(Errno.EREVOKED, revoked.code());
  }

  @Test
  void aTenantTakesItsFramesAndACaptureSeesThem() throws IOException {
    FramePort port = attach(capabilities.grant("t", Permission.NET_ATTACH));
    assertEquals("net.attach n 0", text(events.getLast()));
    FramePort tap = nets.capture(capabilities.grant("u", Permission.NET_CAPTURE), "n");
    assertEquals("net.capture n 0", text(events.getLast()));
    assertEquals(
        List.of("tenant:t [9000]", "tenant:u []"),
        core.apps().stream().map(one -> one.name() + " " + one.ports()).toList());
    try (DatagramSocket client = client()) {
      for (int i = 0; i < 3; i++) {
        client.send(packet(i, PORT));
      }
    }
    int[] frames = {0, 0};
    until(
        () -> {
          frames[0] += port.poll((memory, offset, length, signature) -> {}, 10);
          frames[1] += tap.poll((memory, offset, length, signature) -> {}, 10);
          return frames[0] == 3 && frames[1] == 3;
        });
    AppInfo told = app("tenant:t");
    assertEquals(3, told.received());
    assertEquals("tenant", told.kind());
    port.close();
    tap.close();
    until(() -> core.apps().isEmpty());
    assertEquals(-Errno.ECLOSED, port.poll((memory, offset, length, signature) -> {}, 1));
    assertEquals(List.of(), core.find("n").orElseThrow().ports());
  }

  private static String text(AuditEvent event) {
    return event.action() + " " + event.object() + " " + event.code();
  }

  @Test
  void portsEndWithTheirCapabilityTheirNetAndTheirBundle() {
    Capability by = capabilities.grant("t", Permission.NET_ATTACH);
    FramePort first = attach(by);
    capabilities.revoke(by);
    core.revoked(List.of(by));
    assertEquals(-Errno.ECLOSED, first.claim(60));
    until(() -> core.apps().isEmpty());
    FramePort second = attach(capabilities.grant("t", Permission.NET_ATTACH));
    assertTrue(second.claim(60) >= 0);
    assertTrue(core.remove("n"));
    assertEquals(-Errno.ECLOSED, second.claim(60));
    assertEquals(List.of(), core.apps());
    core.create("n", settings());
    until(() -> core.find("n").orElseThrow().state() == NetState.RUNNING);
    FramePort third = attach(capabilities.grant("t", Permission.NET_ATTACH));
    nets.deactivate();
    assertEquals(-Errno.ECLOSED, third.flush());
    until(() -> core.apps().isEmpty());
    NetException late =
        assertThrows(
            NetException.class, () -> attach(capabilities.grant("t", Permission.NET_ATTACH)));
    assertEquals(Errno.ECLOSED, late.code());
    until(() -> core.apps().isEmpty());
  }

  @Test
  void wrongPortsAndUnknownNetsAreRefusedAndRecorded() {
    Capability by = capabilities.grant("t", Permission.NET_ATTACH);
    NetException none =
        assertThrows(NetException.class, () -> nets.attach(by, "m", List.of(1), DEPTH));
    assertEquals(Errno.ENOENT, none.code());
    assertEquals("net.attach m " + Errno.ENOENT, text(events.getLast()));
    NetException wrong =
        assertThrows(NetException.class, () -> nets.attach(by, "n", List.of(70_000), DEPTH));
    assertTrue(wrong.getMessage().startsWith("ports: '70000'"), wrong.getMessage());
    NetException odd =
        assertThrows(NetException.class, () -> nets.attach(by, "n", List.of(PORT), 100));
    assertEquals(Errno.EINVAL, odd.code());
    NetException silent =
        assertThrows(NetException.class, () -> nets.attach(by, "n", List.of(), DEPTH));
    assertTrue(silent.getMessage().startsWith("ports: "), silent.getMessage());
    try (FramePort port = attach(by)) {
      assertTrue(port.mtu() > 0);
      NetException taken = assertThrows(NetException.class, () -> attach(by));
      assertEquals(Errno.EBUSY, taken.code());
    }
  }
}
