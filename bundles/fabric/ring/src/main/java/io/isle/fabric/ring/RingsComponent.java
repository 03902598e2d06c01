package io.isle.fabric.ring;

import io.isle.api.base.Errno;
import io.isle.api.fabric.LayerRange;
import io.isle.api.fabric.RingEndpoint;
import io.isle.api.fabric.RingException;
import io.isle.api.fabric.RingNodeInfo;
import io.isle.api.fabric.Rings;
import io.isle.api.observe.AuditEvent;
import io.isle.api.observe.AuditTrail;
import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.Permission;
import io.isle.fabric.ring.admin.NodeFiles;
import io.isle.fabric.ring.node.Node;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ServiceScope;

/** Publishes {@link Rings}, one object a using bundle; closes the bundle's endpoints at its end. */
@Component(service = Rings.class, scope = ServiceScope.BUNDLE)
public final class RingsComponent implements Rings {
  private final RingCore core;
  private final Capabilities capabilities;
  private final AuditTrail trail;
  private final Set<RingEndpoint> endpoints = new HashSet<>();
  private boolean closed;

  @Activate
  public RingsComponent(@Reference RingComponent component, @Reference Capabilities capabilities) {
    this.core = component.core();
    this.capabilities = capabilities;
    trail = new AuditTrail(component::audit, RingException::new);
  }

  @Deactivate
  void deactivate() {
    List<RingEndpoint> open;
    synchronized (this) {
      closed = true;
      open = List.copyOf(endpoints);
    }
    open.forEach(RingEndpoint::close);
  }

  @Override
  public List<RingNodeInfo> nodes() {
    return core.infos();
  }

  @Override
  public RingEndpoint open(Capability capability, String node) {
    capabilities.check(capability, Permission.FABRIC_RING, capability.device().orElse(""));
    Node found = core.find(node).orElseThrow(() -> NodeFiles.missing(node));
    AtomicReference<RingEndpoint> mine = new AtomicReference<>();
    RingEndpoint made =
        trail.recorded(
            event("open", capability),
            () ->
                found.open(
                    capability,
                    (boundaries, work) -> recorded(node, capability, boundaries, work),
                    () -> forget(mine.get())),
            any -> node);
    mine.set(made);
    synchronized (this) {
      if (!closed) {
        endpoints.add(made);
        return made;
      }
    }
    made.close();
    throw new RingException(Errno.ECLOSED, "the bundle that opens the endpoint is stopped");
  }

  private List<LayerRange> recorded(
      String node,
      Capability capability,
      List<Integer> boundaries,
      Supplier<List<LayerRange>> work) {
    AuditEvent event = event("resize", capability).detail(String.valueOf(boundaries));
    return trail.recorded(event.object(node), work, ranges -> node);
  }

  private static AuditEvent event(String verb, Capability capability) {
    String device = capability.device().orElse("");
    return AuditTrail.tenant("ring." + verb, capability.tenant(), capability.id(), device);
  }

  private synchronized void forget(RingEndpoint endpoint) {
    endpoints.remove(endpoint);
  }
}
