package io.isle.spin.nic.live;

import io.isle.api.base.Errno;
import io.isle.api.base.IsleException;
import io.isle.api.spin.ContextEvent;
import io.isle.api.spin.ContextSpec;
import io.isle.api.spin.ContextState;
import io.isle.api.spin.HandlerImage;
import io.isle.api.spin.HandlerSource;
import io.isle.api.spin.HpuInfo;
import io.isle.api.spin.NicInfo;
import io.isle.api.spin.QueueInfo;
import io.isle.api.spin.SpinException;
import io.isle.api.spin.TrapEvent;
import io.isle.api.tenancy.Capability;
import io.isle.spin.nic.engine.LiveSlot;
import io.isle.spin.nic.engine.NicAgent;
import io.isle.spin.nic.engine.NicEngine;
import io.isle.spin.nic.settings.NicSettings;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** An interface at work. Belongs to {@link NicThread}, unless said otherwise. */
public final class LiveNic implements AutoCloseable {
  private final String name;
  private final NicServices services;
  private final Function<HandlerSource, HandlerImage> images;
  private final NicEngine engine;
  private final NicAgent agent;
  private final PortKeeper port;
  private final PortKeeper host;
  private final ContextAttachment attachment;
  private final ContextRecovery recovery;
  private final List<LiveContext> contexts = new CopyOnWriteArrayList<>();
  private volatile NicSettings settings;

  /**
   * Starts an interface without contexts.
   *
   * @param images finds handlers
   */
  public LiveNic(
      String name,
      NicSettings settings,
      NicServices services,
      Function<HandlerSource, HandlerImage> images) {
    this.name = name;
    this.settings = settings;
    this.services = services;
    this.images = images;
    engine = new NicEngine(services.clock(), settings.parallel(), settings.messageTimeoutNs());
    agent = new NicAgent(name, engine);
    port = new PortKeeper(name + ": port", agent, engine.port(), services.ports());
    host = new PortKeeper(name + ": host", agent, engine.host(), services.ports());
    attachment = new ContextAttachment(name, engine, agent, services);
    recovery = new ContextRecovery(agent, this::changed);
    agent.start(services.host());
    follow(settings);
  }

  /** Name of the interface; any thread. */
  public String name() {
    return name;
  }

  /** Settings in force; any thread. */
  public NicSettings settings() {
    return settings;
  }

  /** The contexts that are attached or lost; any thread. */
  public List<LiveContext> contexts() {
    return List.copyOf(contexts);
  }

  HandlerImage image(HandlerSource source) {
    return images.apply(source);
  }

  /** Other settings, of the same device. */
  public void follow(NicSettings now) {
    settings = now;
    agent.run(
        all -> {
          all.core().parallel(now.parallel());
          all.core().messageTimeout(now.messageTimeoutNs());
        });
    long time = services.clock().nanoTime();
    port.follow(now.port(), time);
    host.follow(now.host(), time);
  }

  /**
   * Attaches handlers.
   *
   * @param configured whether the context is one of the settings
   */
  public LiveContext attach(Capability capability, ContextSpec spec, boolean configured) {
    ContextLife life =
        attachment.attach(settings.device(), capability, spec, configured, image(spec.handlers()));
    LiveContext made = new LiveContext(this, services.thread(), life);
    contexts.add(made);
    changed(made);
    return made;
  }

  /** Attaches a lost context again, with memory as at first. */
  public void reattach(LiveContext context) {
    ContextLife life = context.life();
    if (life.state() != ContextState.LOST) {
      throw new SpinException(Errno.EEXIST, context.name() + " is " + life.state().text());
    }
    recovery.resume(context, attachment.open(settings.device(), life, image(life.spec.handlers())));
  }

  /** Gives a context of the settings other rules and handlers; its memory stays. */
  public void change(LiveContext context, ContextSpec spec) {
    HandlerImage image = image(spec.handlers());
    context.life().spec = spec;
    context.life().slot.calls().reply(spec.hostReply());
    swap(context, image);
  }

