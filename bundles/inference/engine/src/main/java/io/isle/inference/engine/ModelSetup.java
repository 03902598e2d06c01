package io.isle.inference.engine;

import io.isle.api.base.Errno;
import io.isle.api.inference.DecisionSpec;
import io.isle.api.inference.InferenceException;
import io.isle.api.jobs.ActionMistake;
import io.isle.api.jobs.ActionParameter;
import io.isle.api.jobs.ActionValues;
import io.isle.api.jobs.SetupEvent;
import io.isle.api.jobs.SetupKind;
import io.isle.api.jobs.SetupResource;
import io.isle.api.observe.Actor;
import io.isle.api.observe.AuditEvent;
import io.isle.inference.engine.settings.JobKeys;
import io.isle.inference.engine.slot.ModelSlot;
import io.isle.lib.model.ModelKeys;
import io.isle.lib.signing.SigningException;
import io.isle.lib.signing.TrustedKey;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Models that serve only during a job: {@code setup.models}, by the name of the decision. */
@Component(service = SetupKind.class)
public final class ModelSetup implements SetupKind {
  private static final String FILE = "file";
  private static final String KEY = "key";

  private final EngineAccess access;

  /** Models of jobs go through the engine of this bundle. */
  @Activate
  public ModelSetup(@Reference EngineAccess access) {
    this.access = access;
  }

  @Override
  public String key() {
    return "models";
  }

  @Override
  public String singular() {
    return "model";
  }

  @Override
  public List<ActionParameter> parameters() {
    return List.of(
        ActionParameter.of(FILE, ActionParameter.Kind.FILE),
        ActionParameter.of(KEY, ActionParameter.Kind.FILE));
  }

  @Override
  public List<SetupEvent> events() {
    return List.of();
  }

  @Override
  public Optional<ActionMistake> check(SetupResource model) {
    return DecisionSpec.NAME.matcher(model.name()).matches()
        ? Optional.empty()
        : Optional.of(
            new ActionMistake(
                "",
                "'"
                    + model.name()
                    + "' is no name of a decision: it does not match "
                    + DecisionSpec.NAME));
  }

  @Override
  public Optional<ActionMistake> check(SetupResource model, String event, ActionValues values) {
    return Optional.empty();
  }

  @Override
  public Set<String> pids(SetupResource model) {
    return Set.of(JobKeys.pid(model.name()));
  }

  @Override
  public void make(SetupResource model) {
    access.trail().run(event("begin", model), () -> begin(model));
  }

  private void begin(SetupResource model) {
    ModelSlot slot = access.engine().named(model.name());
    TrustedKey key = key(model.values().path(KEY));
    byte[] file = access.engine().loader().read(model.values().path(FILE));
    access.engine().jobs().begin(slot, file, key, model);
  }

  private static TrustedKey key(Path file) {
    try {
      return ModelKeys.key(file);
    } catch (IOException e) {
      throw new InferenceException(Errno.EIO, file + " cannot be read: " + e.getMessage(), e);
    } catch (SigningException e) {
      throw new InferenceException(e.code(), file + " is not a key file: " + e.getMessage(), e);
    }
  }

  @Override
  public void remove(SetupResource model) {
    Optional<ModelSlot> slot = access.engine().find(model.name());
    if (slot.isPresent() && access.engine().jobs().end(slot.get(), model)) {
      access.trail().record(event("end", model));
    }
  }

  @Override
  public void happen(SetupResource model, String event, ActionValues values) {
    throw new InferenceException(Errno.EINVAL, "models have no event '" + event + "'");
  }

  private static AuditEvent event(String what, SetupResource model) {
    return AuditEvent.of(Actor.current(), "model.job_" + what)
        .object(model.name())
        .detail(model.values().text(FILE) + " key " + model.values().text(KEY));
  }
}
