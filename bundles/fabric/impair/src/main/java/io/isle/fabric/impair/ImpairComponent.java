package io.isle.fabric.impair;

import io.isle.api.base.ConfigFiles;
import io.isle.api.fabric.ImpairmentInfo;
import io.isle.api.fabric.Impairments;
import io.isle.api.fabric.RingException;
import io.isle.api.observe.Actor;
import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditEvent;
import io.isle.api.observe.AuditTrail;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.osgi.service.cm.ConfigurationEvent;
import org.osgi.service.cm.ConfigurationListener;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/** Offers {@link Impairments}; each change is recorded with its actor and its outcome. */
@Component(service = {Impairments.class, ConfigurationListener.class})
public final class ImpairComponent implements Impairments, ConfigurationListener {
  private final ImpairCore core;
  private final AuditTrail trail = new AuditTrail(() -> this.audit, RingException::new);

  @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
  private volatile Audit audit;

  @Activate
  public ImpairComponent(@Reference ConfigFiles files) {
    core = new ImpairCore(files);
    core.filesChanged();
  }

  @Deactivate
  void deactivate() {
    core.close();
  }

  @Override
  public void configurationEvent(ConfigurationEvent event) {
    if (ImpairSettings.FACTORY_PID.equals(event.getFactoryPid())) {
      core.filesChanged();
    }
  }

  @Override
  public List<ImpairmentInfo> relays() {
    return core.infos();
  }

  @Override
  public Optional<ImpairmentInfo> find(String relay) {
    return core.find(relay);
  }

  @Override
  public void create(String relay, Map<String, String> settings) {
    String text = new TreeMap<>(settings).toString();
    trail.run(event("create", relay).detail(text), () -> core.create(relay, settings));
  }

  @Override
  public void set(String relay, Map<String, String> changes) {
    String text = new TreeMap<>(changes).toString();
    trail.run(event("set", relay).detail(text), () -> core.set(relay, changes));
  }

  @Override
  public void cut(String relay) {
    trail.run(event("cut", relay), () -> core.cut(relay));
  }

  @Override
  public boolean remove(String relay) {
    return core.has(relay)
        && trail.recorded(event("remove", relay), () -> core.remove(relay), any -> relay);
  }

  private static AuditEvent event(String verb, String relay) {
    return AuditEvent.of(Actor.current(), "impair." + verb).object(relay);
  }
}
