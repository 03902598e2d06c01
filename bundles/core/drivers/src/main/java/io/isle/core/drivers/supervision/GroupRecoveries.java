package io.isle.core.drivers.supervision;

import io.isle.api.base.Errno;
import io.isle.api.device.Recovery;
import io.isle.api.device.Recovery.Phase;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.DriverException;
import io.isle.core.drivers.groups.GroupEvents;
import io.isle.core.drivers.groups.GroupHost;
import io.isle.core.drivers.groups.GroupHosts;
import io.isle.core.drivers.groups.GroupedOpened;
import io.isle.core.drivers.recovery.Openings;
import io.isle.core.drivers.recovery.RecoveryRun;
import io.isle.core.drivers.recovery.RecoverySequence;
import io.isle.core.drivers.recovery.RecoveryText;
import io.isle.core.drivers.recovery.Step;
import io.isle.core.drivers.session.OpenSession;
import io.isle.lib.agent.SerialExecutor;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replaces the processes of groups that end, hang or misbehave, while their device stays open and
 * other groups go on. Works on the device's lane, so that a recovery of the whole device and these
 * come one after the other; what was under way when the device was taken out is part of that
 * recovery. A group whose process ends again and again loses its contexts.
 */
final class GroupRecoveries implements GroupEvents {
  private static final Logger LOG = LoggerFactory.getLogger(GroupRecoveries.class);

  private final String device;
  private final SerialExecutor lane;
  private final SharedParts shared;
  private final Openings openings;
  private final Runnable changed;
  private final RestartBackoff backoff = new RestartBackoff();
  // Belong to the lane.
  private final Map<String, Under> under = new HashMap<>();
  private RecoverySequence sequence;

  /**
   * A recovery under way.
   *
   * @param retry when it is tried again; null while it is being tried
   */
  private record Under(int opening, RecoveryRun run, Future<?> retry) {}

  /**
   * @param changed runs on the lane when processes came or went
   */
  GroupRecoveries(
      String device, SerialExecutor lane, SharedParts shared, Openings openings, Runnable changed) {
    this.device = device;
    this.lane = lane;
    this.shared = shared;
    this.openings = openings;
    this.changed = changed;
  }

  /** Before anything is opened: what opens the device. */
  void of(RecoverySequence opens) {
    sequence = opens;
  }

  @Override
  public void admit(String group) {
    backoff.check(group, shared.clock().nanoTime());
  }

  @Override
  public void changed(int opening) {
    boolean ignored =
        lane.post(
            () -> {
              if (sequence.isOpen(opening)) {
                changed.run();
              }
            });
  }

  @Override
  public void lost(int opening, GroupHost host, RecoveryCause cause) {
    long detected = shared.clock().nanoTime();
    post(
        opening,
        hosts -> {
          if (!hosts.isCurrent(host)) {
            return;
          }
          if (hosts.isIdle(host)) {
            LOG.warn(
                "{}: the unused driver process of group {} ended: {}",
                device,
                host.group(),
                cause.text());
            long ignored = backoff.ended(host.group(), shared.clock().nanoTime());
            hosts.retire(host, false);
          } else {
            begin(opening, hosts, host.group(), cause, detected);
          }
        });
  }

  @Override
  public void failed(int opening, String group, RecoveryCause cause) {
    long detected = shared.clock().nanoTime();
    post(
        opening,
        hosts -> {
          Under already = under.get(group);
          if (already == null || already.opening != opening) {
            begin(opening, hosts, group, cause, detected);
          }
        });
  }

  @Override
  public void unusable(int opening, GroupHost host, RecoveryCause cause) {
    long detected = shared.clock().nanoTime();
    post(
        opening,
        hosts -> {
          if (hosts.isCurrent(host)) {
            begin(opening, hosts, host.group(), cause, detected);
          }
        });
  }

  /** On the lane, unless the opening is over by then. */
  private void post(int opening, Consumer<GroupHosts> work) {
    boolean ignored = lane.post(() -> hosts(opening).ifPresent(work));
  }

  private Optional<GroupHosts> hosts(int opening) {
    return sequence.isOpen(opening)
        ? sequence.opened().flatMap(open -> GroupedOpened.of(open.opened())).map(GroupedOpened::all)
        : Optional.empty();
  }

