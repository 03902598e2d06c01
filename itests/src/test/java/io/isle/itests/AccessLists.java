package io.isle.itests;

import com.tngtech.archunit.core.domain.JavaClass;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The access lists of Isle's own scopes, as the annotations of the commands say. Those of Karaf's
 * scopes are written by hand.
 */
final class AccessLists {
  private static final String PREFIX = "org.apache.karaf.command.acl.";
  private static final String SUFFIX = ".cfg";
  private static final String MARK =
      "# Written by scripts/reference from the commands; a test compares them.\n";

  private AccessLists() {}

  /** The lists by scope. */
  static Map<String, String> all() {
    Map<String, String> lists = new TreeMap<>();
    CommandsPage.all().forEach((scope, commands) -> lists.put(scope, list(scope, commands)));
    return lists;
  }

  static Path file(String scope) {
    return ShippedSettings.FOLDER.resolve(PREFIX + scope + SUFFIX);
  }

  /** Scopes whose files were written by {@code scripts/reference}. */
  static Set<String> written() throws IOException {
    Set<String> scopes = new TreeSet<>();
    try (Stream<Path> files = Files.list(ShippedSettings.FOLDER)) {
      for (Path file : files.toList()) {
        String name = file.getFileName().toString();
        if (name.startsWith(PREFIX) && Files.readString(file).contains(MARK)) {
          scopes.add(name.substring(PREFIX.length(), name.length() - SUFFIX.length()));
        }
      }
    }
    return scopes;
  }

  /** The role that a command needs, with the reason for it. */
  static RequiredRole role(JavaClass command) {
    RequiredRole role =
        command
            .tryGetAnnotationOfType(RequiredRole.class)
            .orElseThrow(() -> new AssertionError(command.getName() + " says no @RequiredRole"));
    if (role.value() != Role.VIEWER && role.reason().isEmpty()) {
      throw new AssertionError(command.getName() + " gives no reason for the role that it needs");
    }
    return role;
  }

  private static String list(String scope, Map<String, JavaClass> commands) {
    StringBuilder list =
        new StringBuilder()
            .append("# Roles that commands of the scope \"")
            .append(scope)
            .append("\" need: viewer, manager or admin; each includes the one before it.\n")
            .append(MARK);
    commands.forEach(
        (name, command) -> {
          RequiredRole role = role(command);
          if (!role.reason().isEmpty()) {
            list.append("# ").append(role.reason()).append('\n');
          }
          list.append(name).append(" = ").append(role.value().text()).append('\n');
        });
    return list.toString();
  }
}
