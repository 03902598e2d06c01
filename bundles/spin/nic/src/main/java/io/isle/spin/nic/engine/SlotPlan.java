package io.isle.spin.nic.engine;

import io.isle.api.spin.HostReply;
import io.isle.spin.nic.hpus.TaskBounds;

/**
 * What a context at work is made with.
 *
 * @param nic name of the interface
 * @param bounds of its tasks
 */
public record SlotPlan(String nic, String name, TaskBounds bounds, HostReply reply) {}
