package io.isle.core.tenancy;

import io.isle.api.base.GroupNames;
import io.isle.api.base.Ids;
import io.isle.api.observe.Actor;
import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditEvent;
import io.isle.api.observe.AuditTrail;
import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.CapabilitySpec;
import io.isle.api.tenancy.Permission;
import io.isle.api.tenancy.TenancyException;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Records each capability that is issued, delegated or revoked, and each refusal. The actor is the
 * user whose command runs; else the platform, within {@link #byPlatform}, or the capability's
 * tenant.
 */
final class AuditedCapabilities implements Capabilities {
  /** The actor where no user's command runs; unbound: the tenant. */
  private static final ScopedValue<Actor> OTHER = ScopedValue.newInstance();

  private final Capabilities table;
  private final AuditTrail trail;

  /**
   * @param audit gives the audit log, or null while none is present: then nothing is recorded
   */
  AuditedCapabilities(Capabilities table, Supplier<Audit> audit) {
    this.table = table;
    trail = new AuditTrail(audit, TenancyException::new);
  }

  /** Runs work with the platform as its actor, unless a user's command runs. */
  static void byPlatform(Runnable work) {
    ScopedValue.where(OTHER, Actor.PLATFORM).run(work);
  }

  @Override
  public Capability issue(CapabilitySpec spec) {
    AuditEvent event = event("capability.issue", spec.tenant()).detail(text(spec));
    return recorded(event, () -> table.issue(spec));
  }

  @Override
  public Capability delegate(Capability from, CapabilitySpec spec) {
    AuditEvent event =
        event("capability.delegate", from.tenant()).under(from.id()).detail(text(spec));
    return recorded(event, () -> table.delegate(from, spec));
  }

  @Override
  public void revoke(Capability capability) {
    boolean valid = capability.valid();
    table.revoke(capability);
    if (valid) {
      trail.record(
          event("capability.revoke", capability.tenant())
              .object(Ids.text(capability.id()))
              .detail(capability.tenant()));
    }
  }

  @Override
  public void check(Capability capability, Permission permission, String device) {
    try {
      table.check(capability, permission, device);
    } catch (TenancyException e) {
      trail.record(
          event("capability.refuse", capability.tenant())
              .under(capability.id())
              .device(device)
              .failed(e.code(), e.getMessage()));
      throw e;
    }
  }

  @Override
  public List<Capability> list() {
    return table.list();
  }

  @Override
  public Optional<Capability> find(long id) {
    return table.find(id);
  }

  private Capability recorded(AuditEvent event, Supplier<Capability> action) {
    return trail.recorded(event, action, made -> Ids.text(made.id()));
  }

  private static AuditEvent event(String action, String tenant) {
    Actor user = Actor.current();
    boolean command = user.kind() == Actor.Kind.USER;
    Actor other = OTHER.isBound() ? OTHER.get() : Actor.tenant(tenant);
    return AuditEvent.of(command ? user : other, action);
  }

  private static String text(CapabilitySpec spec) {
    String permissions =
        new TreeSet<>(spec.permissions())
            .stream().map(Permission::text).collect(Collectors.joining(" "));
    return spec.tenant()
        + ": "
        + permissions
        + (spec.group().equals(GroupNames.DEFAULT) ? "" : ", group " + spec.group())
        + spec.device().map(id -> ", only " + id).orElse("")
        + (spec.maxMemoryBytes() == 0 ? "" : ", at most " + spec.maxMemoryBytes() + " bytes");
  }
}
