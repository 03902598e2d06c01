package io.isle.spin.nic;

import io.isle.api.base.Errno;
import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditTrail;
import io.isle.api.spin.ContextSpec;
import io.isle.api.spin.ExecutionContext;
import io.isle.api.spin.HpuInfo;
import io.isle.api.spin.Nic;
import io.isle.api.spin.NicInfo;
import io.isle.api.spin.Nics;
import io.isle.api.spin.QueueInfo;
import io.isle.api.spin.SpinException;
import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.Permission;
import io.isle.spin.nic.live.LiveContext;
import io.isle.spin.nic.live.LiveNic;
import io.isle.spin.nic.manage.SpinCore;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ServiceScope;

/** Publishes {@link Nics}, one object a using bundle; ends the bundle's contexts at its end. */
@Component(service = Nics.class, scope = ServiceScope.BUNDLE)
public final class NicsComponent implements Nics {
  private final SpinCore core;
  private final Capabilities capabilities;
  private final AuditTrail trail;
  private final Set<ExecutionContext> contexts = new HashSet<>();
  private boolean closed;

  @Activate
  public NicsComponent(@Reference SpinComponent component, @Reference Capabilities capabilities) {
    this(component.core(), capabilities, component::audit);
  }

  /**
   * @param audit gives the audit log, or null while none is present
   */
  NicsComponent(SpinCore core, Capabilities capabilities, Supplier<Audit> audit) {
    this.core = core;
    this.capabilities = capabilities;
    trail = new AuditTrail(audit, SpinException::new);
  }

  @Deactivate
  void deactivate() {
    List<ExecutionContext> open;
    synchronized (this) {
      closed = true;
      open = List.copyOf(contexts);
      contexts.clear();
    }
    open.forEach(ExecutionContext::close);
  }

  @Override
  public List<Nic> list() {
    return core.nics().stream().<Nic>map(Lent::new).toList();
  }

  @Override
  public Optional<Nic> find(String name) {
    return core.nic(name).map(Lent::new);
  }

  private ExecutionContext attach(LiveNic nic, Capability capability, ContextSpec spec) {
    String device = nic.settings().device();
    LiveContext made =
        trail.recorded(
            AuditTrail.tenant("spin.attach", capability.tenant(), capability.id(), device)
                .object(spec.name())
                .detail(nic.name() + ", handlers " + spec.handlers().name()),
            () -> {
              capabilities.check(capability, Permission.SPIN_ATTACH, device);
              return core.attach(nic, capability, spec);
            },
            LiveContext::name);
    synchronized (this) {
      contexts.removeIf(one -> one instanceof LiveContext live && live.isOver());
      if (!closed) {
        boolean ignored = contexts.add(made);
        return made;
      }
    }
    made.close();
    throw new SpinException(Errno.ECLOSED, "the bundle that attaches handlers is stopped");
  }

  private final class Lent implements Nic {
    private final LiveNic nic;

    Lent(LiveNic nic) {
      this.nic = nic;
    }

    @Override
    public NicInfo info() {
      return nic.info();
    }

    @Override
    public List<HpuInfo> hpus() {
      return nic.hpus();
    }

    @Override
    public List<QueueInfo> queues() {
      return nic.queues();
    }

    @Override
    public ExecutionContext attach(Capability capability, ContextSpec spec) {
      return NicsComponent.this.attach(nic, capability, spec);
    }
  }
}
