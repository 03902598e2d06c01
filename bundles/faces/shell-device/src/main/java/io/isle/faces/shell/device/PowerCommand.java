package io.isle.faces.shell.device;

import io.isle.api.base.Errno;
import io.isle.api.device.DeviceTree;
import io.isle.api.health.DevicePower;
import io.isle.api.observe.Actor;
import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditEvent;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.ShellException;
import java.util.List;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code device:power}: everybody may look, an administrator may set the level. */
@Service
@Command(
    scope = "device",
    name = "power",
    description =
        "Shows power state, performance level, temperature and clock of all open devices or of"
            + " one; with a level, sets the performance level (role admin)")
@RequiredRole(
    value = Role.VIEWER,
    reason = "To set a performance level the role admin is needed, which the command checks.")
public final class PowerCommand extends IsleCommand {
  @Argument(name = "id", description = "Id of the device, such as soft0; all if left out")
  @Completion(DeviceCompleter.class)
  private String id;

  @Argument(
      index = 1,
      name = "level",
      description =
          "Performance level to set: auto, low, balanced or high; valid until the device is next"
              + " opened")
  @Completion(LevelCompleter.class)
  private String level;

  private Actor actor;

  @Override
  protected void run(Output output) {
    if (id != null && !services().with(DeviceTree.class, tree -> tree.find(id).isPresent())) {
      throw ShellException.failed("no device " + id + "; see device:list");
    }
    if (level != null) {
      set();
    }
    List<PowerRow> rows =
        PowerRow.all(services()).stream()
            .filter(row -> id == null || row.device().equals(id))
            .toList();
    if (id != null && rows.isEmpty()) {
      throw ShellException.failed(id + " is not open; see device:info " + id);
    }
    output.table(PowerRow.table(), rows);
  }

  /** Looking and setting are one command, which the scope's access list does not tell apart. */
  private void set() {
    if (!LevelCompleter.LEVELS.contains(level)) {
      throw ShellException.usage(
          "level '" + level + "' is not one of " + String.join(", ", LevelCompleter.LEVELS));
    }
    Actor user = actor == null ? Actor.current() : actor;
    if (!user.has("admin")) {
      String why =
          "device:power: "
              + user.text()
              + " may not set a performance level; the role admin is needed";
      services().ifThere(Audit.class, book -> recorded(book, user, why));
      throw ShellException.failed(why);
    }
    services()
        .with(
            DevicePower.class,
            power -> {
              power.setPerformanceLevel(id, level);
              return true;
            });
  }

  private boolean recorded(Audit book, Actor user, String why) {
    book.record(AuditEvent.of(user, "shell.refuse").device(id).failed(Errno.EACCES, why));
    return true;
  }

  /** For tests. */
  PowerCommand of(String device, String wanted, Actor as) {
    id = device;
    level = wanted;
    actor = as;
    return this;
  }
}
