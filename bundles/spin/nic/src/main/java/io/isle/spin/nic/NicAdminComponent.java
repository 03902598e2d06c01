package io.isle.spin.nic;

import io.isle.api.observe.Actor;
import io.isle.api.observe.AuditEvent;
import io.isle.api.observe.AuditTrail;
import io.isle.api.spin.ContextInfo;
import io.isle.api.spin.ExecutionContext;
import io.isle.api.spin.HandlerSource;
import io.isle.api.spin.NicAdmin;
import io.isle.api.spin.SpinException;
import io.isle.spin.nic.manage.SpinCore;
import java.util.List;
import java.util.Optional;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Publishes {@link NicAdmin}. */
@Component(service = NicAdmin.class)
public final class NicAdminComponent implements NicAdmin {
  private final SpinCore core;
  private final AuditTrail trail;

  @Activate
  public NicAdminComponent(@Reference SpinComponent component) {
    core = component.core();
    trail = new AuditTrail(component::audit, SpinException::new);
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
}
