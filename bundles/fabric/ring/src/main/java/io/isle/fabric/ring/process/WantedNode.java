package io.isle.fabric.ring.process;

import io.isle.api.base.Errno;
import io.isle.api.fabric.RingException;
import io.isle.fabric.ring.process.wire.Answer;
import io.isle.fabric.ring.process.wire.MalformedException;
import io.isle.fabric.ring.process.wire.Order;
import io.isle.fabric.ring.process.wire.Part;
import io.isle.fabric.ring.settings.NodeSettings;
import io.isle.fabric.ring.settings.PathAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What a process of a node is to be: a new process gets all of it, the present one each change.
 * Thread-safe.
 */
final class WantedNode {
  private static final System.Logger LOG = System.getLogger(WantedNode.class.getName());

  private record Key(Part.Kind kind, String name) {}

  /**
   * A part that the process gives up.
   *
   * @param asked number of the last question before
   */
  private record Leaving(Part part, long asked) {}

  private final String node;
  private final PartSource source;
  private final Map<Key, Part> parts = new HashMap<>();
  private final Map<Key, String> refusals = new HashMap<>();
  private NodeSettings settings;
  private final GivenAddresses addresses = new GivenAddresses();
  private NodeChild child;

  /** Parts that the process has. */
  private final Set<Key> given = new LinkedHashSet<>();

  /** Parts that the process gives up. */
  private final List<Leaving> leaving = new ArrayList<>();

  /** Number of the last question to the process. */
  private long asked;

  WantedNode(String node, NodeSettings settings, PartSource source) {
    this.node = node;
    this.settings = settings;
    this.source = source;
  }

  synchronized NodeSettings settings() {
    return settings;
  }

  /** A process has started, and gets its orders from now on. */
  synchronized void begin(NodeChild started) {
    child = started;
    given.clear();
    asked = 0;
    addresses.begin(settings);
    send(new Order.Open(node, settings));
    give();
  }

  /** The process has ended. */
  synchronized void end() {
    child = null;
    release(one -> true);
  }

  /** No process runs any more, and none follows. */
  synchronized void close() {
    end();
    parts.values().forEach(source::release);
    parts.clear();
  }

  /** Other settings of links. */
  synchronized void change(NodeSettings to) {
    settings = to;
    addresses.add(to);
    give();
    send(new Order.Change(to));
  }

  /** Refuses a report of the process with addresses that it was not given. */
  synchronized void reported(Answer.Report report) throws MalformedException {
    addresses.check(report.node());
    // the process has carried out the orders before the question
    release(one -> report.number() > one.asked());
  }

  private void release(Predicate<Leaving> left) {
    List<Leaving> all = leaving.stream().filter(left).toList();
    all.forEach(one -> source.release(one.part()));
    boolean ignored = leaving.removeAll(all);
  }

  /** A transport or stage has come. */
  synchronized void attach(Part.Kind kind, String name, Object service) {
    Key key = new Key(kind, name);
    withdraw(key);
    try {
      parts.put(key, source.part(kind, name, service));
    } catch (RingException e) {
      refusals.put(key, e.getMessage());
      if (needed().contains(key)) {
        LOG.log(System.Logger.Level.WARNING, "ring node {0}: {1}", node, e.getMessage());
      }
    }
    give();
  }

  /** A transport or stage goes; whether the settings name it. */
  synchronized boolean detach(Part.Kind kind, String name) {
    Key key = new Key(kind, name);
    withdraw(key);
    return needed().contains(key);
  }

  private void withdraw(Key key) {
    Part before = parts.remove(key);
    String ignored = refusals.remove(key);
    if (before != null && given.remove(key) && child != null) {
      send(new Order.Detach(key.kind(), key.name()));
      leaving.add(new Leaving(before, asked));
    } else if (before != null) {
      source.release(before);
    }
  }

  /** Why a part that the settings name cannot be used. */
  synchronized Optional<String> refusal() {
    return needed().stream().map(refusals::get).filter(why -> why != null).findFirst();
  }

  private Set<Key> needed() {
    Set<Key> needed = new LinkedHashSet<>();
    needed.add(new Key(Part.Kind.STAGE, settings.stage()));
    List<PathAddress> addresses = new ArrayList<>(settings.listen());
    addresses.add(settings.next());
    addresses.forEach(one -> needed.add(new Key(Part.Kind.TRANSPORT, one.transport())));
    return needed;
  }

  private void give() {
    for (Key key : needed()) {
      Part part = parts.get(key);
      if (part != null && child != null && given.add(key)) {
        send(new Order.Attach(part));
      }
    }
  }

  /**
   * Sends an order to the present process, if any.
   *
   * @return whether the order is on its way
   */
  synchronized boolean send(Order order) {
    if (child == null) {
      return false;
    }
    if (order instanceof Order.Ask question) {
      asked = question.number();
    }
    int code = child.line().send(order);
    if (code == -Errno.EAGAIN) {
      LOG.log(
          System.Logger.Level.WARNING,
          "ring node {0}: process {1} is ended, because it does not read its orders",
          node,
          Long.toString(child.pid()));
      child.kill();
    }
    return code == 0;
  }

  /** Ends a wait of the thread that reads from the process. */
  synchronized void wake() {
    if (child != null) {
      child.line().wake();
    }
  }
}
