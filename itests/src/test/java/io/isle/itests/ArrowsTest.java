package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Who may depend on whom: the arrows of the architecture, on the compiled bundles. */
class ArrowsTest {
  private static final String ROOT = "io.isle.";
  private static final String ACCEL = "io.isle.core.accel";
  private static JavaClasses classes;

  @BeforeAll
  static void read() throws IOException {
    try (Stream<Path> modules = Files.walk(Path.of("..", "bundles"), 4)) {
      List<Path> compiled = modules.filter(p -> p.endsWith(Path.of("target", "classes"))).toList();
      classes = new ClassFileImporter().importPaths(compiled);
    }
  }

  @Test
  void thereIsSomethingToCheck() {
    assertFalse(classes.isEmpty(), "no compiled bundles beside this module");
  }

  @TestFactory
  Stream<DynamicTest> everyAreaKeepsToItsArrows() {
    Set<String> areas = new TreeSet<>();
    for (JavaClass type : classes) {
      areas.add(area(type));
    }
    return areas.stream().map(area -> dynamicTest(area, () -> rule(area).check(classes)));
  }

  /** Its packages are parts that know nothing of the whole, one above the other. */
  @Test
  void thePartsOfCoreAccelAreLayers() {
    ArchRuleDefinition.noClasses()
        .that()
        .resideInAPackage(ACCEL + ".*..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(ACCEL)
        .check(classes);
    SlicesRuleDefinition.slices()
        .matching(ACCEL + ".(*)..")
        .should()
        .beFreeOfCycles()
        .check(classes);
  }

  /** {@code io.isle.core.accel.x.Y} belongs to the area {@code core.accel}. */
  private static String area(JavaClass type) {
    String[] parts = type.getPackageName().substring(ROOT.length()).split("\\.", 3);
    return parts.length == 1 ? parts[0] : parts[0] + "." + parts[1];
  }

  private static ArchRule rule(String area) {
    return ArchRuleDefinition.noClasses()
        .that(DescribedPredicate.describe("are in " + area, type -> area(type).equals(area)))
        .should()
        .dependOnClassesThat(
            DescribedPredicate.describe(
                "an area that " + area + " may not use",
                type -> type.getPackageName().startsWith(ROOT) && !mayUse(area, area(type))));
  }

  private static boolean mayUse(String from, String to) {
    if (from.equals(to)) {
      return true;
    }
    return switch (from.split("\\.")[0]) {
      case "api" -> to.startsWith("api.");
      case "lib" -> to.startsWith("lib.") || to.equals("api.base");
      case "drivers" ->
          to.startsWith("lib.") || Set.of("api.base", "api.device", "api.driver").contains(to);
      case "faces" -> isShared(to) || to.equals("faces.shell");
      // runs libraries in both tiers as the platform does; no part of the platform itself
      case "tck" -> isShared(to) || to.equals("core.drivers");
      // runs a device's agent as the platform does, under virtual time
      case "sim" -> isShared(to) || to.equals("core.accel");
      case "sdk" -> to.equals("lib.signing") || to.equals("api.base");
      default -> isShared(to);
    };
  }

  private static boolean isShared(String area) {
    return area.startsWith("api.") || area.startsWith("lib.");
  }
}
