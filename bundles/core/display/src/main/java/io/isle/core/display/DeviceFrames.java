package io.isle.core.display;

import io.isle.core.display.state.Frame;
import io.isle.lib.ids.IdPool;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** The framebuffers of one device, for as long as their memory is there. Thread-safe. */
final class DeviceFrames {
  private final IdPool ids;
  private final Map<Long, Frame> frames = new LinkedHashMap<>();

  /**
   * @param ids of all devices
   */
  DeviceFrames(IdPool ids) {
    this.ids = ids;
  }

  /**
   * An id for a new one, which is taken until {@link #cancel}, or as long as the framebuffer is
   * kept.
   *
   * @throws io.isle.api.accel.AccelException ENOSPC
   */
  long take(String owner) {
    return ids.take(owner);
  }

  /** The device has it; the next openings are to have it too. */
  synchronized void add(Frame frame) {
    frames.put(frame.id(), frame);
  }

  /** One that was there when the bundle stopped; false when that cannot have been. */
  synchronized boolean restore(Frame frame) {
    if (!ids.retake(frame.id(), frame.owner())) {
      return false;
    }
    frames.put(frame.id(), frame);
    return true;
  }

  synchronized Optional<Frame> find(long id) {
    return Optional.ofNullable(frames.get(id));
  }

  /** Gives an id back that no framebuffer has. */
  void cancel(long id) {
    ids.give(id);
  }

  /** The device does not have it. */
  synchronized void drop(Frame frame) {
    if (frames.remove(frame.id(), frame)) {
      ids.give(frame.id());
    }
  }

  /** Drops those whose memory is gone. */
  void prune(Predicate<Frame> gone) {
    list().stream().filter(gone).forEach(this::drop);
  }

  /** By age. */
  synchronized List<Frame> list() {
    return new ArrayList<>(frames.values());
  }

  /** None is kept any more. */
  synchronized void clear() {
    frames.keySet().forEach(ids::give);
    frames.clear();
  }
}
