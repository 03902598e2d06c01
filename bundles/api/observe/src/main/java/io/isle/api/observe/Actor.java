package io.isle.api.observe;

import java.security.Principal;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.security.auth.Subject;

/**
 * The author of an action: a user of a shell, a tenant, or the platform. Immutable.
 *
 * @param kind distinguishes a tenant from a user with the same name
 * @param name name of the user or tenant; {@code isle} for the platform
 * @param roles roles of a user, sorted; empty for others
 */
public record Actor(Kind kind, String name, Set<String> roles) {
  /** Kinds of actors. */
  public enum Kind {
    /** The platform. */
    PLATFORM,
    /** A user of a shell. */
    USER,
    /** A tenant. */
    TENANT
  }

  /** The platform itself: recoveries, changes of settings files. */
  public static final Actor PLATFORM = new Actor(Kind.PLATFORM, "isle", Set.of());

  /** An unknown user: {@code user:(none)}. */
  public static final Actor STRANGER = new Actor(Kind.USER, "", Set.of());

  // Karaf's principals, by name: no API package depends on Karaf.
  private static final String USER_PRINCIPAL = "UserPrincipal";
  private static final String ROLE_PRINCIPAL = "RolePrincipal";

  /** Roles, highest first; the last value means no known role. */
  private static final List<String> ROLES = List.of("admin", "manager", "viewer", "none");

  public Actor {
    roles = java.util.Collections.unmodifiableSet(new TreeSet<>(roles));
  }

  /** A tenant with the name of its capability. */
  public static Actor tenant(String name) {
    return new Actor(Kind.TENANT, name, Set.of());
  }

  /**
   * The user whose command runs on this thread, or {@link #PLATFORM}. Threads that a command starts
   * do not inherit the user: call this method on the thread of the command and pass the result on.
   */
  public static Actor current() {
    Subject subject = Subject.current();
    return subject == null ? PLATFORM : of(subject);
  }

  /** The user of a subject, or {@link #PLATFORM} for a subject without a user. */
  static Actor of(Subject subject) {
    String user = null;
    Set<String> roles = new TreeSet<>();
    for (Principal principal : subject.getPrincipals()) {
      switch (principal.getClass().getSimpleName()) {
        case USER_PRINCIPAL -> user = principal.getName();
        case ROLE_PRINCIPAL -> roles.add(principal.getName());
        default -> {
          // Groups and similar principals do not identify a user.
        }
      }
    }
    return user == null ? PLATFORM : new Actor(Kind.USER, user, roles);
  }

  /** Whether a user has this role. */
  public boolean has(String role) {
    return roles.contains(role);
  }

  /** Whether a {@link #text} belongs to this actor, with any role. */
  public boolean isNamed(String text) {
    // whole texts: a name may contain brackets
    return kind == Kind.USER
        ? ROLES.stream().anyMatch(role -> text.equals(userText(role)))
        : text.equals(text());
  }

  /**
   * The actor as one word: {@code isle}, {@code user:NAME(ROLE)} with the highest role, {@code
   * tenant:NAME}.
   */
  public String text() {
    return switch (kind) {
      case PLATFORM -> name;
      case USER -> userText(highest());
      case TENANT -> "tenant:" + name;
    };
  }

  private String userText(String role) {
    return "user:" + name + "(" + role + ")";
  }

  private String highest() {
    return ROLES.stream().filter(this::has).findFirst().orElse("none");
  }
}
