package io.isle.spin.nic.manage;

import io.isle.api.base.Errno;
import io.isle.api.base.IsleException;
import io.isle.api.spin.ContextInfo;
import io.isle.api.spin.ContextSpec;
import io.isle.api.spin.ContextState;
import io.isle.api.spin.ContextStats;
import io.isle.api.spin.Ruleset;
import io.isle.api.spin.SpinException;
import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.CapabilitySpec;
import io.isle.api.tenancy.Permission;
import io.isle.spin.nic.live.LiveContext;
import io.isle.spin.nic.live.LiveNic;
import io.isle.spin.nic.settings.ContextSettings;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A context of the settings: attached as soon as that is possible, and again each second until it
 * is. Belongs to the thread of the interfaces.
 */
final class ConfiguredContext {
  private static final System.Logger LOG = System.getLogger(ConfiguredContext.class.getName());
  private static final Pattern GROUP = Pattern.compile("[a-z0-9-]{1,32}");
  private static final long AGAIN_NS = 1_000_000_000;
  private static final ContextStats NOTHING =
      new ContextStats(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, List.of());

  /** Attaches a context of the settings to an interface. */
  @FunctionalInterface
  interface Attacher {
    /** Attaches it; refuses a name that another context has. */
    LiveContext attach(LiveNic nic, Capability capability, ContextSpec spec);
  }

  private final String name;
  private final Capabilities capabilities;
  private final Attacher attacher;
  private ContextSettings settings;
  private Optional<LiveContext> context = Optional.empty();
  private Optional<Capability> capability = Optional.empty();
  private boolean off;
  private boolean tried;
  private long triedNs;
  private String reason = "";

  ConfiguredContext(
      String name, ContextSettings settings, Capabilities capabilities, Attacher attacher) {
    this.name = name;
    this.settings = settings;
    this.capabilities = capabilities;
    this.attacher = attacher;
  }

  String name() {
    return name;
  }

  String nic() {
    return settings.nic();
  }

  Optional<LiveContext> context() {
    return context;
  }

  /** Whether an administrator or a run of traps has ended it. */
  boolean isOff() {
    return off;
  }

  /** Attaches it if it should be, and that is possible. */
  void tick(Optional<LiveNic> nic, long nowNs) {
    context
        .filter(now -> now.state() == ContextState.DETACHED)
        .ifPresent(
            now -> {
              off = true;
              reason = now.reason();
              release();
            });
    if (context.isPresent() || off || tried && nowNs - triedNs < AGAIN_NS) {
      return;
    }
    tried = true;
    triedNs = nowNs;
    try {
      attach(nic);
    } catch (RuntimeException e) {
      // whatever it is, the other contexts have their turn
      String why = e instanceof IsleException ? e.getMessage() : e.toString();
      if (!reason.equals(why)) {
        LOG.log(System.Logger.Level.WARNING, "context {0}: {1}", name, why);
      }
      reason = why;
    }
  }

  private void attach(Optional<LiveNic> nic) {
    LiveNic on =
        nic.orElseThrow(
            () ->
                new SpinException(
                    Errno.ENOENT, "there is no network interface '" + settings.nic() + "'"));
    ContextSpec spec = ConfiguredSpec.of(name, settings);
    if (settings.group().isEmpty() && !GROUP.matcher(group()).matches()) {
      throw new SpinException(
          Errno.EINVAL, "group: no group can have the name " + group() + "; set the key group");
    }
    if (capability.filter(Capability::valid).isEmpty()) {
      String group = group();
      capability =
          Optional.of(
              capabilities.issue(
                  new CapabilitySpec(
                      "spin:" + name,
                      group,
                      Set.of(
                          Permission.SPIN_ATTACH,
                          Permission.ACCEL_COMPUTE,
                          Permission.ACCEL_MEMORY),
                      Optional.empty(),
                      0)));
    }
    context = Optional.of(attacher.attach(on, capability.get(), spec));
    reason = "";
  }

  private String group() {
    return settings.group().isEmpty() ? "spin-" + name : settings.group();
  }

  /** Tries at once, also after its end by an administrator or by traps. */
  void attachNow(Optional<LiveNic> nic) {
    if (context.isPresent()) {
      throw new SpinException(Errno.EEXIST, name + " is " + context.get().state().text());
    }
    off = false;
    attach(nic);
  }

  /** Other settings; memory stays where they permit it. */
  void follow(ContextSettings now) {
    if (now.equals(settings)) {
      return;
    }
    boolean keeps = settings.keepsMemory(now);
    settings = now;
    tried = false;
    off = false;
    LiveContext present = context.orElse(null);
    if (present == null) {
      // its group may be another one
      release();
      return;
    }
    if (keeps && present.state() == ContextState.ATTACHED) {
      try {
        present
            .nic()
            .change(present, ConfiguredSpec.of(name, settings), HandlerUpdates.logged(name));
        return;
      } catch (IsleException e) {
        LOG.log(
            System.Logger.Level.WARNING,
            "context {0}: {1}; the old handlers stay",
            name,
            e.getMessage());
        return;
      }
    }
    end("");
    off = false;
  }

  /** Ends it; it stays so until {@link #attachNow} or other settings. */
  void end(String why) {
    off = true;
    reason = why;
    context.ifPresent(now -> now.nic().detach(now, why));
    release();
  }

  /** Whether this is its context. */
  boolean runs(LiveContext one) {
    return context.filter(now -> now == one).isPresent();
  }

  /** Ends it; it is attached again as soon as that is possible. */
  void withdraw(String why) {
    context.ifPresent(now -> now.nic().detach(now, why));
    release();
    reason = why;
  }

  /** What it waits for may be there. */
  void again() {
    tried = false;
  }

  /** Its interface has ended: it is attached to the next one. */
  void lostNic() {
    release();
    tried = false;
  }

  private void release() {
    context = Optional.empty();
    capability.ifPresent(capabilities::revoke);
    capability = Optional.empty();
  }

  /** What is shown while it is not attached. */
  ContextInfo info() {
    return new ContextInfo(
        name,
        settings.nic(),
        -1,
        settings.handlers(),
        settings.rules().map(Ruleset::text).orElse(""),
        "spin:" + name,
        group(),
        true,
        ContextState.DETACHED,
        reason,
        0,
        NOTHING);
  }
}
