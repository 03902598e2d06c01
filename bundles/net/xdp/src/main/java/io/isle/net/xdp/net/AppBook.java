package io.isle.net.xdp.net;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import java.util.Map;
import java.util.TreeMap;

/**
 * Settings of apps: those of files, and those of apps without a file, which end with the platform.
 * Belongs to the executor of the nets.
 */
final class AppBook {
  private final Files files;
  private final Map<String, Map<String, String>> passing = new TreeMap<>();

  AppBook(Files files) {
    this.files = files;
  }

  Map<String, Map<String, String>> all() {
    Map<String, Map<String, String>> all = new TreeMap<>(files.all());
    all.putAll(passing);
    return all;
  }

  void create(String name, Map<String, String> given, int most) {
    requireFile(name, Errno.EEXIST);
    files.create(name, given, most);
  }

  /** An app without a file. */
  void start(String name, Map<String, String> given, int most) {
    files.check(name, given);
    if (all().containsKey(name)) {
      throw new NetException(Errno.EEXIST, name + ": an app with this name exists");
    }
    if (all().size() >= most) {
      throw new NetException(Errno.ENOSPC, "there are " + most + " apps, the most");
    }
    passing.put(name, Map.copyOf(given));
  }

  void set(String name, Map<String, String> changes) {
    requireFile(name, Errno.EBUSY);
    files.set(name, changes);
  }

  private void requireFile(String name, int code) {
    if (passing.containsKey(name)) {
      throw new NetException(code, name + ": this app belongs to a running command");
    }
  }

  boolean remove(String name) {
    return passing.remove(name) != null || files.remove(name);
  }
}
