package io.isle.spin.nic.offline;

import io.isle.spin.nic.core.HandlerKind;
import io.isle.spin.nic.plan.NicLimits;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Handlers in Java: each sends its packet; a packet that begins with 0xFF traps its handler, one
 * that begins with 0xBF is refused.
 */
final class JavaHandlers implements TaskRunner, OfflineOutput {
  static final int TRAPS = 0xFF;
  static final int REFUSED = 0xBF;

  private final NicLimits limits;
  private final MemorySegment packets;
  final List<OfflineTask> tasks = new ArrayList<>();
  final List<String> sent = new ArrayList<>();
  final List<Integer> unmatched = new ArrayList<>();
  final List<String> trapped = new ArrayList<>();
  final List<String> aborted = new ArrayList<>();

  JavaHandlers(NicLimits limits) {
    this.limits = limits;
    packets = MemorySegment.ofArray(new byte[(int) limits.packetBytes()]);
  }

  /** The first byte, the id of the message and whether it ends there. */
  static byte[] packet(int first, int message, boolean ends, int length) {
    byte[] bytes = new byte[length];
    bytes[0] = (byte) first;
    bytes[40] = (byte) (ends ? 1 : 0);
    bytes[44] = (byte) message;
    bytes[45] = (byte) (message >> 8);
    return bytes;
  }

  @Override
  public void store(int slot, MemorySegment memory, long offset, int length) {
    MemorySegment.copy(memory, offset, packets, limits.offset(slot), length);
  }

  @Override
  public TaskEnd run(OfflineTask task, SentFrames frames) {
    tasks.add(task);
    long at = limits.offset(task.slot());
    int first = packets.get(ValueLayout.JAVA_BYTE, at) & 0xFF;
    if (first == TRAPS) {
      return new TaskEnd(7, false, Optional.of(new TaskTrap(1, 0x1000, 0)));
    }
    frames.frame(packets, at, task.length());
    return new TaskEnd(first, first == REFUSED, Optional.empty());
  }

  @Override
  public void sent(OfflineTask task, MemorySegment memory, long offset, int length) {
    sent.add(
        task.handler() + " " + (memory.get(ValueLayout.JAVA_BYTE, offset) & 0xFF) + " " + length);
  }

  @Override
  public void unmatched(MemorySegment memory, long offset, int length) {
    unmatched.add(memory.get(ValueLayout.JAVA_BYTE, offset) & 0xFF);
  }

  @Override
  public void trapped(OfflineTask task, TaskTrap trap) {
    trapped.add(task.handler() + " on packet " + task.packet());
  }

  @Override
  public void aborted(int message, boolean atEnd) {
    aborted.add(message + (atEnd ? " at the end" : " for room"));
  }

  List<HandlerKind> kinds() {
    return tasks.stream().map(OfflineTask::handler).toList();
  }
}
