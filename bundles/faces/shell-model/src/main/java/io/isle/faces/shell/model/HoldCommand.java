package io.isle.faces.shell.model;

import io.isle.api.inference.Models;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code model:hold}. */
@Service
@Command(
    scope = "model",
    name = "hold",
    description = "Stops the retries and the escalation of a fallback")
@RequiredRole(value = Role.ADMIN, reason = "Only administrators say which models decide.")
public final class HoldCommand extends ModelUseCommand {
  @Override
  void change(Models models, String decision, String ofGroup) {
    models.hold(decision, ofGroup);
  }
}
