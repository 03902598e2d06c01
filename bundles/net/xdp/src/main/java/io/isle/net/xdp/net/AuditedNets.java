package io.isle.net.xdp.net;

import io.isle.api.base.Setting;
import io.isle.api.net.AppInfo;
import io.isle.api.net.NetAdmin;
import io.isle.api.net.NetCounter;
import io.isle.api.net.NetException;
import io.isle.api.net.NetFinding;
import io.isle.api.net.NetInfo;
import io.isle.api.net.NetRoute;
import io.isle.api.observe.Actor;
import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditEvent;
import io.isle.api.observe.AuditTrail;
import io.isle.net.xdp.settings.AppSettings;
import io.isle.net.xdp.settings.NetSettings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Offers {@link NetAdmin}, and records who changed what. */
@Component(service = NetAdmin.class)
public final class AuditedNets implements NetAdmin {
  private final NetCore core;
  private final AuditTrail trail;

  @Activate
  public AuditedNets(@Reference NetComponent component) {
    this(component.core(), component::audit);
  }

  /**
   * @param audit gives the audit log, or null while none is present: then nothing is recorded
   */
  AuditedNets(NetCore core, Supplier<Audit> audit) {
    this.core = core;
    trail = new AuditTrail(audit, NetException::new);
  }

  @Override
  public List<NetInfo> nets() {
    return core.infos();
  }

  @Override
  public Optional<NetInfo> find(String net) {
    return core.find(net);
  }

  @Override
  public List<String> keys() {
    return NetSettings.keys();
  }

  @Override
  public void create(String net, Map<String, String> settings) {
    trail.run(event("create", net, settings), () -> core.create(net, settings));
  }

  @Override
  public void set(String net, Map<String, String> changes) {
    trail.run(event("set", net, changes), () -> core.set(net, changes));
  }

  @Override
  public boolean remove(String net) {
    return core.has(net)
        && trail.recorded(event("remove", net), () -> core.remove(net), any -> net);
  }

  @Override
  public void reload(String net) {
    trail.run(event("reload", net), () -> core.reload(net));
  }

  @Override
  public List<NetCounter> counters(String net) {
    return core.counters(net);
  }

  @Override
  public List<NetRoute> routes(String net) {
    return core.routes(net);
  }

  @Override
  public List<NetFinding> explain(String net) {
    return core.explain(net);
  }

  @Override
  public List<AppInfo> apps() {
    return core.apps();
  }

  @Override
  public List<String> appKeys() {
    return AppSettings.keys();
  }

  @Override
  public Map<String, List<Setting>> kinds() {
    return core.kinds();
  }

  @Override
  public void createApp(String app, Map<String, String> settings) {
    trail.run(event("app-create", app, settings), () -> core.createApp(app, settings));
  }

  @Override
  public void startApp(String app, Map<String, String> settings) {
    trail.run(event("app-start", app, settings), () -> core.startApp(app, settings));
  }

  @Override
  public void setApp(String app, Map<String, String> changes) {
    trail.run(event("app-set", app, changes), () -> core.setApp(app, changes));
  }

  @Override
  public boolean removeApp(String app) {
    return core.hasApp(app)
        && trail.recorded(event("app-remove", app), () -> core.removeApp(app), any -> app);
  }

  private static AuditEvent event(String verb, String object) {
    return AuditEvent.of(Actor.current(), "net." + verb).object(object);
  }

  private static AuditEvent event(String verb, String object, Map<String, String> settings) {
    return event(verb, object).detail(new TreeMap<>(settings).toString());
  }
}
