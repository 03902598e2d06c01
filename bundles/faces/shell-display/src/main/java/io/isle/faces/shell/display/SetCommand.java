package io.isle.faces.shell.display;

import io.isle.api.device.DpmsState;
import io.isle.api.display.Display;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.ShellException;
import java.util.Arrays;
import java.util.List;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code display:set}. */
@Service
@Command(
    scope = "display",
    name = "set",
    description =
        "Sets mode, variable refresh and power state of a connector, in this order up to the"
            + " first refusal, and shows the result")
@RequiredRole(
    value = Role.ADMIN,
    reason = "Only administrators control screens and read their pictures.")
public final class SetCommand extends ConnectorCommand {
  @Argument(
      index = 2,
      name = "mode",
      description =
          "Mode: preferred, 1920x1080 (at the highest rate of this size) or 1920x1080@60;"
              + " display:modes lists the modes")
  @Completion(ModeCompleter.class)
  private String mode;

  @Option(name = "--dpms", description = "Power state of the screen: on, standby, suspend or off")
  @Completion(PowerCompleter.class)
  private String dpms;

  @Option(
      name = "--vrr",
      description =
          "Variable refresh: on (the screen waits for flips, within its range of refresh rates)"
              + " or off")
  @Completion(SwitchCompleter.class)
  private String vrr;

  @Override
  protected void run(Output output) {
    if (mode == null && dpms == null && vrr == null) {
      throw ShellException.usage("nothing to set: a mode, --dpms or --vrr is needed");
    }
    DpmsState state = dpms == null ? null : state();
    if (vrr != null && !SwitchCompleter.VALUES.contains(vrr)) {
      throw ShellException.usage("--vrr '" + vrr + "' is not on or off");
    }
    boolean ignored =
        services()
            .with(
                Screens.class,
                screens -> {
                  set(screens.of(device()), state);
                  return true;
                });
    var row = Rows.find(services(), device(), connector());
    if (output.json()) {
      output.document(Rows.connectors().object(row));
    } else {
      output.table(Rows.connectors(), List.of(row));
    }
  }

  private void set(Display display, DpmsState state) {
    if (mode != null) {
      display.setMode(connector(), ModeChoice.of(mode, display.modes(connector())));
    }
    if (vrr != null) {
      display.setVariableRefresh(connector(), vrr.equals("on"));
    }
    if (state != null) {
      display.setDpms(connector(), state);
    }
  }

  private DpmsState state() {
    return Arrays.stream(DpmsState.values())
        .filter(known -> known.text().equals(dpms))
        .findFirst()
        .orElseThrow(
            () ->
                ShellException.usage(
                    "--dpms '" + dpms + "' is not one of on, standby, suspend, off"));
  }

  /** For tests. */
  SetCommand of(String id, int number, String wanted, String power, String refresh) {
    on(id, number);
    mode = wanted;
    dpms = power;
    vrr = refresh;
    return this;
  }
}
