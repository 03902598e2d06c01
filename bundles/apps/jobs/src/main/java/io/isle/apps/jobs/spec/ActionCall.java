package io.isle.apps.jobs.spec;

import io.isle.api.jobs.ActionParameter;
import io.isle.api.jobs.ActionValues;
import io.isle.api.jobs.JobAction;
import java.nio.file.Path;
import java.util.List;

/**
 * What a step asks for whose kind another bundle brings. Immutable.
 *
 * @param where the action's key in the step
 */
public record ActionCall(JobAction action, ActionValues values, Located where) {
  /** Files that the step reads. */
  public List<Path> inputs() {
    return files(ActionParameter.Kind.FILE);
  }

  /** Files that the step writes. */
  public List<Path> outputs() {
    return files(ActionParameter.Kind.OUT);
  }

  private List<Path> files(ActionParameter.Kind kind) {
    return action.parameters().stream()
        .filter(parameter -> parameter.kind() == kind && values.has(parameter.name()))
        .map(parameter -> values.path(parameter.name()))
        .toList();
  }
}
