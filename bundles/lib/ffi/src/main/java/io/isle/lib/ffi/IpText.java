package io.isle.lib.ffi;

import java.util.Locale;

/**
 * IPv4 and IPv6 addresses as text: the strict forms of RFC 4291 in, those of RFC 5952 out. Older
 * forms of IPv4, such as octal numbers or fewer than four, are refused.
 */
final class IpText {
  private static final int GROUPS = 8;

  private IpText() {}

  /**
   * Reads an address without a zone into {@code into}.
   *
   * @return false if the text is none
   */
  static boolean parse(String text, int scope, int port, SockAddr into) {
    if (text.indexOf(':') < 0) {
      long ipv4 = scope == 0 ? ipv4(text) : -1;
      if (ipv4 >= 0) {
        into.ipv4((int) ipv4, port);
      }
      return ipv4 >= 0;
    }
    int[] groups = ipv6(text);
    if (groups == null) {
      return false;
    }
    into.ipv6(join(groups, 0), join(groups, 4), scope, port);
    return true;
  }

  /** Four decimal numbers up to 255; -1 for another text. */
  private static long ipv4(String text) {
    long address = 0;
    int numbers = 0;
    int at = 0;
    while (at <= text.length() && numbers < 4) {
      int end = text.indexOf('.', at);
      end = end < 0 ? text.length() : end;
      int number = number(text, at, end, 10, 3);
      if (number < 0 || number > 255 || end - at > 1 && text.charAt(at) == '0') {
        return -1;
      }
      address = address << 8 | number;
      numbers++;
      at = end + 1;
    }
    return numbers == 4 && at == text.length() + 1 ? address : -1;
  }

  /** Groups of four digits, or null. */
  private static int[] ipv6(String text) {
    int gap = text.indexOf("::");
    if (gap < 0) {
      int[] groups = new int[GROUPS];
      return groups(text, groups) == GROUPS ? groups : null;
    }
    int[] head = new int[GROUPS];
    int[] tail = new int[GROUPS];
    String before = text.substring(0, gap);
    String after = text.substring(gap + 2);
    int first = before.indexOf('.') >= 0 ? -1 : groups(before, head);
    int last = groups(after, tail);
    if (first < 0 || last < 0 || first + last >= GROUPS) {
      return null;
    }
    System.arraycopy(tail, 0, head, GROUPS - last, last);
    return head;
  }

  /** Reads groups, of which the last may be an IPv4 address; their number, or -1. */
  private static int groups(String text, int[] into) {
    if (text.isEmpty()) {
      return 0;
    }
    int count = 0;
    int at = 0;
    while (at <= text.length()) {
      int end = text.indexOf(':', at);
      boolean last = end < 0;
      end = last ? text.length() : end;
      if (last && text.indexOf('.', at) >= 0) {
        long ipv4 = ipv4(text.substring(at));
        if (ipv4 < 0 || count > GROUPS - 2) {
          return -1;
        }
        into[count] = (int) (ipv4 >> 16);
        into[count + 1] = (int) (ipv4 & 0xFFFF);
        return count + 2;
      }
      int group = number(text, at, end, 16, 4);
      if (group < 0 || count == GROUPS) {
        return -1;
      }
      into[count++] = group;
      at = end + 1;
    }
    return count;
  }

  /** A number of ASCII digits between two places; -1 for another text. */
  static int number(String text, int from, int to, int radix, int mostDigits) {
    if (to <= from || to - from > mostDigits) {
      return -1;
    }
    int value = 0;
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      int digit = c < 128 ? Character.digit(c, radix) : -1;
      if (digit < 0) {
        return -1;
      }
      value = value * radix + digit;
    }
    return value;
  }

  private static long join(int[] groups, int from) {
    return (long) groups[from] << 48
        | (long) groups[from + 1] << 32
        | (long) groups[from + 2] << 16
        | groups[from + 3];
  }

  static String withPort(SockAddr address) {
    if (address.isIpv4()) {
      return host(address) + ":" + address.port();
    }
    String zone = address.scope() == 0 ? "" : "%" + Integer.toUnsignedString(address.scope());
    return "[" + host(address) + zone + "]:" + address.port();
  }

  /** The address alone, without port and zone. */
  static String host(SockAddr address) {
    long low = address.low();
    if (address.isIpv4()) {
      return String.format(
          Locale.ROOT,
          "%d.%d.%d.%d",
          low >>> 24 & 0xFF,
          low >>> 16 & 0xFF,
          low >>> 8 & 0xFF,
          low & 0xFF);
    }
    int[] groups = new int[GROUPS];
    for (int i = 0; i < GROUPS; i++) {
      long half = i < 4 ? address.high() : low;
      groups[i] = (int) (half >>> 48 - 16 * (i % 4) & 0xFFFF);
    }
    return compressed(groups);
  }

  /** The first of the longest runs of at least two zero groups is left out. */
  private static String compressed(int[] groups) {
    int gap = -1;
    int length = 1;
    for (int from = 0; from < GROUPS; from++) {
      int to = from;
      while (to < GROUPS && groups[to] == 0) {
        to++;
      }
      if (to - from > length) {
        gap = from;
        length = to - from;
      }
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < GROUPS; i++) {
      if (i == gap) {
        text.append("::");
        i += length - 1;
      } else {
        text.append(text.isEmpty() || text.charAt(text.length() - 1) == ':' ? "" : ":");
        text.append(Integer.toHexString(groups[i]));
      }
    }
    return text.toString();
  }
}
