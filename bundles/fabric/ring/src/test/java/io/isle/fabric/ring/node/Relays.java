package io.isle.fabric.ring.node;

import io.isle.api.base.ConfigFiles;
import io.isle.api.fabric.ImpairmentInfo;
import io.isle.fabric.impair.ImpairComponent;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Relays that impair the paths to addresses, each with a seed of its own. */
final class Relays implements AutoCloseable {
  private final Map<String, String> faults;
  private final ImpairComponent relays = new ImpairComponent(new Files());
  private int count;

  /**
   * @param faults keys and values of the impairments
   */
  Relays(Map<String, String> faults) {
    this.faults = faults;
  }

  /** A relay in front of an address; its own address once it is up. */
  String before(String address) {
    String scheme = address.substring(0, address.indexOf(':'));
    List<Integer> free = scheme.equals("tcp") ? FreePorts.tcp(1) : FreePorts.udp(1);
    String own = scheme + "://127.0.0.1:" + free.getFirst();
    begin(own, address);
    return own;
  }

  /** A relay at its own address in front of another one; returns once it is up. */
  void begin(String own, String address) {
    Map<String, String> given = new HashMap<>(faults);
    given.put("fault_injection", "true");
    given.put("listen", own);
    given.put("to", address);
    given.put("seed", Integer.toString(count + 1));
    relays.create("r" + count, given);
    while (!relay(count).up()) {
      Thread.onSpinWait();
    }
    count++;
  }

  /** A relay in the order of {@link #before}. */
  ImpairmentInfo relay(int index) {
    return relays.find("r" + index).orElseThrow();
  }

  /** Changes settings of a relay in the order of {@link #before}. */
  void set(int index, Map<String, String> changes) {
    relays.set("r" + index, changes);
  }

  @Override
  public void close() {
    for (int i = 0; i < count; i++) {
      relays.remove("r" + i);
    }
  }

  /** Settings files in memory. */
  private static final class Files implements ConfigFiles {
    private final Map<String, Map<String, String>> all = new ConcurrentHashMap<>();

    @Override
    public Optional<Map<String, String>> read(String pid) {
      return Optional.ofNullable(all.get(pid));
    }

    @Override
    public void set(String pid, Map<String, String> changes) {
      Map<String, String> now = new HashMap<>(all.getOrDefault(pid, Map.of()));
      now.putAll(changes);
      all.put(pid, now);
    }

    @Override
    public Map<String, Map<String, String>> instances(String factoryPid) {
      Map<String, Map<String, String>> found = new HashMap<>();
      all.forEach((pid, of) -> found.put(pid.substring(factoryPid.length() + 1), of));
      return found;
    }

    @Override
    public boolean delete(String pid) {
      return all.remove(pid) != null;
    }
  }
}
