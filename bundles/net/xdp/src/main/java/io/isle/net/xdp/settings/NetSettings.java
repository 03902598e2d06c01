package io.isle.net.xdp.settings;

import io.isle.api.base.Setting;
import io.isle.net.xdp.bpf.XdpLink;
import io.isle.net.xdp.socket.XskWish;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Checked settings of a net. Immutable.
 *
 * @param interfaceName 1 to 15 characters, or {@link #FILE} and the path of a capture file
 * @param namespace as in the settings; empty for the platform's own
 * @param firstQueue of the first tile
 * @param rxQueue entries of RX, a power of two
 * @param txQueue entries of TX and COMPLETION, a power of two
 * @param appFrames frames of a tile for links of apps
 * @param flushNs longest wait of a frame to send
 * @param address destination of frames for apps; empty for any
 * @param dropBadChecksums whether frames with a wrong checksum of UDP are dropped
 * @param socket file where processes attach; empty for the usual one
 * @param loopback whether tile 0 also has lo
 * @param cpu processors of tiles
 * @param pcapSent capture file for sent frames, if the interface is a file
 * @param inProcess whether each tile runs in a process of its own
 * @param standby whether each such tile has a further process that waits
 */
public record NetSettings(
    String interfaceName,
    String namespace,
    int tiles,
    int firstQueue,
    XdpLink.Mode mode,
    boolean zeroCopy,
    XskWish.Poll poll,
    int rxQueue,
    int txQueue,
    int appFrames,
    long flushNs,
    OptionalInt address,
    boolean dropBadChecksums,
    Optional<Path> socket,
    boolean loopback,
    CpuWish cpu,
    Configure configure,
    Optional<Path> pcapSent,
    boolean inProcess,
    boolean standby) {
  /** Of files {@code io.isle.net-NAME.cfg}. */
  public static final String FACTORY_PID = "io.isle.net";

  /** Begin of the name of an interface that is a capture file. */
  public static final String FILE = "pcap:";

  /** What a net does about settings of its interface. */
  public enum Configure {
    /** Tells which differ. */
    CHECK,
    /** Sets them, and puts them back. */
    AUTO,
    /** Nothing. */
    OFF
  }

  /**
   * Checks values and fills defaults in.
   *
   * @throws io.isle.api.net.NetException EINVAL with the key and its limit
   */
  public static NetSettings of(Map<String, String> given) {
    return NetReader.read(given);
  }

  /** All keys. */
  public static List<String> keys() {
    return NetKeys.SCHEMA.stream().map(Setting::key).toList();
  }

  /** The capture file whose frames arrive; empty for a network interface. */
  public Optional<Path> file() {
    return interfaceName.startsWith(FILE)
        ? Optional.of(Path.of(interfaceName.substring(FILE.length())))
        : Optional.empty();
  }

  /** Whether a net of these settings goes on as one of others without new sockets. */
  public boolean keepsSockets(NetSettings to) {
    return equals(
        new NetSettings(
            to.interfaceName,
            to.namespace,
            to.tiles,
            to.firstQueue,
            to.mode,
            to.zeroCopy,
            to.poll,
            to.rxQueue,
            to.txQueue,
            to.appFrames,
            flushNs,
            address,
            dropBadChecksums,
            to.socket,
            to.loopback,
            cpu,
            to.configure,
            to.pcapSent,
            inProcess,
            standby));
  }
}
