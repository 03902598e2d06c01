package io.isle.inference.engine.slot;

import io.isle.api.base.Errno;
import io.isle.api.base.IsleException;
import io.isle.api.base.MonotonicClock;
import io.isle.api.inference.DecisionPoint;
import io.isle.api.inference.InferenceException;
import io.isle.inference.engine.fallback.SavedFallback;
import io.isle.inference.engine.load.ModelLoader;
import io.isle.inference.engine.load.ModelLoader.Demand;
import io.isle.inference.engine.store.SlotStore;
import io.isle.inference.engine.store.StoredJob;
import io.isle.inference.engine.store.StoredModel;
import io.isle.inference.engine.store.StoredSlot;
import io.isle.lib.model.ModelException;
import io.isle.lib.model.SerialMark;
import java.util.List;
import java.util.Optional;

/**
 * The models of a slot in memory and on disk. The disk is written first, so that a restart never
 * finds less than was told. Under the slot's lock.
 */
final class SlotModels {
  private static final System.Logger LOG = System.getLogger(SlotModels.class.getName());

  private final String name;
  private final SlotStore store;
  private final SlotProofs proofs;
  private StoredSlot stored;
  private PlacedModel serving;
  private PlacedModel shadow;
  private PlacedModel previous;
  private final Problem problem;
  private System.Logger.Level level = System.Logger.Level.WARNING;

  SlotModels(String name, SlotStore store, ModelLoader loader, MonotonicClock clock) {
    this.name = name;
    this.store = store;
    proofs = new SlotProofs(name, store, loader, clock);
    problem = new Problem(name);
    stored = store.read(name);
  }

  StoredSlot stored() {
    return stored;
  }

  PlacedModel serving() {
    return serving;
  }

  PlacedModel shadow() {
    return shadow;
  }

  PlacedModel previous() {
    return previous;
  }

  /** Why a kept model is not in memory. */
  Problem problem() {
    return problem;
  }

  /** Proves files. */
  SlotProofs proofs() {
    return proofs;
  }

  /** Demands of a file that is new in this slot. */
  Demand newer(boolean unsigned) {
    return new Demand(stored.newest(), List.of(), unsigned);
  }

  /** Lets a model serve; false if it is the one that serves already. */
  boolean serve(PlacedModel model, byte[] file) {
    if (serving != null && serving.sha256().equals(model.sha256())) {
      return false;
    }
    keep(model, file);
    StoredModel kept = kept(model);
    boolean again = stored.serving().filter(kept::equals).isPresent();
    write(
        stored.withModels(
            Optional.of(kept),
            stored.shadow().filter(one -> !one.equals(kept)),
            again ? stored.previous() : stored.serving().or(stored::previous)));
    previous = again || serving == null ? previous : serving;
    serving = model;
    shadow = stored.shadow().isPresent() ? shadow : null;
    problem.clear();
    return true;
  }

  /** Lets a model be scored. */
  void shadow(PlacedModel model, byte[] file) {
    keep(model, file);
    write(stored.withModels(stored.serving(), Optional.of(kept(model)), stored.previous()));
    shadow = model;
  }

  /** Lets the shadow serve. */
  void promote() {
    write(
        stored.withModels(
            stored.shadow(), Optional.empty(), stored.serving().or(stored::previous)));
    previous = serving == null ? previous : serving;
    serving = shadow;
    shadow = null;
    problem.clear();
  }

  /** Takes the model that serves and the shadow out. */
  void unload() {
    write(
        stored.withModels(
            Optional.empty(), Optional.empty(), stored.serving().or(stored::previous)));
    previous = serving == null ? previous : serving;
    serving = null;
    shadow = null;
    problem.clear();
  }

  /** Lets the previous model serve again, proven anew. */
  void rollback(DecisionPoint point, long budgetNs) {
    StoredModel back =
        stored
            .previous()
            .orElseThrow(
                () -> new InferenceException(Errno.ENOENT, name + " has no previous model"));
    PlacedModel model = proofs.again(back, point, budgetNs);
    write(stored.withModels(Optional.of(back), stored.shadow(), stored.serving()));
    previous = serving;
    serving = model;
    problem.clear();
  }

  /**
   * Proves what is kept and not in memory. Problems are kept, and logged at a level: those of tries
   * that follow each other are no news.
   */
  void restore(DecisionPoint point, long budgetNs, System.Logger.Level level) {
    this.level = level;
    problem.clear();
    serving = restored("serving", stored.serving(), serving, point, budgetNs);
    shadow = restored("shadow", stored.shadow(), shadow, point, budgetNs);
    previous = previous == null ? former(point, budgetNs) : previous;
  }

  /** The previous model, if it still passes; it serves nothing, so a fault is no problem yet. */
  private PlacedModel former(DecisionPoint point, long budgetNs) {
    try {
      return stored.previous().map(kept -> proofs.again(kept, point, budgetNs)).orElse(null);
    } catch (IsleException e) {
      LOG.log(
          System.Logger.Level.DEBUG, "{0}: the previous model is out: {1}", name, e.getMessage());
      return null;
    }
  }

  private PlacedModel restored(
      String role,
      Optional<StoredModel> kept,
      PlacedModel now,
      DecisionPoint point,
      long budgetNs) {
    if (kept.isEmpty() || now != null) {
      return kept.isEmpty() ? null : now;
    }
    try {
      return proofs.again(kept.get(), point, budgetNs);
    } catch (IsleException e) {
      boolean ofSignature =
          e instanceof ModelException model ? model.fault().ofSignature() : e.code() == Errno.EPERM;
      problem.add(role, e.getMessage(), ofSignature, level);
      return null;
    }
  }

  /** Takes out what may no longer decide; whether something was. */
  boolean judge() {
    level = System.Logger.Level.WARNING;
    PlacedModel before = serving;
    PlacedModel shadowBefore = shadow;
    serving = judged("serving", serving);
    shadow = judged("shadow", shadow);
    previous = previous == null || proofs.objection(previous).isEmpty() ? previous : null;
    return serving != before || shadow != shadowBefore;
  }

  private PlacedModel judged(String role, PlacedModel model) {
    String why = model == null ? "" : proofs.objection(model);
    if (why.isEmpty()) {
      return model;
    }
    problem.add(role, why, true, level);
    return null;
  }

  /** Forgets what is in memory, because the decision's owner goes. */
  void forget() {
    serving = null;
    shadow = null;
    previous = null;
  }

  /** Notes what a file of {@code deploy} has, or that it is gone. */
  void deployed(String file, Optional<String> sha256) {
    write(stored.withDeployed(file, sha256));
  }

  /** Keeps the model of a job, or that there is none. */
  void job(Optional<StoredJob> job, byte[] file) {
    job.ifPresent(one -> store.keep(name, one.sha256(), file));
    write(stored.withJob(job));
  }

  /** Notes fallbacks. */
  void decided(List<SavedFallback> fallbacks) {
    if (!fallbacks.isEmpty() || !stored.decisions().isEmpty()) {
      write(stored.withDecisions(fallbacks));
    }
  }

  private void keep(PlacedModel model, byte[] file) {
    store.keep(name, model.sha256(), file);
    boolean newest =
        stored.newest().map(mark -> model.proven().serial() > mark.serial()).orElse(true);
    if (model.proven().signer().isPresent() && newest) {
      stored = stored.withNewest(new SerialMark(model.proven().serial(), model.sha256()));
    }
  }

  private void write(StoredSlot next) {
    store.write(name, next);
    stored = next;
  }

  private static StoredModel kept(PlacedModel model) {
    return new StoredModel(model.sha256(), model.proven().signer().isEmpty());
  }
}
