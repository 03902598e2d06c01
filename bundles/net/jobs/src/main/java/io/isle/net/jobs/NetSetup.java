package io.isle.net.jobs;

import io.isle.api.base.Errno;
import io.isle.api.jobs.ActionMistake;
import io.isle.api.jobs.ActionParameter;
import io.isle.api.jobs.ActionValues;
import io.isle.api.jobs.SetupEvent;
import io.isle.api.jobs.SetupKind;
import io.isle.api.jobs.SetupResource;
import io.isle.api.net.AppInfo;
import io.isle.api.net.LabSide;
import io.isle.api.net.Labs;
import io.isle.api.net.NetAdmin;
import io.isle.api.net.NetException;
import io.isle.api.net.NetInfo;
import io.isle.api.net.NetState;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/**
 * Nets that exist only for a job: {@code setup.nets}. Each has a lab of its own, tiles on side b of
 * the lab, and an app of the kind echo on {@link #PORT}, all by the name of the net.
 */
@Component(service = SetupKind.class)
public final class NetSetup implements SetupKind {
  /** UDP port of the app. */
  static final int PORT = 9000;

  /** Side of the lab from which steps send. */
  static final String OUTER = "a";

  /** Side of the lab that the net takes frames from. */
  static final String INNER = "b";

  static final String PLACEMENT = "placement";
  static final String PROCESS = "process";
  static final String TILES = "tiles";
  static final String MODE = "mode";

  private static final String INTERFACE = "vb";
  private static final String NAME = "[a-z0-9][a-z0-9-]{0,23}";
  private static final String NET_PID = "io.isle.net-";
  private static final String APP_PID = "io.isle.netapp-";

  /** Frames of each ring and link: all of the largest window, twice. */
  private static final String DEPTH = Integer.toString(2 * EchoAction.MOST_WINDOW);

  /** Processes of tiles begin meanwhile. */
  private static final long READY_NS = TimeUnit.SECONDS.toNanos(30);

  private static final long LOOK_MS = 5;

  private final Labs labs;
  private final NetAdmin nets;
  private final EventBook book;
  private final NetEvents events;

  @Activate
  public NetSetup(
      BundleContext context,
      @Reference Labs labs,
      @Reference NetAdmin nets,
      @Reference EventBook book) {
    this(new TileBundle(context), labs, nets, book);
  }

  NetSetup(TileBundle tiles, Labs labs, NetAdmin nets, EventBook book) {
    this.labs = labs;
    this.nets = nets;
    this.book = book;
    events = new NetEvents(nets, book, tiles);
  }

  @Override
  public String key() {
    return "nets";
  }

  @Override
  public String singular() {
    return "net";
  }

  @Override
  public List<ActionParameter> parameters() {
    return List.of(
        ActionParameter.whole(TILES, 1, NetAdmin.TILES).orElse("1"),
        ActionParameter.choice(MODE, "auto", "drv", "skb").orElse("skb"),
        ActionParameter.choice(PLACEMENT, "agent", PROCESS).orElse("agent"));
  }

  @Override
  public List<SetupEvent> events() {
    return NetEvents.EVENTS;
  }

  @Override
  public Optional<ActionMistake> check(SetupResource net) {
    return net.name().matches(NAME)
        ? Optional.empty()
        : Optional.of(
            new ActionMistake(
                "",
                "name '"
                    + net.name()
                    + "' of a net is not 1 to 24 characters a-z, 0-9 and -, the first not -"));
  }

  @Override
  public Optional<ActionMistake> check(SetupResource net, String event, ActionValues values) {
    return NetEvents.check(net, event, values);
  }

  @Override
  public Set<String> pids(SetupResource net) {
    return Set.of(NET_PID + net.name(), APP_PID + net.name());
  }

  @Override
  public void make(SetupResource net) throws InterruptedException {
    String name = net.name();
    List<LabSide> _ = labs.create(name, (int) net.values().whole(TILES));
    nets.create(name, settings(net));
    nets.createApp(
        name,
        Map.of("kind", "echo", "nets", name, "ports", Integer.toString(PORT), "depth", DEPTH));
    book.begin(name);
    awaitRunning(nets, name, READY_NS);
  }

  private static Map<String, String> settings(SetupResource net) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("interface", INTERFACE);
    settings.put("netns", "lab:" + net.name());
    settings.put("rx_queue", DEPTH);
    settings.put("tx_queue", DEPTH);
    settings.put("app_frames", DEPTH);
    settings.put(TILES, net.values().text(TILES));
    settings.put(MODE, net.values().text(MODE));
    if (!net.values().text(PLACEMENT).equals("agent")) {
      settings.put(PLACEMENT, net.values().text(PLACEMENT));
    }
    return settings;
  }

  /**
   * Waits until tiles and app of a net run.
   *
   * @throws NetException ETIMEDOUT with the reason
   */
  static void awaitRunning(NetAdmin nets, String name, long mostNs) throws InterruptedException {
    long end = System.nanoTime() + mostNs;
    String reason = missing(nets, name);
    while (!reason.isEmpty()) {
      if (System.nanoTime() - end >= 0) {
        throw new NetException(Errno.ETIMEDOUT, "net " + name + " does not run: " + reason);
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
      reason = missing(nets, name);
    }
  }

  private static String missing(NetAdmin nets, String name) {
    NetInfo net =
        nets.find(name)
            .orElseThrow(
                () -> new NetException(Errno.ENOENT, "somebody has deleted the net " + name));
    if (net.state() != NetState.RUNNING) {
      return net.reason().isEmpty() ? "its tiles begin" : net.reason();
    }
    return nets.apps().stream()
        .filter(app -> app.name().equals(name) && app.running())
        .findFirst()
        .map(app -> "")
        .orElseGet(() -> appReason(nets, name));
  }

  private static String appReason(NetAdmin nets, String name) {
    return nets.apps().stream()
        .filter(app -> app.name().equals(name))
        .map(AppInfo::reason)
        .filter(reason -> !reason.isEmpty())
        .findFirst()
        .orElse("its app begins");
  }

  @Override
  public void remove(SetupResource net) {
    String name = net.name();
    book.forget(name);
    boolean _ = nets.removeApp(CaptureFile.app(name));
    boolean _ = nets.removeApp(name);
    boolean _ = nets.remove(name);
    if (labs.list().stream().anyMatch(side -> side.lab().equals(name))) {
      labs.delete(name);
    }
  }

  @Override
  public void happen(SetupResource net, String event, ActionValues values)
      throws InterruptedException {
    events.happen(net.name(), event, values);
  }
}
