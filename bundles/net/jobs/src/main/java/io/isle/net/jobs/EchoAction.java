package io.isle.net.jobs;

import io.isle.api.jobs.ActionParameter;
import io.isle.api.jobs.ActionParameter.Kind;
import io.isle.api.jobs.ActionStep;
import io.isle.api.jobs.JobAction;
import io.isle.api.net.Labs;
import io.isle.api.net.NetAdmin;
import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.Permission;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/**
 * A step that sends a file to the echo app of a net of {@code setup.nets}, from the other side of
 * the lab, and compares what comes back.
 */
@Component(service = JobAction.class)
public final class EchoAction implements JobAction {
  static final String NET = "net";
  static final String FILE = "file";
  static final String OUT = "out";
  static final String WINDOW = "window";
  static final String SIZE = "size";
  static final String TIMEOUT = "timeout_ms";
  static final String UNTIL = "until";
  static final String REPEAT_RATE = "repeat_rate";
  static final String CAPTURE = "capture";

  /** More datagrams do not fit into the rings of {@link NetSetup}. */
  static final int MOST_WINDOW = 1024;

  /** The payload of a datagram within an MTU of 1500, behind its number. */
  static final int MOST_SIZE = 1500 - 28 - Long.BYTES;

  private static final int MOST_TIMEOUT_MS = 600_000;
  private static final int MOST_RATE = 1_000_000_000;

  private final Capabilities capabilities;
  private final EchoStep.Services services;

  @Activate
  public EchoAction(
      BundleContext context,
      @Reference Capabilities capabilities,
      @Reference Labs labs,
      @Reference NetAdmin nets,
      @Reference EventBook events) {
    this(capabilities, new EchoStep.Services(labs, nets, events, context.getDataFile("").toPath()));
  }

  EchoAction(Capabilities capabilities, EchoStep.Services services) {
    this.capabilities = capabilities;
    this.services = services;
  }

  @Override
  public String key() {
    return "echo";
  }

  @Override
  public List<ActionParameter> parameters() {
    return List.of(
        ActionParameter.of(NET, Kind.TEXT),
        ActionParameter.of(FILE, Kind.FILE),
        ActionParameter.of(OUT, Kind.OUT).optional(),
        ActionParameter.whole(WINDOW, 1, MOST_WINDOW).orElse("256"),
        ActionParameter.whole(SIZE, 1, MOST_SIZE).orElse("1024"),
        ActionParameter.whole(TIMEOUT, 1, MOST_TIMEOUT_MS).orElse("5000"),
        ActionParameter.choice(UNTIL, "end", "faults").orElse("end"),
        ActionParameter.whole(REPEAT_RATE, 0, MOST_RATE).orElse("0"),
        ActionParameter.of(CAPTURE, Kind.OUT).optional());
  }

  @Override
  public Set<String> measures() {
    return EchoMeasures.NAMES;
  }

  @Override
  public Set<Permission> permissions() {
    return Set.of(Permission.NET_ATTACH, Permission.NET_CAPTURE);
  }

  @Override
  public void run(ActionStep step) throws IOException, InterruptedException {
    Capability capability = step.capability();
    capabilities.check(capability, Permission.NET_ATTACH, step.device());
    if (isWanted(step, CAPTURE)) {
      capabilities.check(capability, Permission.NET_CAPTURE, step.device());
    }
    new EchoStep(services, step).run();
  }

  /** Whether a file of this parameter is to be written. */
  static boolean isWanted(ActionStep step, String out) {
    return step.values().has(out) && !step.values().text(out).isEmpty();
  }
}
