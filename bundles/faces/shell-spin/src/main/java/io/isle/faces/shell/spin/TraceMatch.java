package io.isle.faces.shell.spin;

import io.isle.api.spin.PacketMatcher;
import io.isle.api.spin.Rulesets;
import io.isle.faces.shell.ShellException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What rulesets make of the packets of a capture, in their order. */
final class TraceMatch {
  /** Most matching packets, which are all kept. */
  static final int MOST_MATCHES = 1_000_000;

  private final PacketMatcher matcher;
  private final List<RulesetCount> rulesets = new ArrayList<>();
  private final List<MatchedPacket> matches = new ArrayList<>();
  private final List<MatchedMessage> messages = new ArrayList<>();
  private final Map<Long, MatchedMessage> open = new HashMap<>();
  private long packets;

  TraceMatch(Rulesets rules) {
    matcher = new PacketMatcher(rules);
    rules.all().forEach(one -> rulesets.add(new RulesetCount(rulesets.size(), one)));
  }

  /**
   * Takes the next packet.
   *
   * @throws ShellException if too many packets match
   */
  void packet(MemorySegment memory, int length) {
    long index = packets++;
    int match = matcher.match(memory, 0, length);
    if (match == PacketMatcher.NONE) {
      return;
    }
    if (matches.size() == MOST_MATCHES) {
      throw ShellException.failed(
          "more than " + MOST_MATCHES + " packets match; split the capture into several files");
    }
    int slot = PacketMatcher.slot(match);
    boolean ends = PacketMatcher.endsMessage(match);
    int id = PacketMatcher.message(memory, 0, length);
    matches.add(new MatchedPacket(index, slot, ends, id, length));
    rulesets.get(slot).add(ends);
    if (!rulesets.get(slot).packetsStandAlone()) {
      add(slot, id, ends, index);
    }
  }

  private void add(int slot, int id, boolean ends, long index) {
    Long key = (long) slot << Integer.SIZE | Integer.toUnsignedLong(id);
    MatchedMessage message = open.get(key);
    if (message == null) {
      message = new MatchedMessage(slot, id, index);
      messages.add(message);
      open.put(key, message);
    }
    message.add(ends);
    if (ends) {
      open.remove(key);
    }
  }

  long packets() {
    return packets;
  }

  List<RulesetCount> rulesets() {
    return rulesets;
  }

  private long ended() {
    return rulesets.stream().mapToLong(RulesetCount::eom).sum();
  }

  /** As JSON. */
  Map<String, Object> document() {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("packets", packets);
    document.put("matched", (long) matches.size());
    document.put("unmatched", packets - matches.size());
    document.put("eom", ended());
    document.put("rulesets", rulesets.stream().map(RulesetCount.table()::object).toList());
    // made while it is written: a million maps would not fit beside the text
    document.put(
        "matches",
        (Iterable<Object>)
            () -> matches.stream().<Object>map(MatchedPacket.table()::object).iterator());
    document.put(
        "messages",
        (Iterable<Object>)
            () -> messages.stream().<Object>map(MatchedMessage.table()::object).iterator());
    return document;
  }

  /** As a line. */
  String summary() {
    return "%d packets: %d matched, %d unmatched; %d messages, %d without an end"
        .formatted(packets, matches.size(), packets - matches.size(), messages.size(), open.size());
  }
}
