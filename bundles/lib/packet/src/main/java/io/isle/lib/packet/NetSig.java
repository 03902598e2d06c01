package io.isle.lib.packet;

/**
 * The signature of a frame on the links of a net: a filter of apps and the hash of a flow in 64
 * bits. Bits 0 to 31: an IPv4 address, its first number lowest; 32 to 39: a protocol id; 40 to 43:
 * (bytes of all headers - 42) / 4; 44 to 63: the hash. Pure functions, safe for any thread.
 * Allocates nothing.
 */
public final class NetSig {
  /** Bytes of the headers of Ethernet, IPv4 without options and UDP. */
  public static final int MIN_HEADER_BYTES = 42;

  private static final int PROTOCOL = 32;
  private static final int HEADERS = 40;
  private static final int HASH = 44;

  private NetSig() {}

  /**
   * The signature of a frame.
   *
   * @param address of the source on the way in, of the destination on the way out; first number
   *     highest
   * @param hashAddress address of the hashed flow, as {@code address}
   * @param hashPort port of the hashed flow, 0 to 65535
   * @param protocol id of an app's protocol, 0 to 255
   * @param headerBytes bytes before the payload, 42 to 102
   */
  public static long of(int address, int hashAddress, int hashPort, int protocol, int headerBytes) {
    return Integer.toUnsignedLong(Integer.reverseBytes(address))
        | (long) (protocol & 0xFF) << PROTOCOL
        | (long) ((headerBytes - MIN_HEADER_BYTES) >> 2 & 0xF) << HEADERS
        | flowHash(hashAddress, hashPort) << HASH;
  }

  /** The address, first number highest. */
  public static int address(long signature) {
    return Integer.reverseBytes((int) signature);
  }

  /** Id of the app's protocol, 0 to 255. */
  public static int protocol(long signature) {
    return (int) (signature >>> PROTOCOL) & 0xFF;
  }

  /** Bytes before the payload, 42 to 102. */
  public static int headerBytes(long signature) {
    return ((int) (signature >>> HEADERS) & 0xF) * 4 + MIN_HEADER_BYTES;
  }

  /** Hash of the flow, 0 to 2^20 - 1. */
  public static int hash(long signature) {
    return (int) (signature >>> HASH);
  }

  /** All bits of the hash of a flow; a signature has the lowest 20. */
  public static long flowHash(int address, int port) {
    return mix(
        Integer.toUnsignedLong(Integer.reverseBytes(address)) | (port & 0xFFFFL) << Integer.SIZE);
  }

  /** The finaliser of MurmurHash3 for 64 bits: a permutation. */
  static long mix(long value) {
    long hash = value;
    hash = (hash ^ hash >>> 33) * 0xFF51AFD7ED558CCDL;
    hash = (hash ^ hash >>> 33) * 0xC4CEB9FE1A85EC53L;
    return hash ^ hash >>> 33;
  }
}
