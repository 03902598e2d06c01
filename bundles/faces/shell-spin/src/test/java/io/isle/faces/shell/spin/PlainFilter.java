package io.isle.faces.shell.spin;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * What rulesets make of packets, by the definition of the format and as slowly as that is: rules
 * are numbers, packets are lists of bytes, and no class of the matcher is used.
 */
final class PlainFilter {
  private static final int SEEN = 66;

  /** The rulesets as text. */
  final String text;

  private final List<List<long[]>> rules = new ArrayList<>();
  private final List<Boolean> all = new ArrayList<>();

  /** Rulesets, of which most look at bytes 12 to 51. */
  PlainFilter(Random random) {
    StringBuilder written = new StringBuilder();
    int slots = 1 + random.nextInt(4);
    for (int slot = 0; slot < slots; slot++) {
      boolean and = random.nextBoolean();
      all.add(and);
      written.append(slot == 0 ? "" : "; ").append(and ? "AND" : "OR");
      List<long[]> four = new ArrayList<>();
      int given = random.nextInt(4);
      for (int i = 0; i < 3; i++) {
        four.add(i < given ? written(rule(random), written) : and ? TRUE : FALSE);
      }
      if (random.nextInt(4) > 0) {
        written.append(" EOM");
        four.add(written(rule(random), written));
      } else {
        four.add(FALSE);
      }
      rules.add(four);
    }
    text = written.toString();
  }

  private static final long[] TRUE = {0, 0, 0, 0};
  private static final long[] FALSE = {0, 0, 1, 0};

  private static long[] rule(Random random) {
    long index = random.nextInt(3) == 0 ? random.nextInt(17) : 3 + random.nextInt(10);
    long mask = 0xFFL << 8 * random.nextInt(4);
    if (random.nextInt(6) == 0) {
      mask = random.nextInt() & 0xFFFFFFFFL;
    }
    long start = random.nextInt() & mask;
    long end = random.nextInt(4) == 0 ? start : random.nextInt() & mask;
    return new long[] {index, mask, random.nextInt(5) == 0 ? 0 : Math.min(start, end), end};
  }

  private static long[] written(long[] rule, StringBuilder out) {
    out.append(" {").append(rule[0]).append(", 0x").append(Long.toHexString(rule[1]));
    out.append(", ").append(rule[2]).append(", ").append(rule[3]).append('}');
    return rule;
  }

  private static long at(byte[] packet, long offset) {
    return offset < packet.length && offset < SEEN ? packet[(int) offset] & 0xFF : 0;
  }

  private static boolean holds(long[] rule, byte[] packet) {
    long word = 0;
    for (int i = 0; i < 4; i++) {
      word = word * 256 + at(packet, 4 * rule[0] + i);
    }
    long masked = word & rule[1];
    return rule[2] <= masked && masked <= rule[3];
  }

  private int slot(byte[] packet) {
    for (int slot = 0; slot < rules.size(); slot++) {
      int held = 0;
      for (int i = 0; i < 3; i++) {
        held += holds(rules.get(slot).get(i), packet) ? 1 : 0;
      }
      if (all.get(slot) ? held == 3 : held > 0) {
        return slot;
      }
    }
    return -1;
  }

  private static long id(byte[] packet) {
    long id = 0;
    for (int i = 47; i >= 44; i--) {
      id = id * 256 + (packet.length < 48 ? 0 : packet[i] & 0xFF);
    }
    return id;
  }

  /** The document as text, as {@code spin:match --json} prints it. */
  String document(List<byte[]> packets) {
    List<String> matches = new ArrayList<>();
    List<long[]> messages = new ArrayList<>();
    Map<String, long[]> open = new LinkedHashMap<>();
    long[] matched = new long[rules.size()];
    long[] eom = new long[rules.size()];
    for (int i = 0; i < packets.size(); i++) {
      byte[] packet = packets.get(i);
      int slot = slot(packet);
      if (slot < 0) {
        continue;
      }
      long id = id(packet);
      long[] last = rules.get(slot).get(3);
      boolean ends = holds(last, packet);
      matched[slot]++;
      eom[slot] += ends ? 1 : 0;
      matches.add(
          "{\"index\":%d,\"slot\":%d,\"eom\":%b,\"message\":%d,\"queue\":%d,\"bytes\":%d}"
              .formatted(i, slot, ends, id, id % 16, packet.length));
      if (last[2] > last[3]) {
        continue;
      }
      long[] message = open.remove(slot + " " + id);
      if (message == null) {
        message = new long[] {slot, id, 0, i, 0};
        messages.add(message);
      }
      message[2]++;
      message[4] = ends ? 1 : 0;
      if (!ends) {
        open.put(slot + " " + id, message);
      }
    }
    List<String> counts = new ArrayList<>();
    long ended = 0;
    for (int slot = 0; slot < matched.length; slot++) {
      counts.add(
          "{\"slot\":%d,\"matched\":%d,\"eom\":%d}".formatted(slot, matched[slot], eom[slot]));
      ended += eom[slot];
    }
    List<String> found = new ArrayList<>();
    for (long[] m : messages) {
      found.add(
          "{\"slot\":%d,\"message\":%d,\"queue\":%d,\"packets\":%d,\"first\":%d,\"eom\":%b}"
              .formatted(m[0], m[1], m[1] % 16, m[2], m[3], m[4] == 1));
    }
    return "{\"packets\":%d,\"matched\":%d,\"unmatched\":%d,\"eom\":%d,\"rulesets\":[%s],\"matches\":[%s],\"messages\":[%s]}\n"
        .formatted(
            packets.size(),
            matches.size(),
            packets.size() - matches.size(),
            ended,
            String.join(",", counts),
            String.join(",", matches),
            String.join(",", found));
  }
}
