package io.isle.core.tenancy;

import io.isle.api.base.GroupNames;
import io.isle.api.base.Ids;
import io.isle.api.observe.Actor;
import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditEvent;
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
 * Writes down who was given what, who lost it, and who was refused. The actor is the user whose
 * command it is; else the platform, where it says so, or the tenant that it is about.
 */
final class AuditedCapabilities implements Capabilities {
  /** Whose doing it is when it is no user's; unbound: the tenant's. */
  private static final ScopedValue<Actor> OTHER = ScopedValue.newInstance();

  private final Capabilities table;
  private final Supplier<Audit> audit;

  /**
   * @param audit null while there is none: then nothing is written down
   */
  AuditedCapabilities(Capabilities table, Supplier<Audit> audit) {
    this.table = table;
    this.audit = audit;
  }

  /** Does what is nobody's command, and not a tenant's doing either. */
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
      record(
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
      record(
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
    try {
      Capability made = action.get();
      record(event.object(Ids.text(made.id())));
      return made;
    } catch (TenancyException e) {
      record(event.failed(e.code(), e.getMessage()));
      throw e;
    }
  }

  private void record(AuditEvent event) {
    Audit book = audit.get();
    if (book != null) {
      book.record(event);
    }
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
