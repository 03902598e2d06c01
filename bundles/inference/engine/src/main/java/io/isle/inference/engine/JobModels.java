package io.isle.inference.engine;

import io.isle.api.base.ConfigFiles;
import io.isle.api.base.IsleException;
import io.isle.inference.engine.settings.JobKeys;
import io.isle.inference.engine.slot.ModelSlot;
import io.isle.inference.engine.slot.SlotJobs;
import io.isle.inference.engine.slot.SlotJobs.Owner;
import io.isle.lib.signing.TrustedKey;
import java.io.UncheckedIOException;
import java.util.Map;

/**
 * Models of jobs. A settings file marks each of them, which goes with the job: so this bundle may
 * restart amid a job, and finds out whether the job has ended meanwhile. Thread-safe.
 */
final class JobModels {
  private static final System.Logger LOG = System.getLogger(JobModels.class.getName());

  private final ConfigFiles files;
  private final String platform;

  /**
   * @param platform another text at each start of the platform
   */
  JobModels(ConfigFiles files, String platform) {
    this.files = files;
    this.platform = platform;
  }

  /**
   * Lets a model serve until {@link #end}.
   *
   * @param resource the same object as at the end
   */
  void begin(ModelSlot slot, byte[] file, TrustedKey key, Object resource) {
    Owner owner = owner(resource);
    String sha256 = SlotJobs.begin(slot, file, key, owner);
    try {
      files.set(JobKeys.pid(slot.name()), Map.of(JobKeys.MODEL.key(), sha256));
    } catch (RuntimeException e) {
      boolean ignored = SlotJobs.end(slot, owner);
      throw e;
    }
  }

  /** The slot's own models serve again; false if the model is not that of this resource. */
  boolean end(ModelSlot slot, Object resource) {
    boolean ended = SlotJobs.end(slot, owner(resource));
    if (ended) {
      boolean ignored = files.delete(JobKeys.pid(slot.name()));
    }
    return ended;
  }

  /** After the owner of the decision has come: the model of a job that runs serves again. */
  void resume(ModelSlot slot) {
    try {
      boolean runs = files.read(JobKeys.pid(slot.name())).isPresent();
      SlotJobs.resume(slot, runs ? platform : "");
    } catch (IsleException | UncheckedIOException e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "{0}: the model of a job is out: {1}",
          slot.name(),
          e.getMessage());
    }
  }

  /** Jobs keep the object, also while this bundle restarts. */
  private Owner owner(Object resource) {
    return new Owner(platform, System.identityHashCode(resource));
  }
}
