package io.isle.api.spin;

import io.isle.api.base.Errno;

/**
 * A test of one word of a packet. The rule holds if the word {@code index}, read as big-endian and
 * masked, lies between start and end, both included; all numbers are unsigned. Immutable.
 *
 * @param index of the word of 4 bytes, 0 to {@link #MOST_INDEX}
 */
public record MatchRule(int index, int mask, int start, int end) {
  /** Index of the last word that a rule can test. */
  public static final int MOST_INDEX = 16;

  /** Never holds. */
  public static final MatchRule FALSE = new MatchRule(0, 0, 1, 0);

  /** Always holds. */
  public static final MatchRule TRUE = new MatchRule(0, 0, 0, 0);

  /** The type of Ethernet is IPv4. */
  public static final MatchRule IP = new MatchRule(3, 0xFFFF0000, 0x08000000, 0x08000000);

  /** The flag EOM of SLMP is set. */
  public static final MatchRule SLMP_EOM = new MatchRule(10, 0x8000, 0x8000, 0x8000);

  private static final int PROTOCOLS = 0xFF;
  private static final int PORTS = 0xFFFF;

  /** Checks the index. */
  public MatchRule {
    if (index < 0 || index > MOST_INDEX) {
      throw new SpinException(Errno.EINVAL, "idx " + index + " is not in 0.." + MOST_INDEX);
    }
  }

  /**
   * The protocol of IPv4 is this one.
   *
   * @throws SpinException EINVAL if the number is not in 0..255
   */
  public static MatchRule ipProtocol(int number) {
    limited("IP_PROTO", number, PROTOCOLS);
    return new MatchRule(5, PROTOCOLS, number, number);
  }

  /**
   * The source port of UDP behind an IPv4 header of 20 bytes is this one.
   *
   * @throws SpinException EINVAL if the number is not in 0..65535
   */
  public static MatchRule udpSource(int port) {
    limited("UDP_SPORT", port, PORTS);
    return new MatchRule(8, PORTS, port, port);
  }

  /** As {@link #udpSource}, for the destination port. */
  public static MatchRule udpDestination(int port) {
    limited("UDP_DPORT", port, PORTS);
    return new MatchRule(9, PORTS << 16, port << 16, port << 16);
  }

  /** Whether no word is between start and end, so that the rule never holds. */
  public boolean isFalse() {
    return Integer.compareUnsigned(start, end) > 0;
  }

  /** Such as {@code UDP_DPORT(9330)}, or the numbers where the rule has no name. */
  public String text() {
    if (equals(FALSE)) {
      return "FALSE";
    }
    if (equals(TRUE)) {
      return "TRUE";
    }
    if (equals(IP)) {
      return "IP";
    }
    if (equals(SLMP_EOM)) {
      return "SLMP_EOM";
    }
    return start == end ? numbered() : numbers();
  }

  private String numbered() {
    int port = index == 9 ? start >>> 16 : start;
    if (port >= 0 && port <= PROTOCOLS && equals(ipProtocol(port))) {
      return "IP_PROTO(" + port + ")";
    }
    if (port >= 0 && port <= PORTS && equals(udpSource(port))) {
      return "UDP_SPORT(" + port + ")";
    }
    if (port >= 0 && port <= PORTS && equals(udpDestination(port))) {
      return "UDP_DPORT(" + port + ")";
    }
    return numbers();
  }

  private String numbers() {
    return "{%d, 0x%x, 0x%x, 0x%x}".formatted(index, mask, start, end);
  }

  private static void limited(String name, int number, int most) {
    if (number < 0 || number > most) {
      throw new SpinException(Errno.EINVAL, name + " " + number + " is not in 0.." + most);
    }
  }
}
