package io.isle.api.base;

import java.util.regex.Pattern;

/** What groups of tenants may be called: one rule for all who name them. Pure functions. */
public final class GroupNames {
  /** The root of all groups; of it is whoever names none. */
  public static final String DEFAULT = "default";

  /** In words of a regular expression, for messages. */
  public static final String RULE = "[a-z0-9][a-z0-9-]{0,31}";

  private static final Pattern NAME = Pattern.compile(RULE);

  private GroupNames() {}

  /** Whether a group may have this name. */
  public static boolean isName(String text) {
    return NAME.matcher(text).matches();
  }
}
