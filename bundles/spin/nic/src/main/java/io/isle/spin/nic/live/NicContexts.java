package io.isle.spin.nic.live;

import io.isle.api.base.Errno;
import io.isle.api.base.IsleException;
import io.isle.api.spin.ContextEvent;
import io.isle.api.spin.ContextSpec;
import io.isle.api.spin.ContextState;
import io.isle.api.spin.HandlerImage;
import io.isle.api.spin.SpinException;
import io.isle.api.spin.TrapEvent;
import io.isle.api.tenancy.Capability;
import io.isle.spin.nic.engine.NicAgent;
import io.isle.spin.nic.engine.NicEngine;
import io.isle.spin.nic.hpus.AttachedHandlers;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/** The contexts on an interface. Belongs to {@link NicThread}, unless said otherwise. */
final class NicContexts {
  private static final System.Logger LOG = System.getLogger(NicContexts.class.getName());
  private static final long NS_PER_MS = 1_000_000;

  private final LiveNic nic;
  private final NicAgent agent;
  private final NicServices services;
  private final ContextAttachment attachment;
  private final ContextRecovery recovery;
  private final ContextSwaps swaps;
  private final List<LiveContext> all = new CopyOnWriteArrayList<>();

  NicContexts(LiveNic nic, NicEngine engine, NicAgent agent, NicServices services) {
    this.nic = nic;
    this.agent = agent;
    this.services = services;
    attachment = new ContextAttachment(nic.name(), engine, agent, services);
    recovery = new ContextRecovery(agent, this::changed);
    swaps = new ContextSwaps(services.thread(), services.clock());
  }

  /** Those that are attached or lost; any thread. */
  List<LiveContext> all() {
    return List.copyOf(all);
  }

  LiveContext attach(
      Capability capability, ContextSpec spec, HandlerImage image, boolean configured) {
    ContextLife life =
        attachment.attach(nic.settings().device(), capability, spec, configured, image);
    LiveContext made = new LiveContext(nic, services.thread(), life);
    all.add(made);
    changed(made);
    return made;
  }

  void reattach(LiveContext context, HandlerImage image) {
    ContextLife life = context.life();
    if (life.state() != ContextState.LOST) {
      throw new SpinException(Errno.EEXIST, context.name() + " is " + life.state().text());
    }
    AttachedHandlers handlers = attachment.open(nic.settings().device(), life, image);
    boolean whole = false;
    try {
      recovery.resume(context, handlers);
      whole = true;
    } finally {
      if (!whole) {
        handlers.close();
      }
    }
  }

  void swap(
      LiveContext context, ContextSpec spec, HandlerImage image, CompletableFuture<Boolean> over) {
    long swapNs = nic.settings().swapMs() * NS_PER_MS;
    swaps.add(new ContextSwap(context.life(), spec, image, swapNs, agent, over));
  }

  void refuse(List<HandlerImage> images, String why) {
    swaps.refuse(images, why);
  }

  void detach(LiveContext context, String why) {
    if (!all.remove(context)) {
      return;
    }
    ContextLife life = context.life();
    try {
      agent.run(
          engine -> {
            engine.drain(life.number);
            engine.detach(life.number);
          });
    } catch (IsleException e) {
      // without an agent nothing of the context runs
      if (e.code() != Errno.ECLOSED) {
        LOG.log(System.Logger.Level.WARNING, context.name() + ": " + e.getMessage(), e);
      }
    }
    services.ended().accept(life.capability.group(), GroupCount.of(life.counters));
    life.state(ContextState.DETACHED, why);
    changed(context);
    swaps.step();
    try {
      life.handlers.close();
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.WARNING, context.name() + ": the end of its HPUs failed", e);
    }
  }

  private void changed(LiveContext context) {
    ContextLife life = context.life();
    services
        .events()
        .onContext(
            new ContextEvent(
                services.clock().nanoTime(),
                nic.name(),
                context.name(),
                life.state(),
                life.reason()));
  }

  /** The HPUs of all contexts are about to go; any thread. */
  void freeze() {
    all.forEach(recovery::look);
  }

  void tick() {
    for (LiveContext context : all) {
      String why;
      try {
        why = recovery.tick(context);
      } catch (IsleException e) {
        LOG.log(System.Logger.Level.WARNING, context.name() + ": " + e.getMessage(), e);
        continue;
      } catch (RuntimeException e) {
        LOG.log(System.Logger.Level.ERROR, context.name() + ": a defect ends it", e);
        why = "a defect of the platform: " + e;
      }
      if (!why.isEmpty()) {
        detach(context, why);
      }
    }
  }

  void trapped(TrapEvent event) {
    all.stream()
        .filter(context -> context.name().equals(event.context()))
        .forEach(context -> context.trapped(event));
    services.events().onTrap(event);
  }

  /** Other weights of groups are in force. */
  void weigh() {
    for (LiveContext context : all) {
      String group = context.capability().group();
      int weight = services.weights().applyAsInt(group);
      agent.run(engine -> engine.core().weight(group, weight, engine.tick()));
    }
  }

  /** What those of a group have done, or all for an empty name; any thread. */
  GroupCount count(String group) {
    GroupCount sum = GroupCount.NONE;
    for (LiveContext context : all) {
      if (group.isEmpty() || context.capability().group().equals(group)) {
        sum = sum.plus(GroupCount.of(context.life().counters));
      }
    }
    return sum;
  }

  /** Ends all. */
  void close(String why) {
    all.forEach(context -> detach(context, why));
  }
}
