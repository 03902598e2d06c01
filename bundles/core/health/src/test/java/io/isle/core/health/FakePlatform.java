package io.isle.core.health;

import io.isle.api.driver.DeviceSession;
import io.isle.api.driver.DeviceSessions;
import io.isle.api.observe.Audit;
import io.isle.core.testing.FakeDeviceTree;
import io.isle.core.testing.RecordedAudit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The services that the bundle uses: sessions of open devices, the tree, the audit book. */
final class FakePlatform {
  private final List<FakeDevice> open = new ArrayList<>();

  /** Devices that are not open. */
  final FakeDeviceTree tree = new FakeDeviceTree();

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

  Audit book() {
    return new RecordedAudit(
        event ->
            written.add(
                String.join(
                    "|",
                    event.actor(),
                    event.action(),
                    event.device(),
                    Integer.toString(event.code()),
                    event.detail())));
  }
}
