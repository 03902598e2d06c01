package io.isle.faces.control;

import java.util.Locale;
import javax.security.auth.Subject;
import org.apache.karaf.jaas.boot.principal.RolePrincipal;
import org.apache.karaf.jaas.boot.principal.UserPrincipal;

/** What a command may do; each role includes those before it. */
enum Role {
  VIEWER,
  MANAGER,
  ADMIN;

  /** The role of that name. */
  static Role of(String name) throws RequestException {
    for (Role role : values()) {
      if (role.label().equals(name)) {
        return role;
      }
    }
    throw new RequestException("unknown role " + name + "; one of viewer, manager, admin");
  }

  /** A new subject with this role's principals. */
  Subject subject() {
    Subject subject = new Subject();
    subject.getPrincipals().add(new UserPrincipal("isle"));
    for (Role role : values()) {
      if (role.compareTo(this) <= 0) {
        subject.getPrincipals().add(new RolePrincipal(role.label()));
      }
    }
    if (this == ADMIN) {
      subject.getPrincipals().add(new RolePrincipal("systembundles"));
    }
    subject.setReadOnly();
    return subject;
  }

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
