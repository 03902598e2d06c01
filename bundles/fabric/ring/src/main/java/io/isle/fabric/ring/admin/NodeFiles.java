package io.isle.fabric.ring.admin;

import io.isle.api.base.ConfigFiles;
import io.isle.api.base.Errno;
import io.isle.api.fabric.RingException;
import io.isle.api.fabric.RingNodeInfo;
import io.isle.fabric.ring.settings.NodeSettings;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/** The settings files of nodes. Changes of several files are made all or none. One thread. */
public final class NodeFiles {
  private final ConfigFiles files;
  private final BiConsumer<String, NodeSettings> usable;

  /**
   * Files of the platform.
   *
   * @param usable checks what the settings alone do not tell, before a write; throws RingException
   */
  public NodeFiles(ConfigFiles files, BiConsumer<String, NodeSettings> usable) {
    this.files = files;
    this.usable = usable;
  }

  /**
   * Checks name and settings of a node.
   *
   * @throws RingException EINVAL with the key and its limit
   */
  public static NodeSettings checked(String name, Map<String, String> given) {
    if (!name.matches(RingNodeInfo.NAME)) {
      throw new RingException(
          Errno.EINVAL,
          "the name of a node has 1 to 32 letters, digits, . _ - and begins with one");
    }
    return NodeSettings.of(given);
  }

  /** All settings by name of the node. */
  public Map<String, Map<String, String>> all() {
    return files.instances(NodeSettings.FACTORY_PID);
  }

  /** Writes the settings of new nodes, all or none. */
  public void create(Map<String, Map<String, String>> nodes) {
    Map<String, Map<String, String>> present = all();
    nodes.forEach(
        (name, given) -> {
          check(nodes, name, given);
          if (present.containsKey(name)) {
            throw new RingException(Errno.EEXIST, name + ": a node with this name exists already");
          }
        });
    Deque<Runnable> back = new ArrayDeque<>();
    nodes.forEach(
        (name, given) ->
            attempt(
                back,
                () -> files.set(pid(name), given),
                () -> {
                  boolean ignored = files.delete(pid(name));
                }));
  }

  /** Changes settings of nodes, all or none; a null value removes a key. */
  public void set(Map<String, Map<String, String>> changes) {
    Map<String, Map<String, String>> present = all();
    changes.forEach(
        (name, changed) -> {
          Map<String, String> before = present.get(name);
          if (before == null) {
            throw missing(name);
          }
          check(changes, name, merged(before, changed));
        });
    Deque<Runnable> back = new ArrayDeque<>();
    changes.forEach(
        (name, changed) -> {
          Map<String, String> before = new HashMap<>();
          changed.keySet().forEach(key -> before.put(key, present.get(name).get(key)));
          attempt(back, () -> files.set(pid(name), changed), () -> files.set(pid(name), before));
        });
  }

  /** The message names the node where several are changed. */
  private void check(Map<String, ?> all, String name, Map<String, String> given) {
    try {
      usable.accept(name, checked(name, given));
    } catch (RingException e) {
      throw all.size() == 1 ? e : new RingException(e.code(), name + ": " + e.getMessage(), e);
    }
  }

  private static Map<String, String> merged(
      Map<String, String> before, Map<String, String> changes) {
    Map<String, String> wanted = new HashMap<>(before);
    changes.forEach(
        (key, value) -> {
          if (value == null) {
            wanted.remove(key);
          } else {
            wanted.put(key, value);
          }
        });
    return wanted;
  }

  /** A write that fails takes back those before it. */
  private static void attempt(Deque<Runnable> back, Runnable write, Runnable undo) {
    try {
      write.run();
      back.push(undo);
    } catch (RuntimeException e) {
      for (Runnable one : back) {
        try {
          one.run();
        } catch (RuntimeException further) {
          e.addSuppressed(further);
        }
      }
      throw e;
    }
  }

  /** Removes the file of a node; false without one. */
  public boolean remove(String name) {
    return name.matches(RingNodeInfo.NAME) && files.delete(pid(name));
  }

  /** No node has this name. */
  public static RingException missing(String name) {
    return new RingException(
        Errno.ENOENT,
        "no node '"
            + (name.length() > 40 ? name.substring(0, 40) + "..." : name)
            + "'; see ring:list");
  }

  private static String pid(String name) {
    return NodeSettings.FACTORY_PID + "-" + name;
  }
}
