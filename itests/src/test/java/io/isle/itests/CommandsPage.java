package io.isle.itests;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Option;

/** A page of all shell commands, from their annotations in the compiled bundles. */
final class CommandsPage {
  private static final String INTRODUCTION =
      """
      # Commands

      Written by `scripts/reference` from the code; a test compares them. `./isle sh 'COMMAND'` runs a command, `./isle run` is the shell,
      and `COMMAND --help` says what stands here. Options may stand anywhere. Every command takes `--json`: it prints one JSON document
      instead of text. The role is the lowest that may run it (viewer < manager < admin), as shipped in
      `etc/org.apache.karaf.command.acl.SCOPE.cfg`.
      """;

  /** What it takes, the introduction says. */
  private static final String EVERY_COMMAND = "io.isle.faces.shell.IsleCommand";

  private CommandsPage() {}

  /** Commands by scope and name; each is the class of its action. */
  static Map<String, Map<String, JavaClass>> all() {
    Map<String, Map<String, JavaClass>> scopes = new TreeMap<>();
    for (JavaClass type : CompiledBundles.classes()) {
      if (type.isAnnotatedWith(Command.class)) {
        Command command = type.getAnnotationOfType(Command.class);
        scopes.computeIfAbsent(command.scope(), scope -> new TreeMap<>()).put(command.name(), type);
      }
    }
    return scopes;
  }

  static String text() {
    StringBuilder page = new StringBuilder(INTRODUCTION);
    for (Map.Entry<String, Map<String, JavaClass>> scope : all().entrySet()) {
      page.append("\n## ").append(scope.getKey()).append('\n');
      scope.getValue().values().forEach(type -> command(page, type));
    }
    return page.toString();
  }

  private static void command(StringBuilder page, JavaClass type) {
    Command command = type.getAnnotationOfType(Command.class);
    List<JavaField> arguments =
        fields(type, Argument.class).sorted(Comparator.comparing(CommandsPage::index)).toList();
    List<JavaField> options =
        fields(type, Option.class)
            .filter(field -> !field.getOwner().getName().equals(EVERY_COMMAND))
            .sorted(Comparator.comparing(field -> option(field).name()))
            .toList();
    String name = command.scope() + ":" + command.name();
    page.append("\n### ").append(name).append("\n\n");
    page.append("    ").append(name);
    options.forEach(field -> page.append(' ').append(usage(field)));
    arguments.forEach(field -> page.append(' ').append(argument(field)));
    String role = AccessLists.role(type).value().text();
    page.append("\n\n").append(command.description()).append(". Role: ").append(role).append(".\n");
    if (!arguments.isEmpty() || !options.isEmpty()) {
      page.append("\n| | |\n|---|---|\n");
    }
    arguments.forEach(
        field -> row(page, name(field), field.getAnnotationOfType(Argument.class).description()));
    options.forEach(
        field -> {
          Option option = option(field);
          String names =
              String.join("`, `", List.of(option.name(), String.join("`, `", option.aliases())));
          row(page, option.aliases().length == 0 ? option.name() : names, option.description());
        });
  }

  private static <A extends java.lang.annotation.Annotation> Stream<JavaField> fields(
      JavaClass type, Class<A> annotation) {
    return type.getAllFields().stream().filter(field -> field.isAnnotatedWith(annotation));
  }

  private static Option option(JavaField field) {
    return field.getAnnotationOfType(Option.class);
  }

  private static int index(JavaField field) {
    return field.getAnnotationOfType(Argument.class).index();
  }

  private static String name(JavaField field) {
    String name = field.getAnnotationOfType(Argument.class).name();
    return name.equals(Argument.DEFAULT) ? field.getName() : name;
  }

  private static String argument(JavaField field) {
    Argument argument = field.getAnnotationOfType(Argument.class);
    String text = name(field).toUpperCase(Locale.ROOT) + (argument.multiValued() ? "..." : "");
    return argument.required() ? text : "[" + text + "]";
  }

  private static String usage(JavaField field) {
    Option option = option(field);
    boolean flag = field.getRawType().isEquivalentTo(boolean.class);
    String text =
        option.name()
            + (flag ? "" : " " + field.getName().toUpperCase(Locale.ROOT))
            + (option.multiValued() ? "..." : "");
    return option.required() ? text : "[" + text + "]";
  }

  private static void row(StringBuilder page, String name, String description) {
    page.append("| `").append(name).append("` | ");
    page.append(description.replace("|", "\\|")).append(" |\n");
  }
}
