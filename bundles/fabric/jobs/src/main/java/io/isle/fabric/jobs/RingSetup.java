package io.isle.fabric.jobs;

import io.isle.api.base.Errno;
import io.isle.api.fabric.Impairments;
import io.isle.api.fabric.RingAdmin;
import io.isle.api.fabric.RingException;
import io.isle.api.fabric.RingNodeInfo;
import io.isle.api.fabric.RingPlan;
import io.isle.api.jobs.ActionMistake;
import io.isle.api.jobs.ActionParameter;
import io.isle.api.jobs.ActionValues;
import io.isle.api.jobs.SetupEvent;
import io.isle.api.jobs.SetupKind;
import io.isle.api.jobs.SetupResource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Rings that exist only for a job: {@code setup.rings}. */
@Component(service = SetupKind.class)
public final class RingSetup implements SetupKind {
  private static final String NODE_PID = "io.isle.ring-";
  private static final String RELAY_PID = "io.isle.impair-";

  /** Processes of nodes begin meanwhile. */
  private static final long READY_NS = TimeUnit.SECONDS.toNanos(20);

  private final RingAdmin admin;
  private final Impairments relays;
  private final Drives drives;
  private final RingEvents events;

  @Activate
  public RingSetup(
      BundleContext context,
      @Reference RingAdmin admin,
      @Reference Impairments relays,
      @Reference Drives drives) {
    this.admin = admin;
    this.relays = relays;
    this.drives = drives;
    events = new RingEvents(admin, relays, drives, new TransportBundles(context));
  }

  @Override
  public String key() {
    return "rings";
  }

  @Override
  public String singular() {
    return "ring";
  }

  @Override
  public List<ActionParameter> parameters() {
    return RingKeys.parameters();
  }

  @Override
  public List<SetupEvent> events() {
    return EventKeys.EVENTS;
  }

  @Override
  public Optional<ActionMistake> check(SetupResource ring) {
    try {
      RingPlan ignored = RingKeys.plan(ring);
      return Optional.empty();
    } catch (RingException e) {
      return Optional.of(mistake(e.getMessage()));
    }
  }

  /** The message begins with the field, or is one of the ring's name. */
  private static ActionMistake mistake(String message) {
    int colon = message.indexOf(": ");
    boolean field = colon > 0 && message.substring(0, colon).matches("[a-z_]+");
    return field
        ? new ActionMistake(message.substring(0, colon), message.substring(colon + 2))
        : new ActionMistake("", message);
  }

  @Override
  public Optional<ActionMistake> check(SetupResource ring, String event, ActionValues values) {
    return EventKeys.check(ring, event, values);
  }

  @Override
  public Set<String> pids(SetupResource ring) {
    Set<String> pids = new LinkedHashSet<>();
    for (String node : RingKeys.plan(ring).names()) {
      pids.add(NODE_PID + node);
      pids.add(RELAY_PID + node);
    }
    return pids;
  }

  @Override
  public void make(SetupResource ring) throws InterruptedException {
    List<String> nodes = admin.create(RingKeys.plan(ring));
    List<RingNodeInfo> made = admin.await(nodes, READY_NS);
    String reasons =
        made.stream()
            .filter(node -> !node.isReady())
            .map(node -> node.name() + ": " + node.links())
            .collect(Collectors.joining("; "));
    if (!reasons.isEmpty()) {
      throw new RingException(Errno.ETIMEDOUT, "packets cannot travel: " + reasons);
    }
  }

  @Override
  public void remove(SetupResource ring) {
    for (String node : RingKeys.plan(ring).names()) {
      boolean _ = relays.remove(node);
      boolean _ = admin.remove(node);
    }
    drives.forget(ring.name());
  }

  @Override
  public void happen(SetupResource ring, String event, ActionValues values)
      throws InterruptedException {
    events.happen(RingKeys.plan(ring), event, values);
  }
}
