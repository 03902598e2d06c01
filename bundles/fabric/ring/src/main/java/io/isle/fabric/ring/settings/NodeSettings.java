package io.isle.fabric.ring.settings;

import io.isle.api.base.Setting;
import io.isle.api.fabric.Dialect;
import io.isle.api.fabric.LayerRange;
import io.isle.api.fabric.RingException;
import io.isle.api.fabric.RingRole;
import io.isle.lib.leap.Packets;
import java.util.List;
import java.util.Map;

/**
 * The settings of a node. Immutable.
 *
 * @param ring name of the ring
 * @param packetBytes bytes of each packet, 1 to {@link #MAX_PACKET}
 * @param layers layers of the model; 0: not known
 * @param range first layers of a worker
 * @param stage name of the stage of a worker
 * @param listen addresses for the previous node; of dialect leap one
 * @param next address of the next node
 * @param source only source of datagrams; empty for the first valid one
 * @param allow networks of accepted neighbours; empty for all
 * @param plaintext whether packets may leave the loopback interface
 * @param waits times of waits
 * @param buffers sizes of buffers
 * @param isle of dialect isle
 * @param process where the node runs
 */
public record NodeSettings(
    String ring,
    RingRole role,
    int packetBytes,
    int layers,
    LayerRange range,
    String stage,
    List<PathAddress> listen,
    PathAddress next,
    Dialect prevDialect,
    Dialect nextDialect,
    String source,
    List<String> allow,
    boolean plaintext,
    Waits waits,
    Buffers buffers,
    Isle isle,
    Place process) {
  /** Factory of the files {@code io.isle.ring-NAME.cfg}. */
  public static final String FACTORY_PID = "io.isle.ring";

  /** Largest packet: 65535 chunks of 1400 bytes, the most that datagrams can carry. */
  public static final int MAX_PACKET = Packets.MAX_BYTES;

  /**
   * Times in nanoseconds.
   *
   * @param spinNs before a waiting thread sleeps
   * @param parkNs that parked connections are kept
   * @param frameNs after which an incomplete frame is lost
   */
  public record Waits(long spinNs, long parkNs, long frameNs) {}

  /**
   * Sizes in bytes.
   *
   * @param kernelBytes of each kernel buffer
   * @param reassemblyBytes of incomplete frames
   */
  public record Buffers(int kernelBytes, long reassemblyBytes) {}

  /**
   * Of dialect isle.
   *
   * @param window most packets without an acknowledgement
   * @param heartbeatMs milliseconds between two signs of life
   * @param stallNs nanoseconds of work on a packet after which a node counts as stuck
   */
  public record Isle(int window, int heartbeatMs, long stallNs) {}

  /**
   * Where a node runs.
   *
   * @param own whether in a process of its own
   * @param heapBytes most bytes of Java objects of that process; 0 without one
   */
  public record Place(boolean own, long heapBytes) {}

  public NodeSettings {
    listen = List.copyOf(listen);
    allow = List.copyOf(allow);
  }

  /**
   * Reads the settings of a file.
   *
   * @param given key to value
   * @throws RingException EINVAL with the key and its limit
   */
  public static NodeSettings of(Map<String, String> given) {
    return new SettingsReader(given).read();
  }

  /** All keys of a file. */
  public static List<String> keys() {
    return NodeKeys.SCHEMA.stream().map(Setting::key).toList();
  }

  /** A copy with the addresses of {@code other} and its settings that a path may change. */
  public NodeSettings withLinksOf(NodeSettings other) {
    return new NodeSettings(
        ring,
        role,
        packetBytes,
        layers,
        range,
        stage,
        other.listen,
        other.next,
        prevDialect,
        nextDialect,
        other.source,
        other.allow,
        other.plaintext,
        other.waits,
        other.buffers,
        isle,
        process);
  }
}
