package io.isle.faces.shell.model;

import io.isle.api.inference.Models;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code model:reset}. */
@Service
@Command(
    scope = "model",
    name = "reset",
    description = "Ends a fallback, also one that needs an administrator")
@RequiredRole(value = Role.ADMIN, reason = "Only administrators say which models decide.")
public final class ResetCommand extends ModelUseCommand {
  @Override
  void change(Models models, String decision, String ofGroup) {
    models.reset(decision, ofGroup);
  }
}
