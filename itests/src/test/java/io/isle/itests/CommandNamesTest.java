package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Verbs, options and commands that pages name in a sentence exist; whole commands DocsIT runs. */
class CommandNamesTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern CODE = Pattern.compile("(?<!`)`([^`\n]+)`(?!`)");
  private static final Pattern VERBS = Pattern.compile("(?m)^  ([a-z]+(?: \\| [a-z]+)*)\\b");
  private static final Pattern OPTION = Pattern.compile("(?<=[ \\[])--[a-z-]+");
  private static final Pattern COMMAND = Pattern.compile("\\b([a-z]+):[a-z][a-z-]*\\b");
  private static final Pattern QUOTED = Pattern.compile("'[^']*'");

  private final Set<String> verbs = new HashSet<>();
  private final Set<String> commands = new HashSet<>();
  private final String launcher;

  CommandNamesTest() throws IOException {
    String isle = Files.readString(ROOT.resolve("isle"));
    String usage = isle.substring(isle.indexOf("usage: ./isle"), isle.indexOf("\nEOF"));
    Matcher line = VERBS.matcher(usage);
    while (line.find()) {
      verbs.addAll(List.of(line.group(1).split(" \\| ", -1)));
    }
    StringBuilder all = new StringBuilder(isle);
    try (Stream<Path> scripts = Files.list(ROOT.resolve("scripts"))) {
      for (Path script : scripts.filter(file -> file.toString().endsWith(".sh")).toList()) {
        all.append(Files.readString(script));
      }
    }
    launcher = all.toString();
    Matcher heading =
        Pattern.compile("(?m)^### (\\S+)$")
            .matcher(Files.readString(ROOT.resolve("docs/reference/commands.md")));
    while (heading.find()) {
      commands.add(heading.group(1));
    }
  }

  @Test
  void whatPagesNameExists() throws IOException {
    assertTrue(verbs.size() >= 10 && commands.size() >= 30, () -> verbs + " " + commands);
    List<String> wrong = new ArrayList<>();
    int looked = 0;
    for (Path page : Links.pages(ROOT)) {
      Matcher code = CODE.matcher(Files.readString(page));
      while (code.find()) {
        looked++;
        for (String name : unknown(code.group(1))) {
          wrong.add(ROOT.relativize(page) + ": `" + code.group(1) + "`: " + name);
        }
      }
    }
    assertEquals(List.of(), wrong);
    int count = looked;
    assertTrue(count > 1000, () -> "only " + count + " pieces of code are found");
  }

  @Test
  void whatDoesNotExistIsFound() {
    assertEquals(List.of(), unknown("./isle sh 'device:list --json' --as viewer"));
    assertEquals(List.of("danse"), unknown("./isle danse"));
    assertEquals(List.of("--colour"), unknown("./isle start --colour"));
    assertEquals(List.of("device:lst"), unknown("device:lst soft0"));
    assertEquals(List.of("group:none"), unknown("./isle sh 'device:list; group:none'"));
    assertEquals(List.of(), unknown("quiet: {compute.guarantee: soft0}"));
  }

  /** Verbs, options and commands of a piece of code that do not exist. */
  private List<String> unknown(String code) {
    List<String> unknown = new ArrayList<>();
    if (code.startsWith("./isle ")) {
      String plain = QUOTED.matcher(code).replaceAll("TEXT");
      String verb = plain.split("\\s+", -1)[1];
      if (!verb.startsWith("-") && !verbs.contains(verb)) {
        unknown.add(verb);
      }
      Matcher option = OPTION.matcher(plain);
      while (option.find()) {
        if (!launcher.contains(option.group())) {
          unknown.add(option.group());
        }
      }
    }
    Set<String> scopes =
        commands.stream().map(name -> name.split(":", 2)[0]).collect(Collectors.toSet());
    Matcher command = COMMAND.matcher(code);
    while (command.find()) {
      if (scopes.contains(command.group(1)) && !commands.contains(command.group())) {
        unknown.add(command.group());
      }
    }
    return unknown;
  }
}
