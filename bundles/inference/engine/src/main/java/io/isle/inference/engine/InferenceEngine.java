package io.isle.inference.engine;

import io.isle.api.base.Errno;
import io.isle.api.base.MonotonicClock;
import io.isle.api.inference.InferenceException;
import io.isle.api.inference.SlotInfo;
import io.isle.inference.engine.load.ModelLoader;
import io.isle.inference.engine.load.ModelPeek;
import io.isle.inference.engine.load.TrustedModelKeys;
import io.isle.inference.engine.settings.EngineSettings;
import io.isle.inference.engine.settings.SlotSettings;
import io.isle.inference.engine.slot.ModelSlot;
import io.isle.inference.engine.slot.SlotEvents;
import io.isle.inference.engine.store.SlotStore;
import io.isle.lib.agent.SerialExecutor;
import io.isle.lib.model.ModelProof;
import io.isle.lib.model.ProofSettings;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * All slots, the owners of decisions that come and go, and the thread that looks after both.
 * Thread-safe.
 */
final class InferenceEngine implements AutoCloseable {

  private final SlotStore store;
  private final ModelLoader loader;
  private final JobModels jobs;
  private final MonotonicClock clock;
  private final SlotEvents events;
  private final SerialExecutor executor = new SerialExecutor("isle-models");
  private final Map<String, ModelSlot> slots = new ConcurrentSkipListMap<>();
  private final Owners owners;
  private final EngineThread thread;
  private volatile EngineSettings settings;
  private volatile Map<String, SlotSettings> ofSlots = Map.of();
  private final Upkeep upkeep;

  InferenceEngine(
      SlotStore store,
      TrustedModelKeys keys,
      JobModels jobs,
      MonotonicClock clock,
      SlotEvents events,
      EngineSettings settings,
      Map<String, SlotSettings> ofSlots) {
    this.store = store;
    this.jobs = jobs;
    owners = new Owners(executor, this::slot, jobs);
    this.clock = clock;
    this.events = events;
    this.settings = settings;
    this.ofSlots = Map.copyOf(ofSlots);
    loader = new ModelLoader(keys, clock, () -> this.settings);
    store.slots().forEach(this::slot);
    upkeep = new Upkeep(clock);
    thread = new EngineThread(this::round, () -> this.settings.scoringMs());
  }

  private ModelSlot slot(String name) {
    return slots.computeIfAbsent(
        name,
        key ->
            new ModelSlot(
                key,
                store,
                loader,
                clock,
                events,
                settings,
                ofSlots.getOrDefault(key, SlotSettings.DEFAULT)));
  }

  /** Reads and proves files. */
  ModelLoader loader() {
    return loader;
  }

  /** Models of jobs. */
  JobModels jobs() {
    return jobs;
  }

  /** The owners of decisions. */
  Owners owners() {
    return owners;
  }

  /** Other settings. */
  void settings(EngineSettings engine, Map<String, SlotSettings> nowOfSlots) {
    settings = engine;
    ofSlots = Map.copyOf(nowOfSlots);
    slots.forEach(
        (name, slot) -> slot.settings(engine, ofSlots.getOrDefault(name, SlotSettings.DEFAULT)));
  }

  private void round() {
    int left = settings.scoringRecords();
    for (ModelSlot slot : slots.values()) {
      left -= slot.round(left);
    }
    if (upkeep.keysAreDue(settings)) {
      loader.keys().refresh();
      slots.values().forEach(ModelSlot::judge);
    }
    if (upkeep.reloadIsDue(settings)) {
      boolean ignored = executor.post(() -> slots.values().forEach(ModelSlot::retryProblem));
    }
  }

  /** All slots that are worth showing. */
  List<SlotInfo> infos() {
    return slots.values().stream().map(ModelSlot::info).toList();
  }

  /** All slots. */
  Collection<ModelSlot> all() {
    return slots.values();
  }

  /** The slot of a decision. */
  Optional<ModelSlot> find(String name) {
    return Optional.ofNullable(slots.get(name));
  }

  /**
   * The slot of a decision.
   *
   * @throws InferenceException ENOENT, with the names that there are
   */
  ModelSlot named(String name) {
    return find(name)
        .orElseThrow(
            () ->
                new InferenceException(
                    Errno.ENOENT,
                    "no decision '%s'; there %s %s"
                        .formatted(
                            shortened(name),
                            slots.size() == 1 ? "is" : "are",
                            slots.isEmpty() ? "none" : String.join(", ", slots.keySet()))));
  }

  private static String shortened(String name) {
    return name.length() > 40 ? name.substring(0, 40) + "..." : name;
  }

  /**
   * The slot that a file is for.
   *
   * @throws io.isle.lib.model.ModelException if the file names none
   */
  ModelSlot slotOf(byte[] file) {
    String name =
        ModelPeek.decision(file)
            .orElseGet(
                () ->
                    ModelProof.prove(
                            file,
                            ProofSettings.any(loader.keys().keys(), loader.keys().clock().instant())
                                .withMaxParams(settings.maxModelBytes()))
                        .decision());
    return named(name);
  }

  /** All owners decide by the rule from now on, and the threads end. */
  @Override
  public void close() {
    owners.close();
    thread.close();
    executor.close();
    slots.values().forEach(ModelSlot::detach);
  }
}
