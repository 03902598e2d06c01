package io.isle.core.accel.display;

import io.isle.api.device.PixelFormat;
import io.isle.core.accel.ids.IdPool;
import io.isle.core.accel.memory.DeviceMemory;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The framebuffers of one place, for as long as their memory is there. Thread-safe. */
final class PlaceFrames {
  private final IdPool ids;
  private final Map<Long, ShownMemory> frames = new LinkedHashMap<>();

  PlaceFrames(IdPool ids) {
    this.ids = ids;
  }

  /**
   * A new one, which takes an id until {@link #cancel}, or as long as it is kept.
   *
   * @throws io.isle.api.accel.AccelException ENOSPC
   */
  ShownMemory create(
      String tenant, DeviceMemory memory, int width, int height, PixelFormat format) {
    return new ShownMemory(ids.take(tenant), memory, width, height, format);
  }

  /** The device has it; the next ones are to have it too. */
  synchronized void add(ShownMemory frame) {
    frames.put(frame.id(), frame);
  }

  /** Whether it can be shown. */
  synchronized boolean has(ShownMemory frame) {
    return frames.get(frame.id()) == frame && !frame.isGone();
  }

  /** Gives the id of one back that was not added. */
  void cancel(ShownMemory frame) {
    ids.give(frame.id());
  }

  /** The device does not have it. */
  synchronized void drop(ShownMemory frame) {
    if (frames.remove(frame.id(), frame)) {
      ids.give(frame.id());
    }
  }

  /** Drops those whose memory is gone. */
  synchronized void prune() {
    for (Iterator<ShownMemory> all = frames.values().iterator(); all.hasNext(); ) {
      ShownMemory frame = all.next();
      if (frame.isGone()) {
        all.remove();
        ids.give(frame.id());
      }
    }
  }

  /** By age. */
  synchronized List<ShownMemory> list() {
    prune();
    return new ArrayList<>(frames.values());
  }

  synchronized void clear() {
    frames.keySet().forEach(ids::give);
    frames.clear();
  }
}
