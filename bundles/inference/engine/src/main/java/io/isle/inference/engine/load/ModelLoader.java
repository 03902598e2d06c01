package io.isle.inference.engine.load;

import io.isle.api.base.Errno;
import io.isle.api.base.MonotonicClock;
import io.isle.api.inference.DecisionPoint;
import io.isle.api.inference.InferenceException;
import io.isle.inference.engine.settings.EngineSettings;
import io.isle.lib.model.ModelProof;
import io.isle.lib.model.ProofSettings;
import io.isle.lib.model.ProvenModel;
import io.isle.lib.model.SerialMark;
import io.isle.lib.signing.TrustedKey;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Reads, proves and warms models. Thread-safe. */
public final class ModelLoader {
  private final TrustedModelKeys keys;
  private final MonotonicClock clock;
  private final Supplier<EngineSettings> settings;

  /**
   * What is demanded of one model besides the settings.
   *
   * @param newest newest model of the slot; none accepts any serial number
   * @param alsoTrusted keys that count besides the trusted ones
   * @param unsigned whether a file without signatures is accepted
   */
  public record Demand(
      Optional<SerialMark> newest, List<TrustedKey> alsoTrusted, boolean unsigned) {
    /** Of a model that was accepted before. */
    public static Demand again(boolean unsigned) {
      return new Demand(Optional.empty(), List.of(), unsigned);
    }
  }

  /**
   * @param settings as they are now
   */
  public ModelLoader(
      TrustedModelKeys keys, MonotonicClock clock, Supplier<EngineSettings> settings) {
    this.keys = keys;
    this.clock = clock;
    this.settings = settings;
  }

  /** The trusted keys. */
  public TrustedModelKeys keys() {
    return keys;
  }

  /** Most bytes of a file. */
  public int mostBytes() {
    return ModelPeek.HEADER + settings.get().maxModelBytes();
  }

  /** One copy of a file. */
  public byte[] read(Path file) {
    return FileBytes.read(file, mostBytes());
  }

  /**
   * Proves and warms a model of a decision.
   *
   * @throws io.isle.lib.model.ModelException the first fault
   * @throws InferenceException EPERM for an unsigned model that the settings do not permit
   */
  public ProvenModel load(byte[] file, DecisionPoint point, long budgetNs, Demand demand) {
    EngineSettings now = settings.get();
    if (demand.unsigned() && !now.allowUnsigned()) {
      throw new InferenceException(
          Errno.EPERM,
          "unsigned models are not permitted: allow_unsigned is false in " + EngineSettings.PID);
    }
    List<TrustedKey> trusted = new ArrayList<>(keys.keys());
    trusted.addAll(demand.alsoTrusted());
    ProvenModel model =
        ModelProof.prove(
            file,
            new ProofSettings(
                Optional.of(point.spec()),
                demand.newest(),
                budgetNs,
                now.maxModelBytes(),
                trusted,
                demand.unsigned(),
                keys.clock().instant()));
    new WarmUp(clock, now.warmUpCalls(), now.warmUpNs()).run(point, model);
    return model;
  }

  /** Why a model may not go on to decide; empty if it may. */
  public String objection(ProvenModel model) {
    return model
        .signer()
        .map(keys::objection)
        .orElseGet(
            () ->
                settings.get().allowUnsigned()
                    ? ""
                    : "unsigned models are no longer permitted: allow_unsigned is false");
  }
}
