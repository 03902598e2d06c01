package io.isle.api.base;

import java.util.regex.Pattern;

/** The rule for names of groups of tenants. Pure functions, safe for any thread. */
public final class GroupNames {
  /** Name of the root of all groups. Contexts without a group belong to the root. */
  public static final String DEFAULT = "default";

  /** The rule as a regular expression, for messages. */
  public static final String RULE = "[a-z0-9][a-z0-9-]{0,31}";

  private static final Pattern NAME = Pattern.compile(RULE);

  private GroupNames() {}

  /** Whether the text is a valid name of a group. */
  public static boolean isName(String text) {
    return NAME.matcher(text).matches();
  }
}
