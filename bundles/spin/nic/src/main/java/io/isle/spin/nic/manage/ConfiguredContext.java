package io.isle.spin.nic.manage;

import io.isle.api.base.Errno;
import io.isle.api.base.IsleException;
import io.isle.api.spin.ContextInfo;
import io.isle.api.spin.ContextSpec;
import io.isle.api.spin.ContextState;
import io.isle.api.spin.ContextStats;
import io.isle.api.spin.HandlerImage;
import io.isle.api.spin.HandlerSource;
import io.isle.api.spin.Ruleset;
import io.isle.api.spin.SpinException;
import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.CapabilitySpec;
import io.isle.api.tenancy.Permission;
import io.isle.spin.nic.live.LiveContext;
import io.isle.spin.nic.live.LiveNic;
import io.isle.spin.nic.settings.ContextSettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A context of the settings: attached as soon as that is possible, and again each second until it
 * is. Belongs to the thread of the interfaces.
 */
final class ConfiguredContext {
  private static final System.Logger LOG = System.getLogger(ConfiguredContext.class.getName());
  private static final long AGAIN_NS = 1_000_000_000;
  private static final ContextStats NOTHING =
      new ContextStats(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, List.of());

  private final String name;
  private final Capabilities capabilities;
  private ContextSettings settings;
  private Optional<LiveContext> context = Optional.empty();
  private Optional<Capability> capability = Optional.empty();
  private boolean off;
  private boolean tried;
  private long triedNs;
  private String reason = "";

  ConfiguredContext(String name, ContextSettings settings, Capabilities capabilities) {
    this.name = name;
    this.settings = settings;
    this.capabilities = capabilities;
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
    } catch (IsleException e) {
      if (!reason.equals(e.getMessage())) {
        LOG.log(System.Logger.Level.WARNING, "context {0}: {1}", name, e.getMessage());
      }
      reason = e.getMessage();
    }
  }

  private void attach(Optional<LiveNic> nic) {
    LiveNic on =
        nic.orElseThrow(
            () ->
                new SpinException(
                    Errno.ENOENT, "there is no network interface '" + settings.nic() + "'"));
    ContextSpec spec = spec();
    if (capability.isEmpty()) {
      String group = settings.group().isEmpty() ? "spin-" + name : settings.group();
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
    context = Optional.of(on.attach(capability.get(), spec, true));
    reason = "";
  }

  /** Tries at once, also after its end by an administrator or by traps. */
  void attachNow(Optional<LiveNic> nic) {
    if (context.isPresent()) {
      throw new SpinException(Errno.EEXIST, name + " is " + context.get().state().text());
    }
    off = false;
    attach(nic);
  }

  private ContextSpec spec() {
    HandlerSource handlers =
        settings.file().isPresent()
            ? image(settings.file().get())
            : new HandlerSource.Installed(settings.handlers());
    ContextSpec spec =
        ContextSpec.of(name, handlers)
            .withHostPages(settings.hostPages())
            .withHandlerMemory(settings.handlerMemory())
            .withScratchpad(settings.scratchpad())
            .withHostReply(settings.hostReply());
    if (settings.init().isPresent()) {
      spec = spec.withInit(bytes("init", settings.init().get(), settings.handlerMemory()));
    }
    Optional<Ruleset> rules = settings.rules();
    if (rules.isPresent()) {
      spec = spec.withRules(rules.get());
    }
    return settings.slot().isPresent() ? spec.withSlot(settings.slot().getAsInt()) : spec;
  }

  private static HandlerImage image(Path file) {
    String shown = String.valueOf(file.getFileName()).replaceAll("[^ -~]", "?");
    return new HandlerImage(
        shown.substring(0, Math.min(shown.length(), HandlerImage.MAX_NAME)),
        bytes("handlers", file, HandlerImage.MAX_BYTES),
        Optional.empty());
  }

  private static byte[] bytes(String key, Path file, int most) {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(most + 1);
      if (bytes.length > most) {
        throw new SpinException(
            Errno.EMSGSIZE, key + ": " + file + " has more than " + most + " bytes");
      }
      return bytes;
    } catch (IOException e) {
      throw new SpinException(Errno.EIO, key + ": " + file + " cannot be read", e);
    }
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
      return;
    }
    if (keeps && present.state() == ContextState.ATTACHED) {
      try {
        ContextSpec spec = spec();
        present.nic().change(present, spec);
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
        settings.group().isEmpty() ? "spin-" + name : settings.group(),
        true,
        ContextState.DETACHED,
        reason,
        0,
        NOTHING);
  }
}
