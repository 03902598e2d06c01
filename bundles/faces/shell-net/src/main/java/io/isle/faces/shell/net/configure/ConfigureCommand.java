package io.isle.faces.shell.net.configure;

import io.isle.api.net.ConfigureStage;
import io.isle.api.net.ConfiguredSetting;
import io.isle.api.net.NetConfigure;
import io.isle.api.net.NetInterface;
import io.isle.api.observe.Actor;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.ShellException;
import io.isle.faces.shell.Table;
import io.isle.faces.shell.net.AdminOnly;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code net:configure}: everybody may check, an administrator may change. */
@Service
@Command(
    scope = "net",
    name = "configure",
    description =
        "Prepares an interface of the machine for a net (init), puts back what was there (fini), or"
            + " checks its settings (check; fails unless all are as wanted); see docs/net-lab.md")
@RequiredRole(
    value = Role.VIEWER,
    reason = "For init and fini the role admin is needed, which the command checks.")
public final class ConfigureCommand extends IsleCommand {
  @Argument(name = "verb", description = "init, fini or check", required = true)
  @Completion(ConfigureVerbCompleter.class)
  private String verb;

  @Option(name = "--interface", description = "Name of the interface", required = true)
  private String interfaceName;

  @Option(
      name = "--netns",
      description =
          "Network namespace of the interface: a name in /run/netns, a path, or lab:NAME; the"
              + " platform's own if left out")
  private String netns = "";

  @Option(name = "--tiles", description = "Tiles, one a queue, 1 to 16; 1 if left out")
  private int tiles = 1;

  @Option(
      name = "--stage",
      description = "One part: sysctl, offloads, loopback or channels; all if left out")
  @Completion(StageCompleter.class)
  private String stage;

  @Option(name = "--dry-run", description = "Say what would be done, and do nothing")
  private boolean dryRun;

  private Actor actor;

  @Override
  protected void run(Output output) {
    if (!ConfigureVerbCompleter.VERBS.contains(verb)) {
      throw ShellException.usage(
          "verb '" + verb + "' is not one of " + String.join(", ", ConfigureVerbCompleter.VERBS));
    }
    NetInterface target = new NetInterface(interfaceName, netns, tiles);
    Set<ConfigureStage> stages = stages();
    if (verb.equals(ConfigureVerbCompleter.CHECK)) {
      check(output, target, stages);
      return;
    }
    AdminOnly.check(services(), actor == null ? Actor.current() : actor, "net:configure " + verb);
    boolean init = verb.equals(ConfigureVerbCompleter.INIT);
    output.table(
        table(!init),
        services()
            .with(
                NetConfigure.class,
                all -> init ? all.init(target, stages, dryRun) : all.fini(target, stages, dryRun)));
  }

  private void check(Output output, NetInterface target, Set<ConfigureStage> stages) {
    List<ConfiguredSetting> settings =
        services().with(NetConfigure.class, all -> all.check(target, stages));
    output.table(table(false), settings);
    long wrong = settings.stream().filter(one -> !one.isFine()).count();
    if (wrong > 0) {
      throw ShellException.failed(
          wrong
              + " of "
              + settings.size()
              + " settings are not as wanted; net:configure init sets them");
    }
  }

  private Set<ConfigureStage> stages() {
    if (stage == null) {
      return EnumSet.allOf(ConfigureStage.class);
    }
    int index = StageCompleter.STAGES.indexOf(stage);
    if (index < 0) {
      throw ShellException.usage(
          "stage '" + stage + "' is not one of " + String.join(", ", StageCompleter.STAGES));
    }
    return EnumSet.of(ConfigureStage.values()[index]);
  }

  private static Table<ConfiguredSetting> table(boolean fini) {
    return new Table<ConfiguredSetting>(
            fini ? "Nothing is remembered of this interface." : "No settings.")
        .column("stage", one -> one.stage().text())
        .column("interface", ConfiguredSetting::interfaceName)
        .column("setting", ConfiguredSetting::setting)
        .whole()
        .column("is", one -> orNull(one.is()))
        .column("wanted", one -> orNull(one.wanted()))
        .column(
            "persistent", "persistent", ConfiguredSetting::persistent, ConfigureCommand::yesOrNo)
        .column(
            "unsupported_by", "unsupported by", one -> one.unsupported().orElse(null), Table::plain)
        .column("action", one -> orNull(one.action()));
  }

  private static String orNull(String text) {
    return text.isEmpty() ? null : text;
  }

  private static String yesOrNo(Object value) {
    return Boolean.TRUE.equals(value) ? "yes" : "no";
  }

  /** For tests. */
  ConfigureCommand of(String what, String name, String part, boolean dry, Actor as) {
    verb = what;
    interfaceName = name;
    stage = part;
    dryRun = dry;
    actor = as;
    return this;
  }
}
