package io.isle.spin.nic.settings;

import io.isle.api.base.Setting;
import io.isle.api.base.SettingsSchema;
import io.isle.api.spin.ContextSpec;
import io.isle.api.spin.HostReply;
import io.isle.api.spin.Ruleset;
import io.isle.api.spin.Rulesets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Checked settings of a context: {@code io.isle.spin-NAME.cfg}. Immutable.
 *
 * @param nic name of the interface
 * @param slot empty for the first free one
 * @param handlers name of installed handlers, or path of a file
 * @param rules empty for those of the handlers
 * @param group empty for a group of its own
 * @param init file for the first bytes of handler memory
 */
public record ContextSettings(
    String nic,
    OptionalInt slot,
    String handlers,
    Optional<Ruleset> rules,
    String group,
    int hostPages,
    int handlerMemory,
    int scratchpad,
    Optional<Path> init,
    HostReply hostReply) {
  /** Of files {@code io.isle.spin-NAME.cfg}. */
  public static final String FACTORY_PID = "io.isle.spin";

  private static final String ANY = "any";

  private static final Setting NIC =
      Setting.string("nic", "", "network interface: NAME of io.isle.nic-NAME.cfg");
  private static final Setting SLOT =
      Setting.choice(
          "slot",
          List.of(ANY, "0", "1", "2", "3"),
          ANY,
          "a packet belongs to the lowest slot whose rules it matches; any: the first free one");
  private static final Setting HANDLERS =
      Setting.string(
          "handlers", "", "name of installed handlers, or absolute path of a .spin file");
  private static final Setting RULES =
      Setting.string(
          "rules",
          "",
          "packets for the handlers, such as AND IP IP_PROTO(17) EOM FALSE; empty: the rules of the"
              + " handlers, else match");
  private static final Setting GROUP =
      Setting.string(
          "group",
          "",
          "group of tenants that the context belongs to; empty: spin-NAME, with a process of its"
              + " own");
  private static final Setting HOST_PAGES =
      Setting.integer(
          "host_pages",
          0,
          ContextSpec.MAX_HOST_PAGES,
          16,
          "pages of 4 KiB that handlers and host share; the first 16 are for requests");
  private static final Setting HANDLER_MEMORY =
      Setting.bytes(
          "handler_memory",
          0,
          ContextSpec.MAX_HANDLER_MEMORY,
          256 << 10,
          "memory that handlers keep between packets");
  private static final Setting SCRATCHPAD =
      Setting.bytes(
          "scratchpad",
          0,
          ContextSpec.MAX_SCRATCHPAD,
          4096,
          "memory of each queue in each cluster; rounded up to a multiple of 128 bytes");
  private static final Setting INIT =
      Setting.string("init", "", "absolute path of a file with the first bytes of handler memory");
  private static final Setting HOST_REPLY =
      Setting.choice(
          "host_reply",
          List.of("echo", "none"),
          "echo",
          "what answers a handler's request to the host: echo: the payload; none: nobody");

  @SettingsSchema(pid = FACTORY_PID + "-NAME")
  static final List<Setting> SCHEMA =
      List.of(
          NIC,
          SLOT,
          HANDLERS,
          RULES,
          GROUP,
          HOST_PAGES,
          HANDLER_MEMORY,
          SCRATCHPAD,
          INIT,
          HOST_REPLY);

  /**
   * Checks values and fills defaults in.
   *
   * @throws io.isle.api.spin.SpinException EINVAL with the key and its limit
   */
  public static ContextSettings of(Map<String, String> given) {
    Values values = new Values(SCHEMA, given);
    String slot = values.text(SLOT);
    return new ContextSettings(
        needed(values, NIC),
        slot.equals(ANY) ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(slot)),
        handlers(needed(values, HANDLERS)),
        rules(values.text(RULES)),
        values.text(GROUP),
        values.number(HOST_PAGES),
        values.number(HANDLER_MEMORY),
        values.number(SCRATCHPAD),
        init(values.text(INIT)),
        HostReply.valueOf(values.text(HOST_REPLY).toUpperCase(Locale.ROOT)));
  }

  private static String needed(Values values, Setting setting) {
    String text = values.text(setting);
    if (text.isEmpty()) {
      throw Values.refused(setting.key() + ": missing; " + setting.help());
    }
    return text;
  }

  private static Optional<Ruleset> rules(String text) {
    if (text.isEmpty()) {
      return Optional.empty();
    }
    List<Ruleset> all = Rulesets.parse(text).all();
    if (all.size() != 1) {
      throw Values.refused(
          RULES.key() + ": " + all.size() + " rulesets; a context has one, and a slot");
    }
    return Optional.of(all.getFirst());
  }

  private static Optional<Path> init(String text) {
    if (text.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(Path.of(absolute(INIT, text)));
  }

  private static String absolute(Setting setting, String text) {
    if (!text.startsWith("/") || text.indexOf('\0') >= 0) {
      throw Values.refused(setting.key() + ": '" + Values.shown(text) + "' is no absolute path");
    }
    return text;
  }

  /** A name, or a file. */
  private static String handlers(String text) {
    return text.startsWith("/") || text.endsWith(".spin") ? absolute(HANDLERS, text) : text;
  }

  /** The file of the handlers; empty for installed ones. */
  public Optional<Path> file() {
    return handlers.startsWith("/") ? Optional.of(Path.of(handlers)) : Optional.empty();
  }

  /** Whether a context of these settings becomes one of others without a loss of its memory. */
  public boolean keepsMemory(ContextSettings to) {
    return equals(
        new ContextSettings(
            to.nic,
            to.slot,
            handlers,
            rules,
            to.group,
            to.hostPages,
            to.handlerMemory,
            to.scratchpad,
            to.init,
            hostReply));
  }
}
