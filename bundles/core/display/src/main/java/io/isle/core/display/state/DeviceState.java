package io.isle.core.display.state;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;

/**
 * What is kept of one device. Immutable.
 *
 * @param epoch the opening that has all of it; empty when none has
 * @param frames by age
 * @param heads by connector
 */
public record DeviceState(OptionalInt epoch, List<Frame> frames, Map<Integer, HeadState> heads) {
  /** Most connectors. */
  public static final int MAX_HEADS = 64;

  public DeviceState {
    frames = List.copyOf(frames);
    heads = Collections.unmodifiableMap(new TreeMap<>(heads));
  }

  /** Whether there is nothing to go on with. */
  public boolean isEmpty() {
    return frames.isEmpty() && heads.isEmpty();
  }

  /** The same, of which no opening is known to have anything. */
  DeviceState unopened() {
    return new DeviceState(OptionalInt.empty(), frames, heads);
  }

  /** The same without framebuffers, whose memory is gone. */
  DeviceState withoutFrames() {
    Map<Integer, HeadState> left = new TreeMap<>();
    heads.forEach((connector, head) -> left.put(connector, head.showing(Set.of())));
    return new DeviceState(epoch, List.of(), left);
  }
}
