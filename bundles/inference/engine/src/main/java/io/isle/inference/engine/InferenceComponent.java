package io.isle.inference.engine;

import io.isle.api.base.ConfigFiles;
import io.isle.api.base.MonotonicClock;
import io.isle.api.inference.DecisionPoint;
import io.isle.api.inference.DriftEvent;
import io.isle.api.inference.FallbackEvent;
import io.isle.api.inference.InferenceException;
import io.isle.api.inference.InferenceListener;
import io.isle.api.inference.Models;
import io.isle.api.inference.SlotInfo;
import io.isle.api.observe.Actor;
import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditEvent;
import io.isle.api.observe.AuditTrail;
import io.isle.api.observe.Metric;
import io.isle.api.observe.MetricSource;
import io.isle.inference.engine.load.TrustedModelKeys;
import io.isle.inference.engine.report.InferenceReports;
import io.isle.inference.engine.settings.EngineSettings;
import io.isle.inference.engine.settings.SlotSettings;
import io.isle.inference.engine.slot.SlotEvents;
import io.isle.inference.engine.store.SlotStore;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.service.cm.ConfigurationEvent;
import org.osgi.service.cm.ConfigurationListener;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Wires the engine: owners of decisions, settings, keys, audit; offers {@link Models}. */
@Component(
    configurationPid = EngineSettings.PID,
    service = {Models.class, EngineAccess.class, MetricSource.class, ConfigurationListener.class},
    immediate = true)
public final class InferenceComponent
    implements Models, EngineAccess, MetricSource, ConfigurationListener {
  private static final Logger LOG = LoggerFactory.getLogger(InferenceComponent.class);

  private final InferenceReports reports = new InferenceReports(() -> this.audit, LOG);
  private final AuditTrail trail = new AuditTrail(() -> this.audit, InferenceException::new);
  private final SettingsFiles files;
  private final InferenceEngine engine;
  private final Administration administration;

  @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
  private volatile Audit audit;

  /** Reads what is kept and starts the threads. */
  @Activate
  public InferenceComponent(
      BundleContext context, Map<String, Object> properties, @Reference ConfigFiles configFiles) {
    files = new SettingsFiles(configFiles, properties, LOG::warn);
    engine =
        new InferenceEngine(
            new SlotStore(data(context)),
            new TrustedModelKeys(
                Path.of(System.getProperty("karaf.etc", "etc"), "model-keys"), Clock.systemUTC()),
            new JobModels(configFiles, context.getProperty(Constants.FRAMEWORK_UUID)),
            MonotonicClock.SYSTEM,
            events(),
            files.engine(),
            files.slots());
    administration = new Administration(engine, files);
  }

  private static Path data(BundleContext context) {
    String data = context.getProperty("karaf.data");
    return data == null ? context.getDataFile("models").toPath() : Path.of(data, "models");
  }

  private SlotEvents events() {
    return new SlotEvents() {
      @Override
      public void fallback(FallbackEvent event) {
        reports.fallback(event);
      }

      @Override
      public void drift(DriftEvent event) {
        reports.drift(event);
      }
    };
  }

  @Modified
  void modified(Map<String, Object> properties) {
    files.engine(properties);
    engine.settings(files.engine(), files.slots());
  }

  @Override
  public void configurationEvent(ConfigurationEvent event) {
    if (SlotSettings.FACTORY_PID.equals(event.getFactoryPid())) {
      files.refresh();
      engine.settings(files.engine(), files.slots());
    }
  }

  @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
  void addPoint(DecisionPoint point) {
    engine.owners().added(point);
  }

  void removePoint(DecisionPoint point) {
    engine.owners().removed(point);
  }

  @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
  void addListener(InferenceListener listener) {
    reports.add(listener);
  }

  void removeListener(InferenceListener listener) {
    reports.remove(listener);
  }

  @Deactivate
  void deactivate() {
    engine.close();
    reports.close();
  }

  @Override
  public InferenceEngine engine() {
    return engine;
  }

  @Override
  public AuditTrail trail() {
    return trail;
  }

  @Override
  public List<Metric> metrics() {
    return ModelMetrics.of(engine.infos());
  }

  @Override
  public List<SlotInfo> slots() {
    return engine.infos();
  }

  @Override
  public Optional<SlotInfo> find(String name) {
    return engine.find(name).map(slot -> slot.info());
  }

  @Override
  public SlotInfo load(Path file, boolean unsigned) {
    return trail.recorded(
        event("load").detail(text(file, unsigned)),
        () -> administration.load(file, unsigned),
        SlotInfo::name);
  }

  @Override
  public SlotInfo shadow(Path file, boolean unsigned) {
    return trail.recorded(
        event("shadow").detail(text(file, unsigned)),
        () -> administration.shadow(file, unsigned),
        SlotInfo::name);
  }

  private static String text(Path file, boolean unsigned) {
    return unsigned ? file + " unsigned" : file.toString();
  }

  @Override
  public void unload(String name) {
    trail.run(event("unload").object(name), () -> administration.unload(name));
  }

  @Override
  public void enable(String name, String group) {
    trail.run(of("enable", name, group), () -> administration.enable(name, group));
  }

  @Override
  public void disable(String name, String group) {
    trail.run(of("disable", name, group), () -> administration.disable(name, group));
  }

  @Override
  public void heuristic(String name) {
    trail.run(event("heuristic").object(name), () -> administration.heuristic(name));
  }

  @Override
  public void reset(String name, String group) {
    trail.run(of("reset", name, group), () -> administration.reset(name, group));
  }

  @Override
  public void rollback(String name) {
    trail.run(event("rollback").object(name), () -> administration.rollback(name));
  }

  @Override
  public void retry(String name, String group) {
    trail.run(of("retry", name, group), () -> administration.retry(name, group));
  }

  @Override
  public void hold(String name, String group) {
    trail.run(of("hold", name, group), () -> administration.hold(name, group));
  }

  @Override
  public Captured capture(String name, Path file, long records, Duration most)
      throws InterruptedException {
    trail.record(event("capture").object(name).detail(file.toString()));
    return administration.capture(name, file, records, most);
  }

  private static AuditEvent event(String verb) {
    return AuditEvent.of(Actor.current(), "model." + verb);
  }

  private static AuditEvent of(String verb, String name, String group) {
    return event(verb).object(name).detail(group.isEmpty() ? "" : "group=" + group);
  }
}
