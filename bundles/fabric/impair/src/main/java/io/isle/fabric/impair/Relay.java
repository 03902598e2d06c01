package io.isle.fabric.impair;

import io.isle.fabric.impair.ImpairSettings.Faults;
import io.isle.lib.ffi.PollSet;

/** A relay of one kind. One thread drives it, but for {@link #connections}. */
interface Relay extends AutoCloseable {
  /** Most descriptors that {@link #collect} adds. */
  int MOST_DESCRIPTORS = 200;

  /** Other impairments from now on. */
  void faults(Faults next);

  /** Passes on what has come and what is due. */
  void work(long nowNs);

  /**
   * Adds the descriptors to wait for.
   *
   * @param from index of the first free entry
   * @return index behind the last used one
   */
  int collect(PollSet set, int from);

  /** Time of the next work without an event; {@link Long#MAX_VALUE} for none. */
  long nextNs();

  /** Cuts all connections; nothing for datagrams. */
  void cut();

  /** Open connections, or sources of datagrams. Any thread. */
  int connections();

  @Override
  void close();
}
