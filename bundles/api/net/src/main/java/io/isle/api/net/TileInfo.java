package io.isle.api.net;

import java.util.List;
import java.util.Optional;

/**
 * A tile with its socket. Immutable.
 *
 * @param tile number, from 0
 * @param queue of the interface
 * @param running whether a tile moves the frames now
 * @param zeroCopy whether the device moves frames itself; false: the kernel copies
 * @param poll who takes frames from the device: {@code softirq}, {@code prefbusy}, or {@code none}
 *     for a file
 * @param pinnedBytes memory that cannot be paged out
 * @param frames number of frames of 2048 bytes
 * @param opened how often a tile was opened on this memory
 * @param seen received frames with an outcome
 * @param passed received frames that an app got
 * @param dropped received frames that no app got
 * @param sent frames that the kernel got to send
 * @param busy share of the time with work, 0 to 1
 * @param processors that the tile runs on, in order; empty for any
 * @param process of the tile; empty while tiles run in the platform
 */
public record TileInfo(
    int tile,
    int queue,
    boolean running,
    boolean zeroCopy,
    String poll,
    long pinnedBytes,
    int frames,
    long opened,
    long seen,
    long passed,
    long dropped,
    long sent,
    double busy,
    List<Integer> processors,
    Optional<TileProcessInfo> process) {
  /** Copies the list. */
  public TileInfo {
    processors = List.copyOf(processors);
  }
}
