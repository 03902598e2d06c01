package io.isle.spin.nic.live;

import io.isle.api.spin.ContextSpec;
import io.isle.api.spin.ContextState;
import io.isle.api.spin.HandlerImage;
import io.isle.api.spin.HandlerSource;
import io.isle.api.spin.HpuInfo;
import io.isle.api.spin.NicInfo;
import io.isle.api.spin.QueueInfo;
import io.isle.api.tenancy.Capability;
import io.isle.spin.nic.engine.LiveSlot;
import io.isle.spin.nic.engine.NicAgent;
import io.isle.spin.nic.engine.NicEngine;
import io.isle.spin.nic.settings.NicSettings;
import java.util.List;
import java.util.concurrent.CompletableFuture;
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
  private final NicContexts contexts;
  private final long begunNs;
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
    begunNs = services.clock().nanoTime();
    engine = new NicEngine(services.clock(), settings.parallel(), settings.messageTimeoutNs());
    agent = new NicAgent(name, engine);
    port = new PortKeeper(name + ": port", agent, engine.port(), services.ports());
    host = new PortKeeper(name + ": host", agent, engine.host(), services.ports());
    contexts = new NicContexts(this, engine, agent, services);
    boolean whole = false;
    try {
      agent.start(services.host());
      follow(settings);
      whole = true;
    } finally {
      if (!whole) {
        close();
      }
    }
  }

  /** Name of the interface; any thread. */
  public String name() {
    return name;
  }

  /** Settings in force; any thread. */
  public NicSettings settings() {
    return settings;
  }

  /** When it began. */
  public long begunNs() {
    return begunNs;
  }

  /** Why its agent has ended; empty while it works. Any thread. */
  public String failure() {
    return agent.failure();
  }

  /** The contexts that are attached or lost; any thread. */
  public List<LiveContext> contexts() {
    return contexts.all();
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
    return contexts.attach(capability, spec, image(spec.handlers()), configured);
  }

  /** Attaches a lost context again, with memory as at first. */
  public void reattach(LiveContext context) {
    contexts.reattach(context, image(context.spec().handlers()));
  }

  /**
   * Gives a context of the settings other rules and handlers; its memory stays.
   *
   * @param over told the end, or why it keeps the old ones
   */
  public void change(LiveContext context, ContextSpec spec, CompletableFuture<Boolean> over) {
    contexts.swap(context, spec, image(spec.handlers()), over);
  }

  /**
   * Replaces handlers; memory stays.
   *
   * @param over told the end, or why the old ones stay; who cancels it wants the new ones no more
   */
  public void swap(LiveContext context, HandlerImage image, CompletableFuture<Boolean> over) {
    contexts.swap(context, context.spec(), image, over);
  }

  /** No context gets these handlers by an exchange that is under way. */
  public void refuse(List<HandlerImage> images, String why) {
    contexts.refuse(images, why);
  }

  /**
   * Ends a context; nothing if it has ended.
   *
   * @param why empty when its owner ends it
   */
  public void detach(LiveContext context, String why) {
    contexts.detach(context, why);
  }

  /** The device, or the process of a group, is about to go; any thread. */
  public void freeze(String device) {
    if (device.equals(settings.device())) {
      contexts.freeze();
    }
  }

  /** Tells what has happened, and looks after ports and contexts. */
  public void tick() {
    engine.events().drain(name, contexts::trapped, services.events()::onAbort);
    if (!failure().isEmpty()) {
      return;
    }
    long now = services.clock().nanoTime();
    port.tick(now);
    host.tick(now);
    contexts.tick();
  }

  /** Other weights of groups are in force. */
  public void weigh() {
    contexts.weigh();
  }

  /** What the contexts of a group have done, or all for an empty name; any thread. */
  public GroupCount count(String group) {
    return contexts.count(group);
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
    contexts.close("the network interface has ended");
    port.close();
    host.close();
    agent.close();
  }
}
