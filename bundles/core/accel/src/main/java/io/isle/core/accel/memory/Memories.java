package io.isle.core.accel.memory;

import java.util.Map;
import java.util.Optional;

/** The memory objects of one context, as who looks after their contents knows them. */
public interface Memories {
  /** The object of a core id, if it is still there. */
  Optional<DeviceMemory> find(long id);

  /** By object, what was lost since this was asked last. */
  Map<Long, FreshLosses> takeFreshLosses();

  /** Contents of a range were lost or came back. */
  void refreshLossy();
}
