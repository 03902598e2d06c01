package io.isle.net.xdp.settings;

import io.isle.api.base.Setting;
import io.isle.api.base.SettingsSchema;
import java.util.List;

/** The keys of {@code io.isle.netapp-NAME.cfg} that every app has. */
final class AppKeys {
  static final Setting KIND =
      Setting.string("kind", "", "what the app does with frames: echo, drop, or another bundle's");
  static final Setting UID =
      Setting.integer(
          "uid",
          -1,
          0xFFFF_FFFEL,
          -1,
          "instead of kind: the user whose processes may attach as this app; -1: none");
  static final Setting NETS =
      Setting.string("nets", "", "names of nets whose frames the app takes, separated by commas");
  static final Setting PORTS =
      Setting.string(
          "ports",
          "",
          "1 to 16 UDP ports of the app, separated by commas; all apps of a net have 16");
  static final Setting DEPTH =
      Setting.integer(
          "depth", 128, 1 << 18, 4096, "frames that wait for the app in each link, a power of two");
  static final Setting INSTANCES =
      Setting.integer(
          "instances",
          1,
          AppSettings.INSTANCES,
          1,
          "instances of the app, which share its frames by the sender's address and port; each has"
              + " links of its own");
  static final Setting THREAD =
      Setting.choice(
          "thread",
          List.of("own", "tile"),
          "own",
          "own: the app has a thread; tile: the thread of the tile runs the app behind each cycle");

  @SettingsSchema(pid = AppSettings.FACTORY_PID + "-NAME")
  static final List<Setting> SCHEMA = List.of(KIND, UID, NETS, PORTS, DEPTH, INSTANCES, THREAD);

  private AppKeys() {}
}
