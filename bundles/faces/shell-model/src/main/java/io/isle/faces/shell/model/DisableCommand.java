package io.isle.faces.shell.model;

import io.isle.api.inference.Models;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code model:disable}. */
@Service
@Command(scope = "model", name = "disable", description = "Switches a model off: the rule decides")
@RequiredRole(value = Role.ADMIN, reason = "Only administrators say which models decide.")
public final class DisableCommand extends ModelUseCommand {
  @Override
  void change(Models models, String decision, String ofGroup) {
    models.disable(decision, ofGroup);
  }
}
