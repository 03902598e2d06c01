package io.isle.faces.shell.driver;

import io.isle.api.accel.AccelAdmin;
import io.isle.api.base.IsleException;
import io.isle.api.device.DeviceNode;
import io.isle.api.device.DeviceState;
import io.isle.api.device.DeviceTree;
import io.isle.api.device.Recovery;
import io.isle.api.device.RecoveryLog;
import io.isle.api.driver.Drivers;
import io.isle.api.observe.Actor;
import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditEvent;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.Recoveries;
import io.isle.faces.shell.ShellException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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
        "Makes a device's driver crash and shows the recovery; the device's setting fault_injection"
            + " must be true")
public final class CrashCommand extends IsleCommand {
  private static final Duration LONGEST = Duration.ofSeconds(30);

  @Argument(name = "device", description = "Id of the device, such as soft0", required = true)
  @Completion(DeviceCompleter.class)
  private String id;

  @Argument(
      index = 1,
      name = "kind",
      description =
          "segv, abort, exit: the driver does it; kill, hang: its process is killed or stopped")
  @Completion(CrashKindCompleter.class)
  private String kind = "segv";

  private HostProcess processes = HostProcess.SYSTEM;

  @Override
  protected void run(Output output) {
    CrashKind wanted = CrashKind.of(kind);
    DeviceNode node =
        services()
            .with(DeviceTree.class, tree -> tree.find(id))
            .orElseThrow(() -> ShellException.failed("no device " + id + "; see device:list"));
    checkAllowed(node, wanted);
    long before = newest();
    try {
      Recovery recovery = crash(node, wanted, before);
      record(0, "");
      if (recovery.outcome() != Recovery.Outcome.RECOVERED) {
        throw ShellException.failed(
            id + " did not come back: see device:info " + id + " and driver:history " + id);
      }
      output.table(Recoveries.table(), List.of(recovery));
    } catch (IsleException e) {
      record(e.code(), e.getMessage());
      throw e;
    }
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
    if (wanted.fromOutside()) {
      throw ShellException.failed(
          id + " has no process of its own; " + wanted.text() + " needs one");
    }
    if (isNative(node.driver())) {
      throw ShellException.failed(
          id
              + " runs native code in the platform's process, which would end; driver:tier "
              + id
              + " 2 gives it one of its own");
    }
  }

  private boolean isNative(String driver) {
    return services().with(Drivers.class, Drivers::list).stream()
        .anyMatch(one -> one.info().name().equals(driver) && one.info().nativeCode());
  }

  private Recovery crash(DeviceNode node, CrashKind wanted, long before) {
    return Nudge.with(
        services(),
        id,
        nudge -> {
          strike(node, wanted);
          nudge.send();
          return await(before, nudge.problem());
        });
  }

  private void strike(DeviceNode node, CrashKind wanted) {
    switch (wanted) {
      case KILL -> processes.kill(node.hostPid().orElseThrow());
      case HANG -> processes.stop(node.hostPid().orElseThrow());
      default ->
          services()
              .with(
                  AccelAdmin.class,
                  admin -> {
                    admin.injectFault(id, wanted.text(), 0, 1, 0);
                    return true;
                  });
    }
  }

  /** The first recovery after {@code before}. */
  private Recovery await(long before, String problem) {
    long deadline = System.nanoTime() + LONGEST.toNanos();
    while (System.nanoTime() - deadline < 0) {
      for (Recovery recovery : recoveries()) {
        if (recovery.number() > before) {
          return recovery;
        }
      }
      try {
        Thread.sleep(2);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw ShellException.failed("interrupted; the crash still comes");
      }
    }
    throw ShellException.failed(
        id
            + " shows no recovery after "
            + LONGEST.toSeconds()
            + " s"
            + (problem.isEmpty() ? "" : "; its own work did not reach the device: " + problem));
  }

  private long newest() {
    return recoveries().stream().mapToLong(Recovery::number).max().orElse(0);
  }

  private List<Recovery> recoveries() {
    return services().with(RecoveryLog.class, log -> log.of(id));
  }

  private void record(int code, String detail) {
    AuditEvent event = AuditEvent.of(Actor.current(), "driver.crash").device(id).object(kind);
    services()
        .ifThere(
            Audit.class,
            audit -> {
              audit.record(code == 0 ? event : event.failed(code, detail));
              return true;
            });
  }

  /** For tests. */
  CrashCommand of(String device, String how, HostProcess with) {
    id = device;
    kind = how;
    processes = with;
    return this;
  }
}