  private void begin(
      int opening, GroupHosts hosts, String group, RecoveryCause cause, long detectedNs) {
    LOG.warn("{}: group {}: {}: {}", device, group, cause.kind().text(), cause.text());
    Under before = under.remove(group);
    if (before != null && before.retry != null) {
      before.retry.cancel(false);
    }
    RecoveryRun run =
        new RecoveryRun(device, group, false, cause, openings.newest(), detectedNs, shared.clock());
    boolean interrupted = false;
    try {
      run.phase(Phase.FREEZE, () -> freeze(run, hosts, group));
      interrupted = true;
    } catch (DriverException e) {
      // its agent does not answer, of which the core tells: the whole device is replaced
      LOG.error("{}: the work of group {} cannot be interrupted", device, group, e);
      return;
    } catch (RuntimeException | Error e) {
      LOG.error(
          "{}: the work of group {} cannot be interrupted because of a defect", device, group, e);
      openings.lost(
          opening,
          new RecoveryCause(
              RecoveryCause.Kind.EXCEPTION,
              "the work of group " + group + " could not be interrupted: " + e));
      return;
    } finally {
      boolean tell = interrupted;
      run.phase(
          Phase.REVOKE,
          () -> {
            retire(hosts, group);
            if (tell) {
              sequence.tell(run, Step.REVOKE, null);
            }
          });
    }
    next(opening, run, group, cause.text());
  }

  /** The attachment ends the group's work in the same step. */
  private void freeze(RecoveryRun run, GroupHosts hosts, String group) {
    try {
      sequence.attachment().interrupt(group, run.cause());
    } finally {
      hosts.freeze(group);
    }
    sequence.tell(run, Step.FREEZE, null);
    sequence.tell(run, Step.FAIL, null);
  }

  private static void retire(GroupHosts hosts, String group) {
    hosts.find(group).ifPresent(host -> hosts.retire(host, false));
  }

  private void next(int opening, RecoveryRun run, String group, String why) {
    long delay = backoff.ended(group, shared.clock().nanoTime());
    if (delay < 0) {
      giveUp(opening, run, group, why);
    } else if (delay == 0) {
      attempt(opening, run, group);
    } else {
      Future<?> retry = lane.after(Duration.ofNanos(delay), () -> attempt(opening, run, group));
      under.put(group, new Under(opening, run, retry));
    }
  }

  private void attempt(int opening, RecoveryRun run, String group) {
    Optional<GroupHosts> hosts = hosts(opening);
    if (hosts.isEmpty()) {
      return;
    }
    under.remove(group);
    try {
      bringIn(run, hosts.get(), group);
    } catch (RuntimeException | Error e) {
      run.attempt(false);
      AttemptFailure failure = AttemptFailure.of(e);
      LOG.warn(
          "{}: the driver process of group {} cannot be started: {}",
          device,
          group,
          failure.cause().text(),
          failure.defect());
      retire(hosts.get(), group);
      sequence.tell(run, Step.TAKEN_BACK, null);
      next(opening, run, group, failure.cause().text());
      return;
    }
    run.attempt(hosts.get().find(group).map(GroupHost::isWarm).orElse(false));
    end(run, Recovery.Outcome.RECOVERED);
  }

  private void bringIn(RecoveryRun run, GroupHosts hosts, String group) {
    OpenSession whole = sequence.opened().orElseThrow().session();
    OpenSession[] now = new OpenSession[1];
    run.phase(Phase.RESET, () -> sequence.tell(run, Step.RESET, null));
    run.phase(
        Phase.OPEN,
        () -> {
          now[0] = hosts.loans().lend(group, whole);
          sequence.tell(run, Step.OPEN, now[0]);
        });
    run.phase(
        Phase.REBUILD,
        () -> {
          run.work(sequence.attachment().renew(group));
          if (!now[0].alive()) {
            // its contexts may be in yet another process, of which nobody else knows
            sequence.attachment().interrupt(group, run.cause());
            throw new DriverException(
                Errno.ENODEV, "the driver process ended while its contexts were created");
          }
          sequence.tell(run, Step.REBUILD, now[0]);
        });
    run.phase(
        Phase.THAW,
        () -> {
          sequence.attachment().thaw(group);
          hosts.loans().goesOn(now[0]);
          sequence.tell(run, Step.THAW, now[0]);
        });
  }

  private void giveUp(int opening, RecoveryRun run, String group, String why) {
    hosts(opening).ifPresent(hosts -> hosts.loans().letGo(group));
    sequence
        .attachment()
        .lose(
            group,
            "the driver process of group "
                + group
                + " ended "
                + RestartBackoff.MOST
                + " times in "
                + RestartBackoff.WINDOW.toSeconds()
                + " s, the last time: "
                + why);
    end(run, Recovery.Outcome.FAILED);
  }

  private void end(RecoveryRun run, Recovery.Outcome outcome) {
    Recovery recovery =
        shared.book().enter(device, number -> run.end(number, outcome, openings.newest()));
    LOG.info("{}: {}", device, RecoveryText.line(recovery));
    shared.ended().accept(recovery);
    changed.run();
  }
}