  /** Replaces handlers; memory stays. */
  public void swap(LiveContext context, HandlerImage image) {
    ContextLife life = context.life();
    if (life.state() != ContextState.ATTACHED) {
      throw new SpinException(
          life.state() == ContextState.DETACHED ? Errno.ECLOSED : Errno.EINTR,
          context.name() + " is " + life.state().text());
    }
    new ContextSwap(agent, services.clock()).swap(life, image, settings.swapMs());
  }

  /**
   * Ends a context; nothing if it has ended.
   *
   * @param why empty when its owner ends it
   */
  public void detach(LiveContext context, String why) {
    if (!contexts.remove(context)) {
      return;
    }
    ContextLife life = context.life();
    try {
      agent.run(
          all -> {
            all.drain(life.number);
            all.detach(life.number);
          });
    } finally {
      services.ended().accept(life.capability.group(), GroupCount.of(life.counters));
      life.state(ContextState.DETACHED, why);
      changed(context);
      life.handlers.close();
    }
  }

  private void changed(LiveContext context) {
    ContextLife life = context.life();
    services
        .events()
        .onContext(
            new ContextEvent(
                services.clock().nanoTime(), name, context.name(), life.state(), life.reason()));
  }

  /** The device, or the process of a group, is about to go; any thread. */
  public void freeze(String device) {
    if (device.equals(settings.device())) {
      contexts.forEach(recovery::look);
    }
  }

  /** Tells what has happened, and looks after ports and contexts. */
  public void tick() {
    engine.events().drain(name, this::trapped, services.events()::onAbort);
    long now = services.clock().nanoTime();
    port.tick(now);
    host.tick(now);
    for (LiveContext context : contexts) {
      String why = recovery.tick(context);
      if (!why.isEmpty()) {
        detach(context, why);
      }
    }
  }

  private void trapped(TrapEvent event) {
    contexts.stream()
        .filter(context -> context.name().equals(event.context()))
        .forEach(context -> context.trapped(event));
    services.events().onTrap(event);
  }

  /** Other weights of groups are in force. */
  public void weigh() {
    for (LiveContext context : contexts) {
      String group = context.capability().group();
      int weight = services.weights().applyAsInt(group);
      agent.run(all -> all.core().weight(group, weight, all.tick()));
    }
  }

  /** What the contexts of a group have done, or all for an empty name; any thread. */
  public GroupCount count(String group) {
    GroupCount sum = GroupCount.NONE;
    for (LiveContext context : contexts) {
      if (group.isEmpty() || context.capability().group().equals(group)) {
        sum = sum.plus(GroupCount.of(context.life().counters));
      }
    }
    return sum;
  }

  int usedSlots(LiveContext context) {
    int number = context.life().number;
    LiveSlot slot = context.life().slot;
    return context.state() == ContextState.DETACHED
        ? 0
        : agent.call(all -> all.has(number, slot) ? all.core().usedSlots(number) : 0);
  }

  /** A snapshot; any thread. */
  public NicInfo info() {
    return NicSnapshots.info(this, agent, port, host);
  }

  /** Snapshots; any thread. */
  public List<HpuInfo> hpus() {
    return agent.call(all -> NicSnapshots.hpus(name, all));
  }

  /** Snapshots; any thread. */
  public List<QueueInfo> queues() {
    return agent.call(all -> NicSnapshots.queues(name, all));
  }

  /** Ends all contexts, and the interface. */
  @Override
  public void close() {
    for (LiveContext context : contexts) {
      try {
        detach(context, "the network interface has ended");
      } catch (IsleException e) {
        System.getLogger(LiveNic.class.getName())
            .log(System.Logger.Level.WARNING, name + ": " + context.name(), e);
      }
    }
    port.close();
    host.close();
    agent.close();
  }
}
