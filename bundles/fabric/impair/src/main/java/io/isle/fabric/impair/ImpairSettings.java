package io.isle.fabric.impair;

import io.isle.api.base.CheckedSettings;
import io.isle.api.base.Errno;
import io.isle.api.base.Setting;
import io.isle.api.fabric.RingException;
import io.isle.lib.ffi.HostPort;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The checked settings of a relay. Immutable.
 *
 * @param datagrams whether the relay is for datagrams; else for streams
 * @param way the two addresses and the permission to leave the loopback interface
 * @param faults the impairments, which may change while the relay runs
 */
record ImpairSettings(boolean datagrams, Way way, Faults faults) {
  static final String FACTORY_PID = "io.isle.impair";
  private static final Pattern ADDRESS = Pattern.compile("(tcp|udp)://(\\S{1,255})");
  private static final long NS_PER_MS = 1_000_000;

  /**
   * @param listen as set
   * @param to as set
   */
  record Way(String listen, String to, boolean plaintext) {
    HostPort listenAt() {
      return place(listen);
    }

    HostPort sendTo() {
      return place(to);
    }

    private static HostPort place(String address) {
      return HostPort.parse(address.substring(address.indexOf("://") + 3));
    }
  }

  /**
   * Shares are parts in a million, times nanoseconds.
   *
   * @param forward whether bytes to {@code to} are swallowed
   * @param backward whether bytes of {@code to} are swallowed
   */
  record Faults(
      long seed,
      int loss,
      int duplicate,
      int reorder,
      long reorderNs,
      long delayNs,
      long jitterNs,
      int corrupt,
      long rate,
      long cutEvery,
      boolean forward,
      boolean backward,
      long queueBytes) {}

  /**
   * Checks all settings.
   *
   * @throws RingException EINVAL with key and limit; EPERM without {@code fault_injection}
   */
  static ImpairSettings of(Map<String, String> given) {
    for (String key : given.keySet()) {
      if (ImpairKeys.SCHEMA.stream().noneMatch(setting -> setting.key().equals(key))) {
        throw refused(
            "'"
                + shown(key)
                + "' is not a key of a relay; the keys are "
                + ImpairKeys.SCHEMA.stream().map(Setting::key).collect(Collectors.joining(", ")));
      }
    }
    CheckedSettings values =
        CheckedSettings.defaults(ImpairKeys.SCHEMA)
            .change(
                given,
                why -> {
                  throw refused(why.substring(0, why.lastIndexOf("; ")));
                });
    if (!values.flag(ImpairKeys.FAULT_INJECTION)) {
      throw new RingException(
          Errno.EPERM, "fault_injection: false; a relay harms its path, so set it to true");
    }
    Matcher listen = address(values, ImpairKeys.LISTEN);
    Matcher to = address(values, ImpairKeys.TO);
    if (!listen.group(1).equals(to.group(1))) {
      throw refused("to: " + to.group(1) + " is not the transport of listen, " + listen.group(1));
    }
    Faults faults = faults(values);
    boolean datagrams = listen.group(1).equals("udp");
    requireFitting(datagrams, faults);
    return new ImpairSettings(
        datagrams, new Way(listen.group(), to.group(), values.flag(ImpairKeys.PLAINTEXT)), faults);
  }

  private static void requireFitting(boolean datagrams, Faults faults) {
    if (datagrams && faults.cutEvery > 0) {
      throw refused("cut_every_bytes: datagrams have no connection to cut; use black_hole");
    }
    if (!datagrams && (faults.loss > 0 || faults.duplicate > 0 || faults.reorder > 0)) {
      throw refused(
          "loss_ppm, duplicate_ppm and reorder_ppm: a stream has no datagrams; use cut_every_bytes,"
              + " corrupt_ppm, delay_ms or rate_bytes");
    }
  }

  private static Faults faults(CheckedSettings values) {
    String hole = values.text(ImpairKeys.BLACK_HOLE);
    return new Faults(
        values.number(ImpairKeys.SEED),
        (int) values.number(ImpairKeys.LOSS),
        (int) values.number(ImpairKeys.DUPLICATE),
        (int) values.number(ImpairKeys.REORDER),
        values.number(ImpairKeys.REORDER_MS) * NS_PER_MS,
        values.number(ImpairKeys.DELAY_MS) * NS_PER_MS,
        values.number(ImpairKeys.JITTER_MS) * NS_PER_MS,
        (int) values.number(ImpairKeys.CORRUPT),
        values.number(ImpairKeys.RATE),
        values.number(ImpairKeys.CUT),
        hole.equals("forward") || hole.equals("both"),
        hole.equals("backward") || hole.equals("both"),
        values.number(ImpairKeys.QUEUE));
  }

  private static Matcher address(CheckedSettings values, Setting setting) {
    String text = values.text(setting);
    Matcher form = ADDRESS.matcher(text);
    if (!form.matches()) {
      throw refused(
          setting.key()
              + ": '"
              + shown(text)
              + "' is not an address such as udp://127.0.0.1:9990 or tcp://127.0.0.1:9990");
    }
    try {
      HostPort ignored = HostPort.parse(form.group(2));
    } catch (IllegalArgumentException e) {
      throw new RingException(Errno.EINVAL, setting.key() + ": " + e.getMessage(), e);
    }
    return form;
  }

  private static String shown(String text) {
    return text.length() > 60 ? text.substring(0, 60) + "..." : text;
  }

  private static RingException refused(String why) {
    return new RingException(Errno.EINVAL, why);
  }
}
