import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/**
 * The archives of sources and of Javadoc beside the jars of the SDK, for scripts/sdk.sh. One JVM
 * makes all of them: for each module alone a JVM would load, and run slowly, the same tools again.
 *
 * <p>Arguments: the version in the titles, a folder that is made for the pages, and for each
 * artifact its name, the folder of its sources and its jar's path without {@code .jar}; artifacts
 * that others need come first.
 */
final class SdkArchives {
  private static final int TOLD_LINES = 20;

  private final String version;
  private final Path pages;
  private String classPath = "";

  private SdkArchives(String version, Path pages) {
    this.version = version;
    this.pages = pages;
  }

  public static void main(String[] args) throws IOException {
    SdkArchives archives = new SdkArchives(args[0], Path.of(args[1]));
    for (int i = 2; i < args.length; i += 3) {
      archives.make(args[i], Path.of(args[i + 1]), args[i + 2]);
    }
  }

  private void make(String name, Path sources, String base) throws IOException {
    Path folder = Files.createDirectories(pages.resolve(name));
    archive(base + "-sources.jar", sources);
    javadoc(name, sources, folder);
    archive(base + "-javadoc.jar", folder);
    classPath += (classPath.isEmpty() ? "" : ":") + base + ".jar";
  }

  private static void archive(String jar, Path folder) {
    run("jar", "--create", "--date=2026-01-01T00:00:00Z", "--file", jar, "-C", "" + folder, ".");
  }

  /**
   * Annotations of the packages are about bundles and not on the class path: their absence is no
   * error.
   */
  private void javadoc(String name, Path sources, Path to) throws IOException {
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("-quiet", "-notimestamp", "--no-fonts", "-Xdoclint:none"));
    arguments.addAll(List.of("--ignore-source-errors", "-encoding", "UTF-8"));
    arguments.addAll(List.of("-windowtitle", name + " " + version));
    arguments.addAll(List.of("-classpath", classPath, "-d", to.toString()));
    try (Stream<Path> files = Files.walk(sources)) {
      files
          .filter(file -> file.toString().endsWith(".java") && !file.endsWith("package-info.java"))
          .forEach(file -> arguments.add(file.toString()));
    }
    run("javadoc", arguments.toArray(String[]::new));
  }

  private static void run(String name, String... arguments) {
    ToolProvider tool =
        ToolProvider.findFirst(name)
            .orElseThrow(() -> new IllegalStateException("the JDK has no " + name));
    StringWriter told = new StringWriter();
    int code;
    try (PrintWriter out = new PrintWriter(told)) {
      code = tool.run(out, out, arguments);
    }
    if (code != 0) {
      List<String> lines = told.toString().lines().toList();
      lines.subList(Math.max(0, lines.size() - TOLD_LINES), lines.size()).forEach(System.err::println);
      System.exit(1);
    }
  }
}
