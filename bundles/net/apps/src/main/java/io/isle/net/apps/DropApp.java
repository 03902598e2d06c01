package io.isle.net.apps;

import io.isle.api.base.Setting;
import io.isle.api.base.SettingsSchema;
import io.isle.api.net.FramePort;
import io.isle.api.net.NetApp;
import io.isle.api.net.NetAppTask;
import java.util.List;
import java.util.Map;
import org.osgi.service.component.annotations.Component;

/** The kind {@code drop}: counts frames and forgets them. */
@Component(property = NetApp.KIND_PROPERTY + "=" + DropApp.KIND)
public final class DropApp implements NetApp {
  static final String KIND = "drop";

  @SettingsSchema(app = KIND)
  static final List<Setting> SCHEMA = List.of();

  @Override
  public List<Setting> settings() {
    return SCHEMA;
  }

  @Override
  public NetAppTask open(FramePort port, Map<String, String> settings) {
    Values.checked(KIND, settings(), settings);
    return new DropTask(port);
  }
}
