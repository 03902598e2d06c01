package io.isle.spin.nic.offline;

import io.isle.spin.nic.core.HandlerKind;
import io.isle.spin.nic.core.NicTask;

/**
 * A handler on a packet.
 *
 * @param hpu over all clusters
 * @param slot of the packet in the packet memory
 * @param packet index of the packet in the capture, from 0
 */
public record OfflineTask(
    HandlerKind handler, int hpu, int queue, int slot, int length, long packet) {
  static OfflineTask of(NicTask task, long packet) {
    return new OfflineTask(
        task.handler(), task.hpu(), task.queue(), task.slot(), task.length(), packet);
  }
}
