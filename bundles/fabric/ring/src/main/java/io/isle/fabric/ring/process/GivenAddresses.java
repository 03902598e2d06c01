package io.isle.fabric.ring.process;

import io.isle.api.fabric.LinkInfo;
import io.isle.api.fabric.RingNodeInfo;
import io.isle.fabric.ring.process.wire.MalformedException;
import io.isle.fabric.ring.settings.NodeSettings;
import io.isle.fabric.ring.settings.PathAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The addresses that a process may report: those of its settings, or those of settings before that
 * it has not left yet. Each link moves by itself, and never back. One thread at a time.
 */
final class GivenAddresses {
  /** Most changes of settings that no report has confirmed; more of them end the process. */
  private static final int MOST = 64;

  private final Deque<List<String>> prev = new ArrayDeque<>();
  private final Deque<List<String>> next = new ArrayDeque<>();

  /** A process has started with these settings. */
  void begin(NodeSettings settings) {
    prev.clear();
    next.clear();
    add(settings);
  }

  /** The process is to move to these settings. */
  void add(NodeSettings settings) {
    add(prev, texts(settings.listen()));
    add(next, texts(List.of(settings.next())));
  }

  private static void add(Deque<List<String>> given, List<String> addresses) {
    if (!addresses.equals(given.peekLast())) {
      given.addLast(addresses);
    }
    if (given.size() > MOST) {
      given.removeFirst();
    }
  }

  private static List<String> texts(List<PathAddress> addresses) {
    return addresses.stream().map(PathAddress::toString).toList();
  }

  /** Refuses a report with other addresses. */
  void check(RingNodeInfo node) throws MalformedException {
    check(prev, node.prev());
    check(next, node.next());
  }

  private static void check(Deque<List<String>> given, LinkInfo link) throws MalformedException {
    if (!given.contains(link.addresses())) {
      throw new MalformedException(
          "a report with the wrong addresses of the "
              + link.side().text()
              + " side: "
              + link.addresses()
              + ", the settings have "
              + given.getLast());
    }
    while (!link.addresses().equals(given.getFirst())) {
      given.removeFirst();
    }
  }
}
