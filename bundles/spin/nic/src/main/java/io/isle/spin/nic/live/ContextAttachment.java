package io.isle.spin.nic.live;

import io.isle.api.accel.DeviceQuery;
import io.isle.api.base.Errno;
import io.isle.api.spin.ContextSpec;
import io.isle.api.spin.HandlerImage;
import io.isle.api.spin.SpinException;
import io.isle.api.tenancy.Capability;
import io.isle.spin.nic.engine.LiveSlot;
import io.isle.spin.nic.engine.NicAgent;
import io.isle.spin.nic.engine.NicEngine;
import io.isle.spin.nic.engine.SlotPlan;
import io.isle.spin.nic.hpus.AttachedHandlers;
import io.isle.spin.nic.hpus.HandlersPlan;
import io.isle.spin.nic.hpus.TaskBounds;

/** Brings handlers to a slot of an interface. Belongs to {@link NicThread}. */
final class ContextAttachment {
  private final String name;
  private final NicEngine engine;
  private final NicAgent agent;
  private final NicServices services;

  /**
   * @param name of the interface
   */
  ContextAttachment(String name, NicEngine engine, NicAgent agent, NicServices services) {
    this.name = name;
    this.engine = engine;
    this.agent = agent;
    this.services = services;
  }

  /** Attaches handlers of a new context; leaves nothing where that fails. */
  ContextLife attach(
      String device,
      Capability capability,
      ContextSpec spec,
      boolean configured,
      HandlerImage image) {
    ContextLife life = new ContextLife(spec, capability, configured, slot(spec));
    AttachedHandlers handlers = open(device, life, image);
    boolean whole = false;
    try {
      LiveSlot slot =
          engine.slot(
              new SlotPlan(name, spec.name(), TaskBounds.of(handlers.limits()), spec.hostReply()));
      life.plan = ContextLife.plan(spec, image, capability, handlers.handlers());
      life.slot = slot;
      int weight = services.weights().applyAsInt(capability.group());
      agent.run(
          all -> {
            slot.use(handlers.rings());
            all.attach(life.number, life.plan, slot);
            all.core().weight(capability.group(), weight, all.tick());
            life.counters = all.core().counters(life.number);
          });
      whole = true;
    } finally {
      if (!whole) {
        handlers.close();
      }
    }
    life.attached(handlers);
    return life;
  }

  private int slot(ContextSpec spec) {
    return agent.call(
        all -> {
          if (spec.slot().isEmpty()) {
            return all.freeSlot()
                .orElseThrow(
                    () ->
                        new SpinException(
                            Errno.ENOSPC, name + ": each slot has a context; detach one"));
          }
          int wanted = spec.slot().getAsInt();
          if (!all.isFree(wanted)) {
            throw new SpinException(
                Errno.EBUSY, name + ": slot " + wanted + " has a context; take another slot");
          }
          return wanted;
        });
  }

  /** Attaches handlers to HPUs, with memory as at first. */
  AttachedHandlers open(String device, ContextLife life, HandlerImage image) {
    return AttachedHandlers.open(
        services.accelerators().find(DeviceQuery.id(device)),
        services.sessions(),
        life.capability,
        new HandlersPlan(image, engine.limits(), life.spec));
  }
}
