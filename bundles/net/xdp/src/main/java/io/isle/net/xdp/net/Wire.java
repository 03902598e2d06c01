package io.isle.net.xdp.net;

import io.isle.api.net.tile.PortMemory;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Where the frames of a port of a tile come from and go to: a socket, or capture files. */
interface Wire extends AutoCloseable {
  /** Number of the queue. */
  int queue();

  /** The rings for a tile. */
  PortMemory memory();

  /** Whether the device moves frames itself. */
  boolean zeroCopy();

  /** Who takes frames from the device, as users read it. */
  String poll();

  /** Memory that cannot be paged out, in bytes. */
  long pinnedBytes();

  /** What differs from the settings and why, for the user. */
  List<String> notes();

  /** As {@link io.isle.api.net.tile.TileCalls#wakeRx}. */
  int wakeRx();

  /** As {@link io.isle.api.net.tile.TileCalls#wakeTx}. */
  int wakeTx();

  /** As {@link io.isle.api.net.tile.TileCalls#statistics}. */
  int statistics(MemorySegment into);

  /** Gives all back; no tile may be open. */
  @Override
  void close();
}
