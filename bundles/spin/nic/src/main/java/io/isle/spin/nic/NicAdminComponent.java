package io.isle.spin.nic;

import io.isle.api.base.Errno;
import io.isle.api.observe.Actor;
import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditEvent;
import io.isle.api.observe.AuditTrail;
import io.isle.api.spin.ContextInfo;
import io.isle.api.spin.ExecutionContext;
import io.isle.api.spin.HandlerSource;
import io.isle.api.spin.NicAdmin;
import io.isle.api.spin.NicSpec;
import io.isle.api.spin.SpinException;
import io.isle.api.spin.TemporaryNic;
import io.isle.spin.nic.live.LiveNic;
import io.isle.spin.nic.manage.SpinCore;
import io.isle.spin.nic.settings.NicSettings;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ServiceScope;

/**
 * Publishes {@link NicAdmin}, one object a using bundle; ends the bundle's interfaces at its end.
 */
@Component(service = NicAdmin.class, scope = ServiceScope.BUNDLE)
public final class NicAdminComponent implements NicAdmin {
  private final SpinCore core;
  private final AuditTrail trail;
  private final Set<Made> made = new HashSet<>();
  private boolean closed;

  @Activate
  public NicAdminComponent(@Reference SpinComponent component) {
    this(component.core(), component::audit);
  }

  /**
   * @param audit gives the audit log, or null while none is present
   */
  NicAdminComponent(SpinCore core, Supplier<Audit> audit) {
    this.core = core;
    trail = new AuditTrail(audit, SpinException::new);
  }

  @Deactivate
  void deactivate() {
    List<Made> open;
    synchronized (this) {
      closed = true;
      open = List.copyOf(made);
    }
    open.forEach(Made::close);
  }

  @Override
  public List<ContextInfo> contexts() {
    return core.contexts();
  }

  @Override
  public Optional<ExecutionContext> find(String name) {
    return core.find(name).map(ExecutionContext.class::cast);
  }

  private void run(String action, String context, Runnable work) {
    trail.run(AuditEvent.of(Actor.current(), "spin." + action).object(context), work);
  }

  @Override
  public void attach(String name) {
    run("attach", name, () -> core.attach(name));
  }

  @Override
  public void detach(String name) {
    run("detach", name, () -> core.detach(name));
  }

  @Override
  public void swap(String name, HandlerSource with) {
    run("swap", name, () -> core.swap(name, with));
  }

  @Override
  public TemporaryNic make(NicSpec spec) {
    Map<String, String> settings =
        Map.of("device", spec.device(), "port", spec.port(), "host", spec.host());
    NicSettings checked = NicSettings.of(settings, Runtime.getRuntime().availableProcessors());
    AuditEvent event =
        AuditEvent.of(Actor.current(), "spin.make").object(spec.name()).detail(spec.port());
    Made nic = trail.recorded(event, () -> new Made(core.make(spec.name(), checked)), Made::name);
    synchronized (this) {
      if (!closed) {
        boolean ignored = made.add(nic);
        return nic;
      }
    }
    nic.close();
    throw new SpinException(Errno.ECLOSED, "the bundle that makes interfaces is stopped");
  }

  private final class Made implements TemporaryNic {
    private final LiveNic nic;

    Made(LiveNic nic) {
      this.nic = nic;
    }

    @Override
    public String name() {
      return nic.name();
    }

    @Override
    public void close() {
      synchronized (NicAdminComponent.this) {
        boolean ignored = made.remove(this);
      }
      core.end(nic);
    }
  }
}
