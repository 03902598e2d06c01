package io.isle.net.apps;

import io.isle.api.base.Setting;
import io.isle.api.base.SettingsSchema;
import io.isle.api.net.FramePort;
import io.isle.api.net.NetApp;
import io.isle.api.net.NetAppTask;
import java.util.List;
import java.util.Map;
import org.osgi.service.component.annotations.Component;

/** The kind {@code echo}: sends each datagram back to its sender. */
@Component(property = NetApp.KIND_PROPERTY + "=" + EchoApp.KIND)
public final class EchoApp implements NetApp {
  static final String KIND = "echo";

  @SettingsSchema(app = KIND)
  static final List<Setting> SCHEMA = List.of();

  @Override
  public List<Setting> settings() {
    return SCHEMA;
  }

  @Override
  public NetAppTask open(FramePort port, Map<String, String> settings) {
    Values.checked(KIND, settings(), settings);
    return new EchoTask(port);
  }
}
