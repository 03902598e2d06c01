package io.isle.itests;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The links of all pages below a folder. */
final class Links {
  private static final Pattern LINK =
      Pattern.compile("!?\\[[^\\]]*\\]\\(\\s*<?([^)\\s>]+)>?(?:\\s+\"[^\"]*\")?\\s*\\)");
  private static final Pattern REFERENCE = Pattern.compile("(?m)^ {0,3}\\[[^\\]]+\\]:\\s*(\\S+)");
  private static final Pattern HEADING = Pattern.compile("(?m)^ {0,3}#{1,6}\\s+(.+?)\\s*#*$");
  private static final Pattern CODE =
      Pattern.compile("(?ms)^```.*?^```[^\\n]*$|(?:\\A|\\n\\n)(?: {4}[^\\n]*\\n?)+|`[^`\\n]*`");

  /** What is made, not written. */
  private static final Set<String> GENERATED = Set.of("target", "build", "repository");

  private final Path root;
  private final List<String> dead = new ArrayList<>();
  private final Map<Path, Set<String>> anchors = new HashMap<>();
  private int followed;

  private Links(Path root) {
    this.root = root;
  }

  /** Follows them all. */
  static Links of(Path folder) throws IOException {
    Links links = new Links(folder.toAbsolutePath().normalize());
    for (Path page : pages(links.root)) {
      links.follow(page);
    }
    return links;
  }

  /** How many there are that lead to files. */
  int followed() {
    return followed;
  }

  /** Page and link of those that lead nowhere. */
  List<String> dead() {
    return dead;
  }

  /** All pages below a folder, without those that are made. */
  static List<Path> pages(Path root) throws IOException {
    List<Path> pages = new ArrayList<>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            String name = folder.getFileName().toString();
            boolean left = name.startsWith(".") || GENERATED.contains(name);
            return left && !folder.equals(root)
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.toString().endsWith(".md")) {
              pages.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return pages.stream().sorted().toList();
  }

  private void follow(Path page) throws IOException {
    String text = CODE.matcher(Files.readString(page)).replaceAll("\n\n");
    for (Pattern kind : List.of(LINK, REFERENCE)) {
      Matcher link = kind.matcher(text);
      while (link.find()) {
        follow(page, link.group(1));
      }
    }
  }

  private void follow(Path page, String link) throws IOException {
    if (link.startsWith("https://") || link.startsWith("mailto:")) {
      URI ignored = URI.create(link);
      return;
    }
    followed++;
    int hash = link.indexOf('#');
    String file = hash < 0 ? link : link.substring(0, hash);
    Path to = file.isEmpty() ? page : page.resolveSibling(file).normalize();
    boolean there = to.startsWith(root) && Files.exists(to);
    boolean found =
        there
            && (hash < 0
                || Files.isRegularFile(to) && anchors(to).contains(link.substring(hash + 1)));
    if (!found) {
      dead.add(root.relativize(page) + ": " + link);
    }
  }

  private Set<String> anchors(Path page) throws IOException {
    Set<String> known = anchors.get(page);
    if (known == null) {
      known = new LinkedHashSet<>();
      Matcher heading = HEADING.matcher(Files.readString(page));
      while (heading.find()) {
        String anchor = anchor(heading.group(1));
        String one = anchor;
        for (int i = 1; !known.add(one); i++) {
          one = anchor + "-" + i;
        }
      }
      anchors.put(page, known);
    }
    return known;
  }

  /** As code hosts make it of a heading. */
  private static String anchor(String heading) {
    return heading
        .replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1")
        .toLowerCase(Locale.ROOT)
        .chars()
        .filter(c -> Character.isLetterOrDigit(c) || c == ' ' || c == '-' || c == '_')
        .mapToObj(c -> c == ' ' ? "-" : Character.toString(c))
        .collect(Collectors.joining());
  }
}
