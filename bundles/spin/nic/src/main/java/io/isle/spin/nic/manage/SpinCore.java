package io.isle.spin.nic.manage;

import io.isle.api.base.ConfigFiles;
import io.isle.api.base.Errno;
import io.isle.api.base.IsleException;
import io.isle.api.observe.Metric;
import io.isle.api.spin.ContextInfo;
import io.isle.api.spin.ContextSpec;
import io.isle.api.spin.HandlerSource;
import io.isle.api.spin.SpinException;
import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.Capability;
import io.isle.spin.nic.live.GroupCount;
import io.isle.spin.nic.live.LiveContext;
import io.isle.spin.nic.live.LiveNic;
import io.isle.spin.nic.live.NicServices;
import io.isle.spin.nic.live.NicThread;
import io.isle.spin.nic.settings.NicSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/** The interfaces of the platform and their contexts. Thread-safe. */
public final class SpinCore implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(SpinCore.class.getName());
  private static final Duration PERIOD = Duration.ofMillis(20);

  private final NicThread thread;
  private final NicServices services;
  private final HandlerRegistry handlers;
  private final ContextAttachments attachments;
  private final SettingsBook book;
  private final HandlerUpdates updates;
  private final Map<String, LiveNic> nics = new ConcurrentSkipListMap<>();

  /** Contexts of the settings that are not attached, as they were lately. */
  private volatile List<ContextInfo> waiting = List.of();

  /**
   * Interfaces of the settings, from the first {@link #filesChanged} on.
   *
   * @param services with the thread that is closed with this object
   */
  public SpinCore(
      ConfigFiles files,
      Capabilities capabilities,
      NicServices services,
      HandlerRegistry handlers,
      GroupBook groups) {
    this.services = services;
    this.handlers = handlers;
    thread = services.thread();
    attachments = new ContextAttachments(thread, nics, groups);
    book = new SettingsBook(files, capabilities, nics, this::start, attachments::ofSettings);
    attachments.reserved(name -> book.find(name).isPresent());
    updates = new HandlerUpdates(thread, nics, book, handlers);
    thread.every(PERIOD, this::tick);
  }

  private LiveNic start(String name, NicSettings settings) {
    return new LiveNic(name, settings, services, handlers::image);
  }

  private void tick() {
    for (LiveNic nic : nics.values()) {
      try {
        nic.tick();
      } catch (RuntimeException e) {
        LOG.log(System.Logger.Level.WARNING, nic.name() + ": " + e.getMessage(), e);
      }
    }
    book.tick(services.clock().nanoTime());
    waiting = book.waiting();
  }

  /** The settings may have changed. */
  public void filesChanged() {
    thread.post(book::refresh);
  }

  /** The device, or the process of a group, is about to go. */
  public void freeze(String device) {
    for (LiveNic nic : nics.values()) {
      try {
        nic.freeze(device);
      } catch (IsleException e) {
        LOG.log(System.Logger.Level.WARNING, nic.name() + ": " + e.getMessage(), e);
      }
    }
  }

  /** Something may be possible that was not: contexts try it. */
  public void again() {
    thread.post(this::tick);
  }

  /** All interfaces, by name. */
  public List<LiveNic> nics() {
    return List.copyOf(nics.values());
  }

  /** The interface with a name. */
  public Optional<LiveNic> nic(String name) {
    return Optional.ofNullable(nics.get(name));
  }

  /**
   * Makes an interface without settings.
   *
   * @throws SpinException EEXIST for a name in use
   */
  public LiveNic make(String name, NicSettings settings) {
    return thread.call(
        name + ": make",
        () -> {
          if (nics.containsKey(name)) {
            throw new SpinException(Errno.EEXIST, name + ": an interface with this name exists");
          }
          LiveNic made = start(name, settings);
          nics.put(name, made);
          return made;
        });
  }

  /** Ends an interface that was made; nothing if it has ended. */
  public void end(LiveNic nic) {
    thread.leave(
        nic.name() + ": end",
        () -> {
          if (nics.get(nic.name()) == nic) {
            book.end(nic);
            book.refresh();
          }
        });
  }

  /** Attaches a context of a tenant, whose rights are checked. */
  public LiveContext attach(LiveNic nic, Capability capability, ContextSpec spec) {
    return attachments.ofTenant(nic, capability, spec);
  }

  /** The context that is attached, or lost, with a name. */
  public Optional<LiveContext> find(String name) {
    return attachments.find(name);
  }

  /** Contexts that are attached, lost, or configured, by name. */
  public List<ContextInfo> contexts() {
    return thread.call(
        "list of the contexts",
        () -> {
          List<ContextInfo> all = new ArrayList<>(book.waiting());
          nics.values().forEach(nic -> nic.contexts().forEach(one -> all.add(one.info())));
          all.sort(Comparator.comparing(ContextInfo::name));
          return all;
        });
  }

  /** Figures for monitoring, without a wait for changes that are under way. */
  public List<Metric> metrics() {
    return NicMetrics.of(nics(), waiting);
  }

  /** Attaches a configured or a lost context. */
  public void attach(String name) {
    thread.run(
        name + ": attach",
        () -> {
          Optional<LiveContext> present = find(name);
          if (present.isPresent()) {
            present.get().nic().reattach(present.get());
            return;
          }
          ConfiguredContext configured = book.find(name).orElseThrow(() -> missing(name));
          configured.attachNow(nic(configured.nic()));
        });
  }

  /** Detaches a context. */
  public void detach(String name) {
    thread.run(
        name + ": detach",
        () -> {
          Optional<ConfiguredContext> configured = book.find(name);
          if (configured.isPresent()) {
            configured.get().end("an administrator has detached it");
          } else {
            LiveContext context = find(name).orElseThrow(() -> missing(name));
            context.nic().detach(context, "an administrator has detached it");
          }
        });
  }

  /** Replaces the handlers of a context. */
  public void swap(String name, HandlerSource with) {
    find(name).orElseThrow(() -> missing(name)).swap(handlers.image(with));
  }

  /** What becomes of contexts when bundles with handlers come, or are refused. */
  public HandlerUpdates updates() {
    return updates;
  }

  /** Other weights are in force. */
  public void weigh() {
    thread.post(() -> nics.values().forEach(LiveNic::weigh));
  }

  /** What the contexts of a group have done, or all for an empty name. */
  public GroupCount count(String group) {
    return nics.values().stream()
        .map(nic -> nic.count(group))
        .reduce(GroupCount.NONE, GroupCount::plus);
  }

  /** Ends the contexts of a group. */
  public void evict(String group) {
    thread.run(
        "the end of the contexts of " + group,
        () -> {
          for (LiveNic nic : nics.values()) {
            for (LiveContext context : nic.contexts()) {
              if (context.capability().group().equals(group)) {
                nic.detach(context, "its group is deleted");
              }
            }
          }
        });
  }

  private static SpinException missing(String name) {
    String shown = name.length() > 40 ? name.substring(0, 40) + "..." : name;
    return new SpinException(Errno.ENOENT, "no context '" + shown + "'; see spin:contexts");
  }

  /** Ends all. */
  @Override
  public void close() {
    try {
      thread.leave("the end of the network interfaces", book::close);
    } finally {
      thread.close();
    }
  }
}
