package io.isle.faces.shell.model;

import io.isle.api.inference.Models;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code model:enable}. */
@Service
@Command(
    scope = "model",
    name = "enable",
    description = "Lets a model decide again, or lets the shadow serve")
@RequiredRole(value = Role.ADMIN, reason = "Only administrators say which models decide.")
public final class EnableCommand extends ModelUseCommand {
  @Override
  void change(Models models, String decision, String ofGroup) {
    models.enable(decision, ofGroup);
  }
}
