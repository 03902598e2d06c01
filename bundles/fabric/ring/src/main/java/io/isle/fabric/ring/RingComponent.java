package io.isle.fabric.ring;

import io.isle.api.base.ConfigFiles;
import io.isle.api.fabric.HopTimes;
import io.isle.api.fabric.RingAdmin;
import io.isle.api.fabric.RingCounter;
import io.isle.api.fabric.RingFinding;
import io.isle.api.fabric.RingNodeInfo;
import io.isle.api.fabric.RingStage;
import io.isle.api.fabric.RingTransport;
import io.isle.api.observe.Audit;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.RevocationListener;
import io.isle.fabric.ring.admin.CounterFile;
import io.isle.fabric.ring.admin.CounterTotals;
import io.isle.fabric.ring.settings.NodeSettings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.osgi.framework.BundleContext;
import org.osgi.service.cm.ConfigurationEvent;
import org.osgi.service.cm.ConfigurationListener;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/** Offers {@link RingAdmin}, and brings transports, stages and settings to the nodes. */
@Component(
    service = {
      RingAdmin.class,
      RingComponent.class,
      ConfigurationListener.class,
      RevocationListener.class
    })
public final class RingComponent implements RingAdmin, ConfigurationListener, RevocationListener {
  private final CounterTotals totals = new CounterTotals();
  private final CounterFile counters;
  private final RingCore core;
  private final RingAdmin audited;

  @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
  private volatile Audit audit;

  @Activate
  public RingComponent(@Reference ConfigFiles files, BundleContext context) {
    counters = new CounterFile(context.getDataFile("counters").toPath());
    counters.read(totals);
    core = new RingCore(files, totals, new AuditedFailures(() -> this.audit));
    audited = new AuditedRings(core, () -> this.audit);
    core.filesChanged();
  }

  @Deactivate
  void deactivate() {
    core.close();
    counters.write(totals);
  }

  /** The audit log, or null while none is present. */
  Audit audit() {
    return audit;
  }

  RingCore core() {
    return core;
  }

  @Reference(
      cardinality = ReferenceCardinality.MULTIPLE,
      policy = ReferencePolicy.DYNAMIC,
      unbind = "removeTransport")
  void addTransport(RingTransport transport, Map<String, Object> properties) {
    core.add(name(properties, RingTransport.NAME_PROPERTY), transport);
  }

  void removeTransport(RingTransport transport, Map<String, Object> properties) {
    core.remove(name(properties, RingTransport.NAME_PROPERTY), transport);
  }

  @Reference(
      cardinality = ReferenceCardinality.MULTIPLE,
      policy = ReferencePolicy.DYNAMIC,
      unbind = "removeStage")
  void addStage(RingStage stage, Map<String, Object> properties) {
    core.add(name(properties, RingStage.NAME_PROPERTY), stage);
  }

  void removeStage(RingStage stage, Map<String, Object> properties) {
    core.remove(name(properties, RingStage.NAME_PROPERTY), stage);
  }

  private static String name(Map<String, Object> properties, String key) {
    return String.valueOf(properties.get(key));
  }

  @Override
  public void configurationEvent(ConfigurationEvent event) {
    if (NodeSettings.FACTORY_PID.equals(event.getFactoryPid())) {
      core.filesChanged();
    }
  }

  @Override
  public void revoked(List<Capability> capabilities) {
    core.revoked();
  }

  @Override
  public List<RingNodeInfo> nodes() {
    return audited.nodes();
  }

  @Override
  public Optional<RingNodeInfo> find(String node) {
    return audited.find(node);
  }

  @Override
  public List<String> keys() {
    return audited.keys();
  }

  @Override
  public List<String> transports() {
    return audited.transports();
  }

  @Override
  public List<RingFinding> check(String node) {
    return audited.check(node);
  }

  @Override
  public Optional<HopTimes> hop(String node) {
    return audited.hop(node);
  }

  @Override
  public List<RingCounter> counters() {
    return audited.counters();
  }

  @Override
  public void create(Map<String, Map<String, String>> nodes) {
    audited.create(nodes);
  }

  @Override
  public void set(Map<String, Map<String, String>> changes) {
    audited.set(changes);
  }

  @Override
  public void create(String node, Map<String, String> settings) {
    audited.create(node, settings);
  }

  @Override
  public void set(String node, Map<String, String> changes) {
    audited.set(node, changes);
  }

  @Override
  public boolean remove(String node) {
    return audited.remove(node);
  }
}
