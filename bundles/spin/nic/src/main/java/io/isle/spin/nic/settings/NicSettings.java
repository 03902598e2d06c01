package io.isle.spin.nic.settings;

import io.isle.api.base.Setting;
import io.isle.api.base.SettingsSchema;
import java.util.List;
import java.util.Map;

/**
 * Checked settings of a network interface: {@code io.isle.nic-NAME.cfg}. Immutable.
 *
 * @param device that has the HPUs
 * @param port address of the port
 * @param host address of the port for packets that match nothing; empty for none
 * @param parallel most handlers at a time
 * @param messageTimeoutNs time without a packet after which a message is aborted
 * @param swapMs time for open messages to end before other handlers come
 */
public record NicSettings(
    String device, String port, String host, int parallel, long messageTimeoutNs, int swapMs) {
  /** Of files {@code io.isle.nic-NAME.cfg}. */
  public static final String FACTORY_PID = "io.isle.nic";

  private static final int MOST_MS = 3_600_000;
  private static final int HPUS = 16;
  private static final long NS_PER_MS = 1_000_000;
  private static final String ADDRESS = "[a-z][a-z0-9-]*:.+";

  private static final Setting DEVICE =
      Setting.string("device", "spin0", "device that has the HPUs");
  private static final Setting PORT =
      Setting.string(
          "port", "", "where packets come and go: packet:INTERFACE, udp:ADDRESS:PORT or pcap:FILE");
  private static final Setting HOST =
      Setting.string(
          "host",
          "",
          "port for packets that match no context, and for what the host sends; empty: they are"
              + " dropped");
  private static final Setting PARALLEL =
      Setting.integer(
          "parallel",
          0,
          HPUS,
          0,
          "most handlers that run at a time; 0: one less than there are processors");
  private static final Setting MESSAGE_TIMEOUT =
      Setting.integer(
          "message_timeout_ms",
          1,
          MOST_MS,
          500,
          "time without a packet after which a message is aborted, in milliseconds");
  private static final Setting SWAP =
      Setting.integer(
          "swap_ms",
          0,
          MOST_MS,
          1000,
          "time for open messages to end before other handlers come, in milliseconds");

  @SettingsSchema(pid = FACTORY_PID + "-NAME")
  static final List<Setting> SCHEMA = List.of(DEVICE, PORT, HOST, PARALLEL, MESSAGE_TIMEOUT, SWAP);

  /**
   * Checks values and fills defaults in.
   *
   * @param processors of this machine
   * @throws io.isle.api.spin.SpinException EINVAL with the key and its limit
   */
  public static NicSettings of(Map<String, String> given, int processors) {
    Values values = new Values(SCHEMA, given);
    int parallel = values.number(PARALLEL);
    return new NicSettings(
        needed(values, DEVICE),
        address(PORT, needed(values, PORT)),
        address(HOST, values.text(HOST)),
        parallel == 0 ? Math.clamp(processors - 1L, 1, HPUS) : parallel,
        values.number(MESSAGE_TIMEOUT) * NS_PER_MS,
        values.number(SWAP));
  }

  private static String needed(Values values, Setting setting) {
    String text = values.text(setting);
    if (text.isEmpty()) {
      throw Values.refused(setting.key() + ": missing; " + setting.help());
    }
    return text;
  }

  private static String address(Setting setting, String text) {
    if (!text.isEmpty() && !text.matches(ADDRESS)) {
      throw Values.refused(
          setting.key() + ": '" + Values.shown(text) + "' is no address such as packet:eth0");
    }
    return text;
  }
}
