package io.isle.net.apps;

import io.isle.api.base.Setting;
import io.isle.api.base.SettingsSchema;
import io.isle.api.net.FramePort;
import io.isle.api.net.NetApp;
import io.isle.api.net.NetAppTask;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.osgi.service.component.annotations.Component;

/**
 * The kind {@code pktgen}: sends numbered frames of 60 bytes that no receiver takes for its own.
 */
@Component(property = NetApp.KIND_PROPERTY + "=" + PktgenApp.KIND)
public final class PktgenApp implements NetApp {
  static final String KIND = "pktgen";

  private static final Setting RATE =
      Setting.integer("rate", 0, PktgenTask.MOST_RATE, 0, "frames a second; 0: as many as leave");
  private static final Setting COUNT =
      Setting.integer("count", 0, Long.MAX_VALUE, 0, "frames after which the app ends; 0: no end");
  private static final Setting ADDRESS =
      Setting.string(
          "fake_dst_ip",
          "198.18.0.64",
          "address of no host, which is routed to the net meanwhile; not in the frames");

  @SettingsSchema(app = KIND)
  static final List<Setting> SCHEMA = List.of(RATE, COUNT, ADDRESS);

  @Override
  public List<Setting> settings() {
    return SCHEMA;
  }

  @Override
  public boolean isSource() {
    return true;
  }

  @Override
  public OptionalInt fakeHost(Map<String, String> settings) {
    return OptionalInt.of(address(Values.checked(KIND, settings(), settings)));
  }

  private static int address(Values values) {
    int address = values.address(ADDRESS);
    if (address == 0) {
      throw Values.refused("fake_dst_ip: missing; an IPv4 address A.B.C.D of no host");
    }
    return address;
  }

  @Override
  public NetAppTask open(FramePort port, Map<String, String> settings) {
    Values values = Values.checked(KIND, settings(), settings);
    int address = address(values);
    return new PktgenTask(port, values.number(RATE), values.number(COUNT), address);
  }
}
