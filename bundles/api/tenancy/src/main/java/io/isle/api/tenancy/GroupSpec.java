package io.isle.api.tenancy;

import io.isle.api.base.Errno;
import io.isle.api.base.GroupNames;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The definition of a group: its position in the tree and its own keys. Immutable.
 *
 * @param name as in {@link GroupNames}
 * @param parent empty for the root only
 * @param keys key to value; at most {@value #MAX_KEYS}, each value at most {@value #MAX_VALUE}
 *     printable characters
 */
public record GroupSpec(String name, Optional<String> parent, SortedMap<String, String> keys) {
  /** The key of a settings file with the name of the parent. */
  public static final String PARENT = "parent";

  /** Largest number of keys of a group. */
  public static final int MAX_KEYS = 64;

  /** Longest value of a key in characters. */
  public static final int MAX_VALUE = 1024;

  private static final Pattern KEY = Pattern.compile("[a-z][a-z0-9_.]{0,62}");

  /**
   * Checks the form.
   *
   * @throws TenancyException EINVAL with the malformed key
   */
  public GroupSpec {
    keys = Collections.unmodifiableSortedMap(new TreeMap<>(keys));
    if (!GroupNames.isName(name)) {
      throw new TenancyException(
          Errno.EINVAL, shown(name), "name", quoted(name) + " is not " + GroupNames.RULE);
    }
    boolean root = name.equals(GroupTree.ROOT);
    if (root != parent.isEmpty()) {
      throw new TenancyException(
          Errno.EINVAL,
          name,
          PARENT,
          root
              ? "'" + name + "' is the root group and has no parent"
              : "the parent of the group is missing");
    }
    if (parent.isPresent() && !GroupNames.isName(parent.get())) {
      throw new TenancyException(
          Errno.EINVAL, name, PARENT, quoted(parent.get()) + " is not " + GroupNames.RULE);
    }
    if (keys.size() > MAX_KEYS) {
      throw new TenancyException(
          Errno.EINVAL,
          name,
          "keys",
          keys.size() + " keys are too many; a group has at most " + MAX_KEYS);
    }
    for (Map.Entry<String, String> entry : keys.entrySet()) {
      check(name, entry.getKey(), entry.getValue());
    }
  }

  /**
   * The definition in a settings file.
   *
   * @param raw the file's keys, with {@link #PARENT}; without this key, the parent is the root
   * @throws TenancyException EINVAL with the malformed key
   */
  public static GroupSpec of(String name, Map<String, String> raw) {
    SortedMap<String, String> keys = new TreeMap<>(raw);
    Optional<String> parent = Optional.ofNullable(keys.remove(PARENT));
    return name.equals(GroupTree.ROOT)
        ? new GroupSpec(name, parent, keys)
        : new GroupSpec(name, Optional.of(parent.orElse(GroupTree.ROOT)), keys);
  }

  private static void check(String group, String key, String value) {
    if (key.equals(PARENT) || !KEY.matcher(key).matches()) {
      throw new TenancyException(
          Errno.EINVAL, group, shown(key), "not a key of a group; keys match [a-z][a-z0-9_.]*");
    }
    if (value.length() > MAX_VALUE || value.chars().anyMatch(Character::isISOControl)) {
      throw new TenancyException(
          Errno.EINVAL,
          group,
          key,
          "a value has at most " + MAX_VALUE + " characters, all of them printable");
    }
  }

  private static String quoted(String text) {
    return "'" + shown(text) + "'";
  }

  /** A text for messages: shortened, without control characters. */
  public static String shown(String text) {
    String clean = text.replaceAll("[\\p{C}\\p{Zl}\\p{Zp}]", "?");
    return clean.length() > 60 ? clean.substring(0, 60) + "..." : clean;
  }
}
