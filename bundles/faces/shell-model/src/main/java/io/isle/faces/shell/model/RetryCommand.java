package io.isle.faces.shell.model;

import io.isle.api.inference.Models;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code model:retry}. */
@Service
@Command(
    scope = "model",
    name = "retry",
    description = "Tries a model in fallback with the next decisions")
@RequiredRole(value = Role.ADMIN, reason = "Only administrators say which models decide.")
public final class RetryCommand extends ModelUseCommand {
  @Override
  void change(Models models, String decision, String ofGroup) {
    models.retry(decision, ofGroup);
  }
}
