package io.isle.spin.nic.manage;

import io.isle.api.base.Errno;
import io.isle.api.spin.ContextSpec;
import io.isle.api.spin.SpinException;
import io.isle.api.tenancy.Capability;
import io.isle.spin.nic.live.LiveContext;
import io.isle.spin.nic.live.LiveNic;
import io.isle.spin.nic.live.NicThread;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

/** Attaches contexts, each with a name of its own. Thread-safe, unless said otherwise. */
final class ContextAttachments {
  private final NicThread thread;
  private final Map<String, LiveNic> nics;
  private final GroupBook groups;
  private Predicate<String> reserved = name -> false;

  ContextAttachments(NicThread thread, Map<String, LiveNic> nics, GroupBook groups) {
    this.thread = thread;
    this.nics = nics;
    this.groups = groups;
  }

  /** Tenants get no name that the settings have; before the first attachment. */
  void reserved(Predicate<String> names) {
    reserved = names;
  }

  /** The context that is attached, or lost, with a name. */
  Optional<LiveContext> find(String name) {
    return nics.values().stream()
        .flatMap(nic -> nic.contexts().stream())
        .filter(context -> context.name().equals(name))
        .findFirst();
  }

  /** A context of a tenant, whose rights are checked. */
  LiveContext ofTenant(LiveNic nic, Capability capability, ContextSpec spec) {
    AtomicReference<LiveContext> made = new AtomicReference<>();
    boolean kept = false;
    try {
      thread.run(spec.name() + ": attach", () -> made.set(ofTenantNow(nic, capability, spec)));
      kept = true;
      return made.get();
    } finally {
      if (!kept) {
        // who has waited does so no more: a context that comes later has no owner
        thread.post(() -> detach(made.get()));
      }
    }
  }

  private LiveContext ofTenantNow(LiveNic nic, Capability capability, ContextSpec spec) {
    groups.checkOpen(capability.group());
    if (reserved.test(spec.name())) {
      throw taken(spec.name());
    }
    if (nics.get(nic.name()) != nic) {
      throw new SpinException(Errno.ECLOSED, nic.name() + " has ended");
    }
    return attach(nic, capability, spec, false);
  }

  /** A context of the settings; on the thread of the interfaces. */
  LiveContext ofSettings(LiveNic nic, Capability capability, ContextSpec spec) {
    return attach(nic, capability, spec, true);
  }

  private LiveContext attach(
      LiveNic nic, Capability capability, ContextSpec spec, boolean configured) {
    if (find(spec.name()).isPresent()) {
      throw taken(spec.name());
    }
    return nic.attach(capability, spec, configured);
  }

  private static SpinException taken(String name) {
    return new SpinException(Errno.EEXIST, name + ": a context with this name exists");
  }

  private static void detach(LiveContext context) {
    if (context != null) {
      context.nic().detach(context, "");
    }
  }
}
