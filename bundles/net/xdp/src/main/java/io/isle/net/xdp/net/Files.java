package io.isle.net.xdp.net;

import io.isle.api.base.ConfigFiles;
import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.api.net.NetInfo;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/** Settings files of one kind of objects. Values are checked before a write. */
final class Files {
  private final ConfigFiles files;
  private final String pid;
  private final String what;
  private final String list;
  private final BiConsumer<String, Map<String, String>> check;

  /**
   * @param pid factory PID
   * @param what such as {@code net}
   * @param list command that lists them
   * @param check throws NetException for wrong settings of a name
   */
  Files(
      ConfigFiles files,
      String pid,
      String what,
      String list,
      BiConsumer<String, Map<String, String>> check) {
    this.files = files;
    this.pid = pid;
    this.what = what;
    this.list = list;
    this.check = check;
  }

  Map<String, Map<String, String>> all() {
    return files.instances(pid);
  }

  /** Refuses wrong names and settings. */
  void check(String name, Map<String, String> given) {
    if (!name.matches(NetInfo.NAME)) {
      throw new NetException(
          Errno.EINVAL,
          "the name of "
              + article()
              + " has 1 to 32 letters, digits, . _ - and begins with a letter or digit");
    }
    check.accept(name, given);
  }

  private String article() {
    return (what.startsWith("a") ? "an " : "a ") + what;
  }

  void create(String name, Map<String, String> given, int most) {
    Map<String, Map<String, String>> present = all();
    check(name, given);
    if (present.containsKey(name)) {
      throw new NetException(Errno.EEXIST, name + ": " + article() + " with this name exists");
    }
    if (present.size() >= most) {
      throw new NetException(
          Errno.ENOSPC, "there are " + present.size() + " " + what + "s; at most " + most);
    }
    files.set(pid + "-" + name, given);
  }

  void set(String name, Map<String, String> changes) {
    Map<String, String> before = all().get(name);
    if (before == null) {
      throw missing(name);
    }
    Map<String, String> wanted = new HashMap<>(before);
    changes.forEach(
        (key, value) -> {
          if (value == null) {
            wanted.remove(key);
          } else {
            wanted.put(key, value);
          }
        });
    check(name, wanted);
    files.set(pid + "-" + name, changes);
  }

  boolean remove(String name) {
    return name.matches(NetInfo.NAME) && files.delete(pid + "-" + name);
  }

  NetException missing(String name) {
    return new NetException(
        Errno.ENOENT,
        "no "
            + what
            + " '"
            + (name.length() > 40 ? name.substring(0, 40) + "..." : name)
            + "'; see "
            + list);
  }
}
