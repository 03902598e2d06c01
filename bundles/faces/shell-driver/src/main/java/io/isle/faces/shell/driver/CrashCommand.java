package io.isle.faces.shell.driver;

import io.isle.api.base.GroupNames;
import io.isle.api.device.DeviceAdmin;
import io.isle.api.device.DeviceNode;
import io.isle.api.device.DeviceState;
import io.isle.api.device.DeviceTree;
import io.isle.api.device.HostFault;
import io.isle.api.device.Recovery;
import io.isle.api.device.RecoveryLog;
import io.isle.api.driver.Drivers;
import io.isle.api.health.FaultInjector;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.Recoveries;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.ShellException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code driver:crash}. */
@Service
@Command(
    scope = "driver",
    name = "crash",
    description =
        "Makes the driver of a device crash and shows the recovery; needs the device's setting"
            + " fault_injection = true")
@RequiredRole(value = Role.ADMIN, reason = "A crash interrupts the device's work.")
public final class CrashCommand extends IsleCommand {
  private static final Duration LONGEST = Duration.ofSeconds(30);

  @Argument(name = "device", description = "Id of the device, such as soft0", required = true)
  @Completion(DeviceCompleter.class)
  private String id;

  @Argument(
      index = 1,
      name = "kind",
      description =
          "Kind of the crash: segv, abort, exit (in the driver's code), or kill, hang (signals"
              + " SIGKILL, SIGSTOP to the driver's process)")
  @Completion(CrashKindCompleter.class)
  private String kind = "segv";

  @Argument(
      index = 2,
      name = "group",
      description =
          "Group whose driver process gets the signal, on a device with a process per group;"
              + " kinds kill and hang only")
  private String group;

  @Override
  protected void run(Output output) {
    CrashKind wanted = CrashKind.of(kind);
    DeviceNode node =
        services()
            .with(DeviceTree.class, tree -> tree.find(id))
            .orElseThrow(() -> ShellException.failed("no device " + id + "; see device:list"));
    checkAllowed(node, wanted);
    if (group != null && wanted.fromOutside().isEmpty()) {
      throw ShellException.failed(
          "kind: '"
              + wanted.text()
              + "' reaches all groups of the device; a crash of one group's process has the kind"
              + " kill or hang");
    }
    Recovery recovery = crash(wanted);
    if (recovery.outcome() != Recovery.Outcome.RECOVERED) {
      throw ShellException.failed(
          id + " did not come back: see device:info " + id + " and driver:history " + id);
    }
    output.table(Recoveries.table(), List.of(recovery));
  }

  private void checkAllowed(DeviceNode node, CrashKind wanted) {
    Map<String, String> settings = services().with(DeviceTree.class, tree -> tree.settings(id));
    if (!"true".equals(settings.get("fault_injection"))) {
      throw ShellException.failed(
          id
              + " allows no faults: set fault_injection = true in etc/io.isle.device-"
              + id
              + ".cfg, never on a machine that others use");
    }
    if (node.state() != DeviceState.ACTIVE) {
      throw ShellException.failed(
          id + " is " + node.state().text() + "; only an active device can lose its driver");
    }
    if (node.hostPid().isPresent()) {
      return;
    }
    if (wanted.fromOutside().isPresent()) {
      throw ShellException.failed(
          id
              + " has no driver process, which the kind "
              + wanted.text()
              + " needs; driver:tier "
              + id
              + " 2 starts one");
    }
    if (isNative(node.driver())) {
      throw ShellException.failed(
          id
              + " runs native code in the platform's process, which the crash would end; start a"
              + " driver process first: driver:tier "
              + id
              + " 2");
    }
  }

  private boolean isNative(String driver) {
    return services().with(Drivers.class, Drivers::list).stream()
        .anyMatch(one -> one.info().name().equals(driver) && one.info().nativeCode());
  }

  private Recovery crash(CrashKind wanted) {
    return services()
        .with(
            RecoveryLog.class,
            log -> {
              long before = log.of(id).stream().mapToLong(Recovery::number).max().orElse(0);
              return FaultTrigger.with(
                  services(),
                  id,
                  group == null ? GroupNames.DEFAULT : group,
                  trigger -> {
                    strike(wanted);
                    trigger.send();
                    return await(log, before, trigger);
                  });
            });
  }

  private void strike(CrashKind wanted) {
    Optional<HostFault> fromOutside = wanted.fromOutside();
    if (fromOutside.isPresent()) {
      services()
          .with(
              DeviceAdmin.class,
              admin -> {
                if (group == null) {
                  admin.injectFault(id, fromOutside.get());
                } else {
                  admin.injectFault(id, group, fromOutside.get());
                }
                return true;
              });
    } else {
      services()
          .with(
              FaultInjector.class,
              faults -> {
                faults.inject(id, wanted.text(), 0, 1, 0);
                return true;
              });
    }
  }

  private Recovery await(RecoveryLog log, long before, FaultTrigger trigger) {
    long begun = System.nanoTime();
    try {
      return log.await(id, before, LONGEST)
          .orElseThrow(
              () ->
                  System.nanoTime() - begun < LONGEST.toNanos()
                      ? logWent()
                      : notRecovered(trigger.problem()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ShellException.failed("interrupted; the driver still crashes");
    }
  }

  /** The log gives up early only when it ends. */
  private ShellException logWent() {
    return ShellException.failed(
        "the driver service stopped before the end of the recovery of "
            + id
            + "; see bundle:list, then device:info "
            + id);
  }

  private ShellException notRecovered(String problem) {
    return ShellException.failed(
        id
            + " shows no recovery after "
            + LONGEST.toSeconds()
            + " s"
            + (problem.isEmpty()
                ? ""
                : "; the submission that should reach the fault failed: " + problem));
  }

  /** For tests. */
  CrashCommand of(String device, String how, String whose) {
    group = whose;
    return of(device, how);
  }

  /** For tests. */
  CrashCommand of(String device, String how) {
    id = device;
    kind = how;
    return this;
  }
}
