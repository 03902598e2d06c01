package io.isle.net.xdp;

import io.isle.api.net.LabSide;
import io.isle.api.net.Labs;
import io.isle.api.net.NetException;
import io.isle.api.observe.Actor;
import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditEvent;
import io.isle.api.observe.AuditTrail;
import io.isle.net.xdp.lab.LabRegistry;
import io.isle.net.xdp.lab.NetSpaces;
import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/**
 * Offers {@link Labs}; each change is recorded with its actor and its outcome. Labs outlive the
 * command that made them, so the component does not end with its last user.
 */
@Component(
    service = {Labs.class, LabComponent.class},
    immediate = true)
public final class LabComponent implements Labs {
  private final AuditTrail trail = new AuditTrail(() -> this.audit, NetException::new);
  private final LabRegistry labs = new LabRegistry();
  private final NetSpaces spaces = new NetSpaces(labs);

  @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
  private volatile Audit audit;

  @Activate
  public LabComponent() {}

  /** Labs end with the bundle. */
  @Deactivate
  void deactivate() {
    labs.close();
  }

  /** Opens namespaces, those of labs too. */
  public NetSpaces spaces() {
    return spaces;
  }

  @Override
  public List<LabSide> create(String name, int queues) {
    AuditEvent event =
        AuditEvent.of(Actor.current(), "net.create-lab").object(name).detail(queues + " queues");
    return trail.recorded(event, () -> labs.create(name, queues), any -> name);
  }

  @Override
  public List<LabSide> createWithHost(String name, int queues) {
    AuditEvent event =
        AuditEvent.of(Actor.current(), "net.create-lab")
            .object(name)
            .detail(queues + " queues, with a host");
    return trail.recorded(event, () -> labs.createWithHost(name, queues), any -> name);
  }

  @Override
  public List<LabSide> list() {
    return labs.list();
  }

  @Override
  public void delete(String name) {
    trail.run(
        AuditEvent.of(Actor.current(), "net.delete-lab").object(name), () -> labs.delete(name));
  }
}
