package io.isle.net.xdp.net;

import io.isle.api.base.Errno;
import io.isle.api.net.FramePort;
import io.isle.api.net.NetException;
import io.isle.api.net.Nets;
import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditEvent;
import io.isle.api.observe.AuditTrail;
import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.Permission;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ServiceScope;

/** Publishes {@link Nets}, one object a using bundle; closes the bundle's ports at its end. */
@Component(service = Nets.class, scope = ServiceScope.BUNDLE)
public final class NetsComponent implements Nets {
  private final NetCore core;
  private final Capabilities capabilities;
  private final AuditTrail trail;
  private final Set<FramePort> ports = new HashSet<>();
  private boolean closed;

  @Activate
  public NetsComponent(@Reference NetComponent component, @Reference Capabilities capabilities) {
    this(component.core(), capabilities, component::audit);
  }

  /**
   * @param audit gives the audit log, or null while none is present
   */
  NetsComponent(NetCore core, Capabilities capabilities, Supplier<Audit> audit) {
    this.core = core;
    this.capabilities = capabilities;
    trail = new AuditTrail(audit, NetException::new);
  }

  @Deactivate
  void deactivate() {
    List<FramePort> open;
    synchronized (this) {
      closed = true;
      open = List.copyOf(ports);
      ports.clear();
    }
    open.forEach(FramePort::close);
  }

  @Override
  public FramePort attach(Capability capability, String net, List<Integer> ports, int depth) {
    AuditEvent event = event("attach", capability, net).detail("ports " + ports);
    return recorded(
        event,
        capability,
        Permission.NET_ATTACH,
        () -> core.attach(capability, net, ports, depth, this::forget));
  }

  @Override
  public FramePort capture(Capability capability, String net) {
    return recorded(
        event("capture", capability, net),
        capability,
        Permission.NET_CAPTURE,
        () -> core.capture(capability, net, this::forget));
  }

  private synchronized void forget(FramePort port) {
    boolean ignored = ports.remove(port);
  }

  private static AuditEvent event(String verb, Capability capability, String net) {
    String device = capability.device().orElse("");
    return AuditTrail.tenant("net." + verb, capability.tenant(), capability.id(), device)
        .object(net);
  }

  private FramePort recorded(
      AuditEvent event, Capability capability, Permission right, Supplier<FramePort> work) {
    FramePort made =
        trail.recorded(
            event,
            () -> {
              capabilities.check(capability, right, capability.device().orElse(""));
              return work.get();
            },
            any -> event.object());
    synchronized (this) {
      if (!closed) {
        boolean ignored = ports.add(made);
        return made;
      }
    }
    made.close();
    throw new NetException(Errno.ECLOSED, "the bundle that opens the port is stopped");
  }
}
