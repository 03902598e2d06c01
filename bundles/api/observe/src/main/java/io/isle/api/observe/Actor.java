package io.isle.api.observe;

import java.security.Principal;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.security.auth.Subject;

/**
 * Who acts: a user of a shell, a tenant, or the platform itself. Immutable.
 *
 * @param kind keeps a tenant from passing for a user of the same name
 * @param name of the user or tenant; {@code isle} for the platform
 * @param roles of a user, sorted; empty for others
 */
public record Actor(Kind kind, String name, Set<String> roles) {
  /** Kinds of actors. */
  public enum Kind {
    PLATFORM,
    USER,
    TENANT
  }

  /** The platform on its own account: recoveries, settings files that were edited. */
  public static final Actor PLATFORM = new Actor(Kind.PLATFORM, "isle", Set.of());

  /** Somebody whom the platform does not know: {@code user:(none)}. */
  public static final Actor STRANGER = new Actor(Kind.USER, "", Set.of());

  // Karaf's principals, by name: no API package depends on Karaf.
  private static final String USER_PRINCIPAL = "UserPrincipal";
  private static final String ROLE_PRINCIPAL = "RolePrincipal";

  /** Highest first; the last stands for all others. */
  private static final List<String> ROLES = List.of("admin", "manager", "viewer", "none");

  public Actor {
    roles = java.util.Collections.unmodifiableSet(new TreeSet<>(roles));
  }

  /** A tenant, named as its capability says. */
  public static Actor tenant(String name) {
    return new Actor(Kind.TENANT, name, Set.of());
  }

  /**
   * The user whose command runs on this thread; {@link #PLATFORM} where none does. Threads that a
   * command starts inherit nothing: ask on the thread of the call and hand the answer on.
   */
  public static Actor current() {
    Subject subject = Subject.current();
    return subject == null ? PLATFORM : of(subject);
  }

  /** The user of a subject; {@link #PLATFORM} if it names none. */
  static Actor of(Subject subject) {
    String user = null;
    Set<String> roles = new TreeSet<>();
    for (Principal principal : subject.getPrincipals()) {
      switch (principal.getClass().getSimpleName()) {
        case USER_PRINCIPAL -> user = principal.getName();
        case ROLE_PRINCIPAL -> roles.add(principal.getName());
        default -> {
          // Groups and the like say nothing about who it is.
        }
      }
    }
    return user == null ? PLATFORM : new Actor(Kind.USER, user, roles);
  }

  /** Whether a user has this role. */
  public boolean has(String role) {
    return roles.contains(role);
  }

  /** Whether a {@link #text} is this actor's, in whatever role. */
  public boolean isNamed(String text) {
    // whole texts: a name may contain brackets
    return kind == Kind.USER
        ? ROLES.stream().anyMatch(role -> text.equals(userText(role)))
        : text.equals(text());
  }

  /** One word: {@code isle}, {@code user:NAME(ROLE)} with the highest role, {@code tenant:NAME}. */
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
