package io.isle.core.devices;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.isle.api.base.ConfigFiles;
import io.isle.api.base.Errno;
import io.isle.api.device.DeviceException;
import io.isle.api.observe.AuditEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Settings whose files cannot always be read. */
class DeviceSettingsTest {
  private final List<AuditEvent> written = new ArrayList<>();
  private final DeviceModel model =
      new DeviceModel(event -> {}, (id, why) -> {}, DeviceCalls.DIRECT, new Epochs());
  private boolean readable = true;
  private Runnable set = () -> {};
  private final DeviceSettings settings =
      new DeviceSettings(new Files(), this::read, model, written::add);

  private Map<DeviceName, Map<String, String>> read() {
    if (!readable) {
      throw new IllegalStateException("no");
    }
    return Map.of(Fixtures.name("soft0"), Map.of("driver", "soft", "tier", "1"));
  }

  private final class Files implements ConfigFiles {
    @Override
    public Optional<Map<String, String>> read(String pid) {
      throw new AssertionError(pid);
    }

    @Override
    public void set(String pid, Map<String, String> changes) {
      set.run();
    }

    @Override
    public Map<String, Map<String, String>> instances(String factoryPid) {
      throw new AssertionError(factoryPid);
    }

    @Override
    public boolean delete(String pid) {
      throw new AssertionError(pid);
    }
  }

  @Test
  void whatIsThereAtTheFirstLookThatSucceedsIsNobodysChange() {
    readable = false;
    settings.refresh();
    readable = true;
    settings.refresh();
    assertEquals(List.of(), written);
  }

  @Test
  void aChangeThatCannotBeReadBackIsNoSuccess() {
    settings.refresh();
    set = () -> readable = false;
    DeviceException thrown =
        assertThrows(
            DeviceException.class, () -> settings.change("soft0", Map.of("enabled", "false")));
    assertEquals(Errno.EIO, thrown.code());
  }
}
