package io.isle.faces.shell;

import java.util.Locale;

/** Roles of users, each of which includes those before it. */
public enum Role {
  VIEWER,
  MANAGER,
  ADMIN;

  /** As files write the role. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
