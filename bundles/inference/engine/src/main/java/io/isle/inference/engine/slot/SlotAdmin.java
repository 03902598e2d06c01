package io.isle.inference.engine.slot;

import io.isle.api.base.Errno;
import io.isle.api.inference.DecisionPoint;
import io.isle.api.inference.InferenceException;
import io.isle.api.inference.Models.Captured;
import io.isle.inference.engine.load.ModelPeek;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * What administrators do to slots, but for the mode, which is a setting. Pure functions on a slot;
 * thread-safe.
 */
public final class SlotAdmin {
  private SlotAdmin() {}

  /** Proves a file and lets it serve; false if it did already. */
  public static boolean load(ModelSlot slot, byte[] file, boolean unsigned) {
    return slot.locked(
        () -> {
          DecisionPoint point = slot.freePoint();
          SlotModels models = slot.models();
          PlacedModel model =
              models.proofs().prove(file, point, slot.budgetNs(), models.newer(unsigned));
          boolean other = models.serve(model, file);
          if (other) {
            slot.replaced();
          }
          return other;
        });
  }

  /** Proves a file and scores it. */
  public static void shadow(ModelSlot slot, byte[] file, boolean unsigned) {
    slot.run(
        () -> {
          DecisionPoint point = slot.freePoint();
          SlotModels models = slot.models();
          models.shadow(
              models.proofs().prove(file, point, slot.budgetNs(), models.newer(unsigned)), file);
          slot.apply();
        });
  }

  /** Takes models out. */
  public static void unload(ModelSlot slot) {
    slot.run(
        () -> {
          slot.requireFree();
          if (slot.models().stored().serving().isEmpty()
              && slot.models().stored().shadow().isEmpty()) {
            throw new InferenceException(Errno.ENOENT, slot.name() + " has no model");
          }
          slot.models().unload();
          slot.replaced();
        });
  }

  /** Lets the previous model serve. */
  public static void rollback(ModelSlot slot) {
    slot.run(
        () -> {
          slot.models().rollback(slot.freePoint(), slot.budgetNs());
          slot.replaced();
        });
  }

  /** Ends fallbacks, after a shadow, if there is one, has begun to serve. */
  public static void enable(ModelSlot slot) {
    slot.run(
        () -> {
          if (slot.models().stored().shadow().isPresent()) {
            promote(slot);
          }
          reset(slot, "");
        });
  }

  private static void promote(ModelSlot slot) {
    DecisionPoint ignored = slot.freePoint();
    if (slot.models().shadow() == null) {
      slot.restore();
    }
    if (slot.models().shadow() == null) {
      throw problem(slot);
    }
    slot.models().promote();
    slot.replaced();
  }

  /** Ends the fallbacks of the model, or of one group. */
  public static void reset(ModelSlot slot, String group) {
    slot.run(
        () -> {
          slot.requireFree();
          if (!group.isEmpty()) {
            boolean ignored = slot.guard().fallback().reset(group);
            forgetDrift(slot, group);
            return;
          }
          if (slot.models().stored().serving().isEmpty()) {
            throw new InferenceException(Errno.ENOENT, slot.name() + " has no model");
          }
          if (!slot.models().problem().text().isEmpty()) {
            proveAgain(slot);
          }
          if (slot.models().serving() != null) {
            slot.models().serving().groups().values().forEach(GroupScore::forgetDrift);
          }
          if (!slot.guard().fallback().reset()) {
            throw problem(slot);
          }
        });
  }

  private static void proveAgain(ModelSlot slot) {
    DecisionPoint ignored = slot.point();
    boolean was = slot.models().problem().ofSignature();
    slot.restore();
    if (slot.models().serving() == null) {
      throw problem(slot);
    }
    if (was) {
      slot.replaced();
    }
  }

  private static void forgetDrift(ModelSlot slot, String group) {
    PlacedModel model = slot.models().serving();
    if (model != null && model.groups().containsKey(group)) {
      model.groups().get(group).forgetDrift();
    }
  }

  private static InferenceException problem(ModelSlot slot) {
    return new InferenceException(
        Errno.EACCES, slot.name() + ": " + slot.models().problem().text() + "; load a valid model");
  }

  /** Switches the model off for a group. */
  public static void disable(ModelSlot slot, String group) {
    slot.run(
        () -> {
          slot.requireFree();
          boolean ignored = slot.guard().fallback().disable(group);
        });
  }

  /** Tries the model with the next decisions. */
  public static void retry(ModelSlot slot, String group) {
    slot.run(
        () -> {
          slot.requireFree();
          boolean done =
              group.isEmpty()
                  ? slot.guard().fallback().retry()
                  : slot.guard().fallback().retry(group);
          if (!done) {
            throw new InferenceException(
                Errno.EPERM,
                scope(slot, group)
                    + " has no fallback that a retry can end; model:reset ends one by hand");
          }
        });
  }

  /** Stops retries. */
  public static void hold(ModelSlot slot, String group) {
    slot.run(
        () -> {
          slot.requireFree();
          boolean done =
              group.isEmpty()
                  ? slot.guard().fallback().hold()
                  : slot.guard().fallback().hold(group);
          if (!done) {
            throw new InferenceException(Errno.ENOENT, scope(slot, group) + " has no fallback");
          }
          slot.noteChange();
        });
  }

  private static String scope(ModelSlot slot, String group) {
    return group.isEmpty() ? slot.name() : "group " + group + " of " + slot.name();
  }

  /** Writes decisions to a file. */
  public static Captured capture(ModelSlot slot, Path file, long records, Duration most)
      throws InterruptedException {
    Capture capture =
        slot.locked(
            () -> {
              Capture made = new Capture(slot.point().spec());
              slot.capture(made);
              return made;
            });
    try {
      return capture.write(file, records, most);
    } finally {
      slot.run(() -> slot.capture(null));
    }
  }

  /** A file of {@code deploy} has come: it serves, unless it was there before. */
  public static boolean deploy(ModelSlot slot, String name, byte[] file) {
    return slot.locked(
        () -> {
          Optional<String> hash = ModelPeek.sha256(file);
          String before = slot.models().stored().deployed().get(name);
          if (hash.isPresent() && hash.get().equals(before)) {
            return false;
          }
          boolean loaded = load(slot, file, false);
          slot.models().deployed(name, hash);
          return loaded;
        });
  }

  /** Names of the files of {@code deploy} that have come. */
  public static Set<String> deployed(ModelSlot slot) {
    return slot.locked(() -> slot.models().stored().deployed().keySet());
  }

  /** A file of {@code deploy} has gone: so does its model; false if it is no longer in use. */
  public static boolean undeploy(ModelSlot slot, String name) {
    return slot.locked(
        () -> {
          String hash = slot.models().stored().deployed().get(name);
          if (hash == null) {
            return false;
          }
          slot.requireFree();
          slot.models().deployed(name, Optional.empty());
          boolean serves =
              slot.models().stored().serving().filter(one -> one.sha256().equals(hash)).isPresent();
          if (serves) {
            slot.models().unload();
            slot.replaced();
          }
          return serves;
        });
  }
}
