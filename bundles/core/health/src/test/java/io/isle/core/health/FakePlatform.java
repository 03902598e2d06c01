package io.isle.core.health;

import io.isle.api.device.DeviceClass;
import io.isle.api.device.DeviceNode;
import io.isle.api.device.DeviceState;
import io.isle.api.device.DeviceTree;
import io.isle.api.driver.DeviceSession;
import io.isle.api.driver.DeviceSessions;
import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditEvent;
import io.isle.api.observe.AuditFilter;
import io.isle.api.observe.AuditRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The services that the bundle uses: sessions of open devices, the tree, the audit book. */
final class FakePlatform {
  private final List<FakeDevice> open = new ArrayList<>();

  /** States of devices that are not open. */
  final Map<String, DeviceState> closed = new LinkedHashMap<>();

  /** Actor, action, device, code and detail of each event. */
  final List<String> written = new ArrayList<>();

  FakeDevice open(String id) {
    FakeDevice device = new FakeDevice(id);
    open.add(device);
    return device;
  }

  DeviceSessions sessions() {
    return new DeviceSessions() {
      @Override
      public List<DeviceSession> list() {
        return List.copyOf(open);
      }

      @Override
      public Optional<DeviceSession> find(String device) {
        return list().stream().filter(one -> one.id().equals(device)).findFirst();
      }
    };
  }

  DeviceTree tree() {
    return new DeviceTree() {
      @Override
      public List<DeviceNode> nodes() {
        return closed.keySet().stream().map(FakePlatform.this::node).toList();
      }

      @Override
      public Optional<DeviceNode> find(String id) {
        return nodes().stream().filter(node -> node.id().equals(id)).findFirst();
      }

      @Override
      public Map<String, String> settings(String id) {
        return Map.of();
      }
    };
  }

  private DeviceNode node(String id) {
    return new DeviceNode(
        id,
        "soft",
        "1",
        2,
        closed.get(id),
        "",
        DeviceClass.GPU_COMPUTE,
        Optional.empty(),
        1,
        Optional.empty(),
        Optional.empty(),
        Map.of(),
        List.of(),
        List.of());
  }

  Audit book() {
    return new Audit() {
      @Override
      public void record(AuditEvent event) {
        written.add(
            String.join(
                "|",
                event.actor(),
                event.action(),
                event.device(),
                Integer.toString(event.code()),
                event.detail()));
      }

      @Override
      public List<AuditRecord> tail(int limit, AuditFilter filter) {
        return List.of();
      }

      @Override
      public List<AuditRecord> awaitNext(AuditFilter filter) {
        return List.of();
      }
    };
  }
}
