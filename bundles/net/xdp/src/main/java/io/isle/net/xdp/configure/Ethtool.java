package io.isle.net.xdp.configure;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.isle.api.base.Errno;
import io.isle.api.base.ForeignText;
import io.isle.api.net.NetException;
import io.isle.lib.ffi.SocketErrors;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Questions to the driver of an interface, and changes. One thread at a time. */
final class Ethtool implements AutoCloseable {
  private static final int GDRVINFO = 0x03;
  private static final int GSTRINGS = 0x1b;
  private static final int GSSET_INFO = 0x37;
  private static final int GFEATURES = 0x3a;
  private static final int SFEATURES = 0x3b;
  private static final int GCHANNELS = 0x3c;
  private static final int SCHANNELS = 0x3d;

  private static final int SET_FEATURES = 4;
  private static final int NAME_BYTES = 32;
  private static final int DRIVER_BYTES = 196;
  private static final int CHANNEL_BYTES = 36;
  private static final int MOST_FEATURES = 1024;

  /** A block of 32 features {u32 changeable, wanted, active, never changed}. */
  private static final int BLOCK_BYTES = 16;

  private static final int SET_BLOCK_BYTES = 8;

  /**
   * A feature of an interface.
   *
   * @param fixed whether the driver lets it never change
   */
  record Feature(int index, boolean on, boolean fixed) {}

  /**
   * Numbers of queues: rx, tx and combined, each with the most that the driver has; at most {@link
   * Integer#MAX_VALUE}.
   */
  record Channels(int mostRx, int mostTx, int mostCombined, int rx, int tx, int combined) {}

  private final Arena arena = Arena.ofConfined();
  private final EthtoolPort port;

  /** For the network namespace of the calling thread. */
  Ethtool() {
    this(new EthtoolSocket());
  }

  /**
   * @param port closed with this object
   */
  Ethtool(EthtoolPort port) {
    this.port = port;
  }

  /**
   * Runs a command.
   *
   * @return false if the driver lacks the command
   */
  private boolean call(String name, MemorySegment command, String what) {
    int code = port.call(name, command);
    if (code == -Errno.ENOTSUP) {
      return false;
    }
    if (code < 0) {
      throw new NetException(-code, name + ": " + what + ": " + SocketErrors.text(code));
    }
    return true;
  }

  private MemorySegment command(int number, long bytes) {
    MemorySegment command = arena.allocate(bytes, 8);
    command.set(JAVA_INT, 0, number);
    return command;
  }

  /**
   * Makes sure that there is such an interface.
   *
   * @throws NetException ENODEV, EINVAL for a name that no interface can have
   */
  void requireInterface(String name) {
    boolean ignored = call(name, command(GDRVINFO, DRIVER_BYTES), "interface");
  }

  /** Name of the driver, such as {@code veth}. */
  String driver(String name) {
    MemorySegment info = command(GDRVINFO, DRIVER_BYTES);
    return call(name, info, "driver") ? ForeignText.line(text(info, 4)) : "unknown driver";
  }

  private static String text(MemorySegment memory, long at) {
    byte[] bytes = memory.asSlice(at, NAME_BYTES).toArray(JAVA_BYTE);
    int end = 0;
    while (end < bytes.length && bytes[end] != 0) {
      end++;
    }
    return new String(bytes, 0, end, StandardCharsets.US_ASCII);
  }

  /**
   * Names of the features that this kernel knows, by their number.
   *
   * @throws NetException EPROTO for more than {@link #MOST_FEATURES}
   */
  List<String> features(String name) {
    MemorySegment count = command(GSSET_INFO, 24);
    count.set(JAVA_LONG_UNALIGNED, 8, 1L << SET_FEATURES);
    if (!call(name, count, "number of features") || count.get(JAVA_LONG_UNALIGNED, 8) == 0) {
      return List.of();
    }
    int features = count.get(JAVA_INT, 16);
    if (features < 0 || features > MOST_FEATURES) {
      throw new NetException(
          Errno.EPROTO,
          name
              + ": number of features: the kernel says "
              + Integer.toUnsignedString(features)
              + ", and at most "
              + MOST_FEATURES
              + " are read");
    }
    MemorySegment strings = command(GSTRINGS, 12 + (long) features * NAME_BYTES);
    strings.set(JAVA_INT, 4, SET_FEATURES);
    strings.set(JAVA_INT, 8, features);
    if (!call(name, strings, "names of features")) {
      return List.of();
    }
    List<String> names = new ArrayList<>();
    for (int i = 0; i < features; i++) {
      names.add(text(strings, 12 + (long) i * NAME_BYTES));
    }
    return names;
  }

  /** A feature by its number. */
  Feature feature(String name, int index) {
    int blocks = index / 32 + 1;
    MemorySegment features = command(GFEATURES, 8 + (long) blocks * BLOCK_BYTES);
    features.set(JAVA_INT, 4, blocks);
    if (!call(name, features, "features")) {
      return new Feature(index, false, true);
    }
    long block = 8 + (long) (blocks - 1) * BLOCK_BYTES;
    int bit = 1 << index % 32;
    boolean changes =
        (features.get(JAVA_INT, block) & bit) != 0
            && (features.get(JAVA_INT, block + 12) & bit) == 0;
    return new Feature(index, (features.get(JAVA_INT, block + 8) & bit) != 0, !changes);
  }

  /** Switches a feature. */
  void feature(String name, int index, boolean on) {
    // the kernel takes all blocks that it has, and no other number
    int known = features(name).size();
    if (index < 0 || index >= known) {
      throw new NetException(
          Errno.ENOTSUP, name + ": feature " + index + " is none of the kernel's " + known);
    }
    int blocks = Math.ceilDiv(known, 32);
    MemorySegment features = command(SFEATURES, 8 + (long) blocks * SET_BLOCK_BYTES);
    features.set(JAVA_INT, 4, blocks);
    long block = 8 + (long) (index / 32) * SET_BLOCK_BYTES;
    int bit = 1 << index % 32;
    features.set(JAVA_INT, block, bit);
    features.set(JAVA_INT, block + 4, on ? bit : 0);
    if (!call(name, features, "change of a feature")) {
      throw new NetException(Errno.ENOTSUP, name + ": the driver changes no features");
    }
  }

  /** Queues; all 0 if the driver has no numbers of queues. */
  Channels channels(String name) {
    MemorySegment channels = command(GCHANNELS, CHANNEL_BYTES);
    if (!call(name, channels, "channels")) {
      return new Channels(0, 0, 0, 0, 0, 0);
    }
    return new Channels(
        count(channels, 4),
        count(channels, 8),
        count(channels, 16),
        count(channels, 20),
        count(channels, 24),
        count(channels, 32));
  }

  private static int count(MemorySegment channels, long at) {
    int count = channels.get(JAVA_INT, at);
    return count < 0 ? Integer.MAX_VALUE : count;
  }

  /** Changes the numbers of queues. */
  void channels(String name, int rx, int tx, int combined) {
    MemorySegment channels = command(GCHANNELS, CHANNEL_BYTES);
    if (!call(name, channels, "channels")) {
      throw new NetException(Errno.ENOTSUP, name + ": the driver has no numbers of queues");
    }
    channels.set(JAVA_INT, 0, SCHANNELS);
    channels.set(JAVA_INT, 20, rx);
    channels.set(JAVA_INT, 24, tx);
    channels.set(JAVA_INT, 32, combined);
    if (!call(name, channels, "change of channels")) {
      throw new NetException(Errno.ENOTSUP, name + ": the driver changes no numbers of queues");
    }
  }

  @Override
  public void close() {
    arena.close();
    port.close();
  }
}
