package io.isle.fabric.shm;

import io.isle.api.fabric.ParkedPort;
import io.isle.lib.ffi.PosixException;
import io.isle.lib.leap.banks.BankLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;

/**
 * Format {@code shm/1} of parked ports. Descriptors: the listening socket of a listener, if any;
 * then those of the path, if one is up: the socket; the memory file of this side, its two bells of
 * two sockets each; the memory file and the two bells of the neighbour. A bank of the neighbour in
 * which a packet is still written is named: no frame goes there.
 */
final class ShmParking {
  static final String FORMAT = "shm/1";

  private static final String NAME = "name";
  private static final String SIDE = "side";
  private static final String LISTENS = "listens";
  private static final String PATHS = "paths";
  private static final String PEER = "peer";
  private static final String SOURCE = "source";
  private static final String TAKEN = "taken";
  private static final String PUBLISHED = "published";
  private static final String SPARED = "spared";

  private ShmParking() {}

  static ParkedPort of(ShmPort port) {
    List<Integer> descriptors = new ArrayList<>();
    Map<String, String> facts = new HashMap<>();
    facts.put(NAME, port.settings.name());
    facts.put(SIDE, port.settings.side().text());
    facts.put(PATHS, Long.toString(port.paths()));
    facts.put(LISTENS, Boolean.toString(port.kept() >= 0));
    if (port.kept() >= 0) {
      descriptors.add(port.kept());
    }
    if (port.path() != null) {
      descriptors.addAll(port.path().descriptors());
      ShmPath.Position at = port.position();
      facts.put(PEER, at.peer());
      facts.put(SOURCE, Long.toString(at.source()));
      facts.put(TAKEN, Long.toString(at.taken()));
      facts.put(PUBLISHED, Long.toString(at.published()));
      facts.put(SPARED, Integer.toString(at.spared()));
    }
    return new ParkedPort(FORMAT, descriptors, facts);
  }

  /**
   * Takes over what was parked.
   *
   * @param listener takes the listening socket; null for a side that does not listen
   * @return false, without a change of the descriptors, if {@code parked} has another format,
   *     belongs to another port, or cannot be mapped
   */
  static boolean adopt(ShmPort port, ParkedPort parked, IntConsumer listener) {
    Map<String, String> facts = parked.facts();
    List<Integer> descriptors = parked.descriptors();
    boolean listens = "true".equals(facts.get(LISTENS));
    boolean path = facts.containsKey(PEER);
    int expected = (listens ? 1 : 0) + (path ? ShmPath.DESCRIPTORS : 0);
    if (!parked.format().equals(FORMAT)
        || !port.settings.side().text().equals(facts.get(SIDE))
        || !port.settings.name().equals(facts.get(NAME))
        || listens && listener == null
        || descriptors.size() != expected) {
      return false;
    }
    try {
      port.paths(number(facts, PATHS));
      if (path) {
        ShmPath.Position at =
            new ShmPath.Position(
                facts.get(PEER),
                Long.parseLong(facts.getOrDefault(SOURCE, "")),
                number(facts, TAKEN),
                number(facts, PUBLISHED),
                bank(facts));
        port.resume(
            ShmPath.resume(
                port.kernel, descriptors.subList(listens ? 1 : 0, descriptors.size()), at));
      }
    } catch (NumberFormatException | PosixException e) {
      return false;
    }
    if (listens) {
      listener.accept(descriptors.getFirst());
    }
    return true;
  }

  /** The bank that a writer has; earlier versions do not name it. */
  private static int bank(Map<String, String> facts) {
    int bank = Integer.parseInt(facts.getOrDefault(SPARED, Integer.toString(ShmPath.NONE)));
    if (bank < ShmPath.NONE || bank >= BankLayout.BANKS) {
      throw new NumberFormatException(SPARED + " is no bank");
    }
    return bank;
  }

  private static long number(Map<String, String> facts, String name) {
    long number = Long.parseLong(facts.getOrDefault(name, ""));
    if (number < 0) {
      throw new NumberFormatException(name + " is negative");
    }
    return number;
  }
}
