package io.isle.inference.engine;

import io.isle.api.base.IsleException;
import io.isle.api.observe.Actor;
import io.isle.api.observe.AuditEvent;
import io.isle.inference.engine.load.ModelPeek;
import io.isle.inference.engine.slot.ModelSlot;
import io.isle.inference.engine.slot.SlotAdmin;
import io.isle.inference.engine.store.SlotStore;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.felix.fileinstall.ArtifactInstaller;
import org.apache.felix.fileinstall.ArtifactListener;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes models that are dropped into {@code deploy/}. A file whose decision has no owner yet waits
 * for it. Called on the thread that watches the folder.
 */
@Component(
    service = {ArtifactInstaller.class, ArtifactListener.class},
    immediate = true)
public final class ModelDeployer implements ArtifactInstaller {
  private static final Logger LOG = LoggerFactory.getLogger(ModelDeployer.class);

  private final EngineAccess access;

  /** By name of the file. */
  private final Map<String, Path> waiting = new ConcurrentHashMap<>();

  /** Waits for owners of decisions, too. */
  @Activate
  public ModelDeployer(@Reference EngineAccess access) {
    this(access, Path.of(System.getProperty("karaf.base", ""), "deploy"));
  }

  /**
   * Takes out what was removed while nobody watched.
   *
   * @param folder the one that is watched
   */
  ModelDeployer(EngineAccess access, Path folder) {
    this.access = access;
    for (ModelSlot slot : access.engine().all()) {
      SlotAdmin.deployed(slot).stream()
          .filter(name -> Files.notExists(folder.resolve(name)))
          .forEach(name -> undeploy(slot, name));
    }
    access.engine().owners().whenAttached(this::attached);
  }

  @Override
  public boolean canHandle(File file) {
    return file.getName().endsWith(SlotStore.SUFFIX) && file.isFile();
  }

  @Override
  public void install(File file) {
    take(file.getName(), file.toPath());
  }

  @Override
  public void update(File file) {
    install(file);
  }

  @Override
  public void uninstall(File file) {
    String name = file.getName();
    Path ignored = waiting.remove(name);
    access.engine().all().forEach(slot -> undeploy(slot, name));
  }

  private void undeploy(ModelSlot slot, String name) {
    try {
      if (SlotAdmin.undeploy(slot, name)) {
        access.trail().record(event("unload", name).object(slot.name()));
        LOG.info("deploy/{} is gone, and so is the model of {}", name, slot.name());
      }
    } catch (IsleException e) {
      access.trail().record(event("unload", name).failed(e.code(), e.getMessage()));
      LOG.warn("deploy/{}: the model stays: {}", name, e.getMessage());
    }
  }

  private void attached(ModelSlot slot) {
    waiting.forEach(
        (name, path) -> {
          if (path.toFile().isFile()) {
            take(name, path);
          }
        });
  }

  private void take(String name, Path path) {
    AuditEvent event = event("load", name);
    try {
      byte[] file = access.engine().loader().read(path);
      String decision = ModelPeek.decision(file).orElse("");
      if (access.engine().find(decision).filter(ModelSlot::isAttached).isEmpty()
          && !decision.isEmpty()) {
        waiting.put(name, path);
        LOG.info("deploy/{} waits for the owner of the decision {}", name, decision);
        return;
      }
      waiting.remove(name);
      ModelSlot slot = access.engine().slotOf(file);
      if (SlotAdmin.deploy(slot, name, file)) {
        access.trail().record(event.object(slot.name()));
        LOG.info("deploy/{} serves the decision {}", name, slot.name());
      }
    } catch (IsleException e) {
      access.trail().record(event.failed(e.code(), e.getMessage()));
      LOG.warn("deploy/{} is not loaded: {}", name, e.getMessage());
    }
  }

  private static AuditEvent event(String verb, String file) {
    return AuditEvent.of(Actor.PLATFORM, "model." + verb)
        .object("deploy/" + file)
        .detail("deploy/" + file);
  }
}
