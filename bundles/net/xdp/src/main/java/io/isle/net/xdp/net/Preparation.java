package io.isle.net.xdp.net;

import io.isle.api.base.Errno;
import io.isle.api.net.ConfigureStage;
import io.isle.api.net.ConfiguredSetting;
import io.isle.api.net.NetConfigure;
import io.isle.api.net.NetException;
import io.isle.api.net.NetFinding;
import io.isle.api.net.NetInterface;
import io.isle.net.xdp.settings.NetSettings;
import io.isle.net.xdp.settings.NetSettings.Configure;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Settings of Linux for the interface of a net: told, or set and put back, as the net's key
 * configure says. A net goes on without them. Belongs to the executor of the nets.
 */
final class Preparation {
  private static final System.Logger LOG = System.getLogger(Preparation.class.getName());
  private static final long FRESH_NS = TimeUnit.SECONDS.toNanos(1);
  private static final String CONFIGURE = "configure";

  private final String net;
  private final Work work;
  private NetSettings settings;
  private List<String> problems = List.of();
  private String told = "";
  private long lookedNs;

  /**
   * What all nets use.
   *
   * @param service null while there is none: nothing is told then
   * @param nets settings of all nets that there are
   */
  record Work(Supplier<NetConfigure> service, Supplier<List<NetSettings>> nets) {}

  Preparation(String net, Work work) {
    this.net = net;
    this.work = work;
  }

  /** Before the sockets of a net are opened. */
  void begin(NetSettings now) {
    settings = now;
    problems = List.of();
    if (isOff()) {
      return;
    }
    try {
      if (now.configure() == Configure.AUTO) {
        var ignored = work.service().get().init(target(now), stages(), false);
      }
    } catch (NetException e) {
      LOG.log(System.Logger.Level.WARNING, "net {0}: configure: {1}", net, e.getMessage());
    }
    look();
    String all = String.join("; ", problems);
    if (!all.isEmpty() && !all.equals(told)) {
      LOG.log(System.Logger.Level.WARNING, "net {0}: configure: {1}{2}", net, all, hint());
    }
    told = all;
  }

  private boolean isOff() {
    return settings == null
        || settings.configure() == Configure.OFF
        || settings.file().isPresent()
        || work.service().get() == null;
  }

  private static NetInterface target(NetSettings of) {
    return new NetInterface(of.interfaceName(), of.namespace(), of.tiles());
  }

  /** Those that the frames of the net meet. */
  private Set<ConfigureStage> stages() {
    Set<ConfigureStage> stages = EnumSet.of(ConfigureStage.OFFLOADS);
    if (settings.firstQueue() == 0 && others().noneMatch(this::hasInterface)) {
      stages.add(ConfigureStage.CHANNELS);
    }
    if (settings.loopback()) {
      stages.add(ConfigureStage.SYSCTL);
      stages.add(ConfigureStage.LOOPBACK);
    }
    return stages;
  }

  private Stream<NetSettings> others() {
    return work.nets().get().stream().filter(one -> one != settings);
  }

  private boolean hasInterface(NetSettings other) {
    return hasNamespace(other) && other.interfaceName().equals(settings.interfaceName());
  }

  private boolean hasNamespace(NetSettings other) {
    return other.namespace().equals(settings.namespace());
  }

  private void look() {
    lookedNs = System.nanoTime();
    try {
      problems =
          work.service().get().check(target(settings), stages()).stream()
              .filter(one -> !one.isFine())
              .map(Preparation::text)
              .toList();
    } catch (NetException e) {
      problems = List.of("the settings cannot be read, " + e.getMessage());
    }
  }

  private static String text(ConfiguredSetting one) {
    return one.setting()
        + " of "
        + one.interfaceName()
        + " is "
        + one.is()
        + ", wanted "
        + one.wanted();
  }

  private String hint() {
    return "; 'net:configure init " + net + "' sets it";
  }

  private List<String> problems() {
    if (isOff()) {
      return List.of();
    }
    if (System.nanoTime() - lookedNs >= FRESH_NS) {
      look();
    }
    return problems;
  }

  /** What differs, for the user. */
  List<String> notes() {
    return problems().stream().map(one -> CONFIGURE + ": " + one + hint()).toList();
  }

  /** What differs, and that nothing does. */
  List<NetFinding> findings() {
    List<NetFinding> findings = new ArrayList<>();
    problems().forEach(one -> findings.add(new NetFinding(false, CONFIGURE, one + hint())));
    if (findings.isEmpty() && !isOff()) {
      findings.add(
          new NetFinding(
              true, CONFIGURE, "the settings of " + settings.interfaceName() + " are as wanted"));
    }
    return findings;
  }

  /**
   * Behind the close of the sockets: puts back what the net has set, unless another net needs it.
   *
   * @param next what the net goes on with; null at its end
   */
  void end(NetSettings next) {
    if (isOff() || settings.configure() != Configure.AUTO || next != null && keeps(next)) {
      return;
    }
    Set<ConfigureStage> stages = EnumSet.allOf(ConfigureStage.class);
    List<NetSettings> auto =
        others().filter(one -> one.configure() == Configure.AUTO && one != next).toList();
    if (auto.stream().anyMatch(one -> hasNamespace(one) && one.loopback())) {
      stages.remove(ConfigureStage.SYSCTL);
      stages.remove(ConfigureStage.LOOPBACK);
    }
    if (auto.stream().anyMatch(this::hasInterface)) {
      stages.remove(ConfigureStage.OFFLOADS);
      stages.remove(ConfigureStage.CHANNELS);
    }
    try {
      var ignored = work.service().get().fini(target(settings), stages, false);
    } catch (NetException e) {
      // what is gone has no settings any more
      boolean gone = e.code() == Errno.ENOENT || e.code() == Errno.ENODEV;
      LOG.log(
          gone ? System.Logger.Level.DEBUG : System.Logger.Level.WARNING,
          "net {0}: configure: the values from before cannot be put back: {1}; see net:configure"
              + " fini",
          net,
          e.getMessage());
    }
  }

  private boolean keeps(NetSettings next) {
    return next.configure() == Configure.AUTO
        && hasInterface(next)
        && next.loopback() == settings.loopback()
        && next.tiles() == settings.tiles();
  }
}
