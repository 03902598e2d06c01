package io.isle.spin.jobs.ping;

import io.isle.api.base.Errno;
import io.isle.api.jobs.ActionMistake;
import io.isle.api.jobs.ActionParameter;
import io.isle.api.jobs.ActionParameter.Kind;
import io.isle.api.jobs.ActionStep;
import io.isle.api.jobs.ActionValues;
import io.isle.api.jobs.JobAction;
import io.isle.api.jobs.JobException;
import io.isle.api.net.Labs;
import io.isle.api.observe.Actor;
import io.isle.api.spin.HandlerBuilds;
import io.isle.api.spin.NicAdmin;
import io.isle.api.spin.Nics;
import io.isle.api.tenancy.Permission;
import io.isle.spin.jobs.ping.place.PingPlace;
import io.isle.spin.jobs.ping.place.PingServices;
import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/**
 * A step that sends echo requests to an interface that exists during the step, and measures when
 * answers come: those of the host, of handlers, and of both together.
 */
@Component(service = JobAction.class)
public final class PingAction implements JobAction {
  static final String PROTOCOLS = "protocols";
  static final String MODES = "modes";
  static final String SIZES = "sizes";
  static final String RUNS = "runs";
  static final String PINGS = "pings";
  static final String WHERE = "where";
  static final String TIMEOUT = "timeout_ms";
  static final String TABLE = "table";
  static final String SVG = "svg";

  private static final int MOST_TIMEOUT_MS = 600_000;
  private static final String ADMIN = "admin";

  private final PingServices services;

  /** Numbers of the steps that run, so that names are few. */
  private final BitSet running = new BitSet();

  @Activate
  public PingAction(
      BundleContext context,
      @Reference Labs labs,
      @Reference NicAdmin admin,
      @Reference Nics nics,
      @Reference HandlerBuilds builds) {
    this(new PingServices(labs, admin, nics, builds, context.getDataFile("ping").toPath()));
  }

  PingAction(PingServices services) {
    this.services = services;
  }

  @Override
  public String key() {
    return "spin-ping";
  }

  @Override
  public List<ActionParameter> parameters() {
    return List.of(
        ActionParameter.of(PROTOCOLS, Kind.TEXT).orElse("icmp udp"),
        ActionParameter.of(MODES, Kind.TEXT).orElse("host offloaded both"),
        ActionParameter.of(SIZES, Kind.TEXT).orElse("16 64 256 1024 1472"),
        ActionParameter.whole(RUNS, PingPlan.LEAST_RUNS, PingPlan.MOST_RUNS).orElse("20"),
        ActionParameter.whole(PINGS, 1, PingPlan.MOST_PINGS).orElse("10"),
        ActionParameter.choice(WHERE, PingPlace.AUTO, PingPlace.LAB, PingPlace.UDP)
            .orElse(PingPlace.AUTO),
        ActionParameter.whole(TIMEOUT, 1, MOST_TIMEOUT_MS).orElse("5000"),
        ActionParameter.of(TABLE, Kind.OUT).optional(),
        ActionParameter.of(SVG, Kind.OUT).optional());
  }

  @Override
  public Optional<ActionMistake> check(ActionValues values) {
    return PingPlan.mistake(values);
  }

  @Override
  public Set<String> measures() {
    return PingMeasures.NAMES;
  }

  @Override
  public Set<Permission> permissions() {
    return Set.of(Permission.SPIN_ATTACH);
  }

  @Override
  public void run(ActionStep step) throws IOException, InterruptedException {
    Actor actor = Actor.current();
    if (actor.kind() == Actor.Kind.USER && !actor.has(ADMIN)) {
      throw JobException.failed(
          Errno.EACCES,
          "a step spin-ping makes network interfaces and builds handlers; only an admin may run"
              + " this job",
          null);
    }
    int number = begin();
    try {
      new PingStep(services, step, "spin-ping-" + number).run();
    } finally {
      end(number);
    }
  }

  private synchronized int begin() {
    int number = running.nextClearBit(1);
    running.set(number);
    return number;
  }

  private synchronized void end(int number) {
    running.clear(number);
  }
}
