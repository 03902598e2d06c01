package io.isle.faces.shell.net.lab;

import io.isle.api.net.LabSide;
import io.isle.api.net.Labs;
import io.isle.api.observe.Actor;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.ShellException;
import io.isle.faces.shell.Table;
import io.isle.faces.shell.net.AdminOnly;
import java.util.List;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code net:lab}: everybody may look, an administrator may make and delete labs. */
@Service
@Command(
    scope = "net",
    name = "lab",
    description =
        "Makes, lists or deletes labs: network namespaces with pairs of interfaces, which end"
            + " with the platform; see docs/net-lab.md")
@RequiredRole(
    value = Role.VIEWER,
    reason = "To create and delete the role admin is needed, which the command checks.")
public final class LabCommand extends IsleCommand {
  @Argument(name = "verb", description = "create, list or delete", required = true)
  @Completion(LabVerbCompleter.class)
  private String verb;

  @Argument(
      index = 1,
      name = "name",
      description = "Name of the lab, 1 to 32 characters a-z, 0-9 and -; not for list")
  @Completion(LabCompleter.class)
  private String name;

  @Option(
      name = "--queues",
      description = "Queues of each direction of both interfaces, 1 to 16; 1 if left out")
  private Integer queues;

  @Option(
      name = "--host",
      description =
          "With a host behind a second pair of interfaces; the program between both decides which"
              + " frames reach it")
  private boolean host;

  private Actor actor;

  @Override
  protected void run(Output output) {
    if (!LabVerbCompleter.VERBS.contains(verb)) {
      throw ShellException.usage(
          "verb '" + verb + "' is not one of " + String.join(", ", LabVerbCompleter.VERBS));
    }
    if (queues != null && !verb.equals(LabVerbCompleter.CREATE)) {
      throw ShellException.usage("--queues goes with create alone");
    }
    if (host && !verb.equals(LabVerbCompleter.CREATE)) {
      throw ShellException.usage("--host goes with create alone");
    }
    if (verb.equals(LabVerbCompleter.LIST)) {
      list(output);
      return;
    }
    if (name == null) {
      throw ShellException.usage("net:lab " + verb + " needs the name of a lab");
    }
    AdminOnly.check(
        services(), actor == null ? Actor.current() : actor, "net:lab " + verb + " " + name);
    if (verb.equals(LabVerbCompleter.CREATE)) {
      int each = queues == null ? 1 : queues;
      output.table(
          sides(),
          services()
              .with(
                  Labs.class,
                  labs -> host ? labs.createWithHost(name, each) : labs.create(name, each)));
    } else {
      delete(output);
    }
  }

  private void list(Output output) {
    if (name != null) {
      throw ShellException.usage("net:lab list takes no name");
    }
    output.table(sides(), services().with(Labs.class, Labs::list));
  }

  private void delete(Output output) {
    List<LabSide> deleted =
        services()
            .with(
                Labs.class,
                labs -> {
                  List<LabSide> last =
                      labs.list().stream().filter(side -> side.lab().equals(name)).toList();
                  labs.delete(name);
                  return last;
                });
    output.table(
        new Table<LabSide>("Lab " + name + " is deleted.")
            .column("lab", LabSide::lab)
            .column("side", LabSide::side)
            .column("interface", LabSide::interfaceName)
            .column("state", side -> "deleted"),
        deleted);
  }

  private static Table<LabSide> sides() {
    return new Table<LabSide>("No labs; net:lab create NAME makes one.")
        .column("lab", LabSide::lab)
        .whole()
        .column("side", LabSide::side)
        .column("interface", LabSide::interfaceName)
        .whole()
        .column("address", LabSide::address)
        .whole()
        .jsonOnly("prefix", LabSide::prefix)
        .column("mac", LabSide::mac)
        .spare()
        .jsonOnly("netns", LabSide::netns)
        .column("queues", LabSide::queues)
        .spare()
        .shownOnly("enter with", side -> "nsenter --net=" + side.netns())
        .whole();
  }

  /** For tests. */
  LabCommand withHost() {
    host = true;
    return this;
  }

  /** For tests. */
  LabCommand of(String what, String lab, Integer each, Actor as) {
    verb = what;
    name = lab;
    queues = each;
    actor = as;
    return this;
  }
}
