package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.osgi.annotation.versioning.ProviderType;
import org.osgi.service.component.annotations.Activate;

/** Who may depend on whom: the arrows of the architecture, on the compiled bundles. */
class ArrowsTest {
  private static final String ROOT = "io.isle.";
  private static final String ACCEL = "io.isle.core.accel";
  private static final String DRIVERS = "io.isle.core.drivers";
  private static final int MOST_IN_CIRCLE = 3;
  private static final int MOST_FILES = 20;
  private static final int MOST_PARAMETERS = 7;

  /** Packages of core/accel, each below those that follow. */
  private static final List<String> ACCEL_LAYERS =
      List.of(
          "sched",
          "group",
          "fence",
          "usage",
          "settings",
          "ids",
          "estimate",
          "memory",
          "device",
          "queue",
          "machine",
          "agent",
          "audit",
          "admission",
          "timeline",
          "context",
          "submit",
          "managed");

  private static final Set<JavaModifier> NO_BODY_TO_OVERRIDE =
      EnumSet.of(
          JavaModifier.ABSTRACT, JavaModifier.STATIC, JavaModifier.PRIVATE, JavaModifier.SYNTHETIC);

  private static JavaClasses classes;

  @BeforeAll
  static void read() {
    classes = CompiledBundles.classes();
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

  /** Its providers and its other algorithms are nobody's business. */
  @Test
  void onlyTheVerificationOfSignaturesUsesBouncyCastle() {
    ArchRuleDefinition.noClasses()
        .that()
        .resideOutsideOfPackage(ROOT + "lib.model.verify")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.bouncycastle..")
        .check(classes);
    ArchRuleDefinition.noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.bouncycastle.jce..", "org.bouncycastle.jcajce..")
        .check(classes);
  }

  /** Its packages know nothing of the whole, and each only of those before it. */
  @Test
  void thePackagesOfCoreAccelAreLayers() {
    for (JavaClass type : classes) {
      if (area(type).equals("core.accel") && !type.getPackageName().equals(ACCEL)) {
        String layer = type.getPackageName().substring(ACCEL.length() + 1);
        assertTrue(ACCEL_LAYERS.contains(layer), type.getName() + ": its package is no layer");
      }
    }
    for (int i = 0; i < ACCEL_LAYERS.size(); i++) {
      Stream<String> above = ACCEL_LAYERS.stream().skip(i + 1L).map(name -> ACCEL + "." + name);
      ArchRuleDefinition.noClasses()
          .that()
          .resideInAPackage(ACCEL + "." + ACCEL_LAYERS.get(i))
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(Stream.concat(Stream.of(ACCEL), above).toArray(String[]::new))
          .check(classes);
    }
  }

  /** What is no service and no object that others are given belongs into a package below. */
  @Test
  void theRootOfCoreAccelHasComponentsAndViewsOnly() {
    ArchRuleDefinition.classes()
        .that()
        .resideInAPackage(ACCEL)
        .and()
        .areTopLevelClasses()
        .and()
        .doNotHaveSimpleName("package-info")
        .should()
        .implement(
            DescribedPredicate.describe(
                "an interface of the API", type -> area(type).startsWith("api.")))
        .check(classes);
  }

  @Test
  void atMostThreeClassesOfTheCoreDependOnEachOther() {
    List<Set<String>> large =
        new ClassCircles(classes.that(DescribedPredicate.describe("rooms", ArrowsTest::isRoom)))
            .all().stream().filter(circle -> circle.size() > MOST_IN_CIRCLE).toList();
    assertEquals(List.of(), large);
  }

  @Test
  void aPackageOfTheCoreHasAtMostTwentyFiles() throws IOException {
    Path sources = Path.of("..", "bundles", "core");
    Map<Path, Long> files;
    try (Stream<Path> all = Files.walk(sources)) {
      files =
          all.filter(file -> file.toString().contains("/src/main/java/"))
              .filter(file -> file.toString().endsWith(".java"))
              .collect(Collectors.groupingBy(Path::getParent, Collectors.counting()));
    }
    for (String spared : List.of("core/accel/sched", "core/devices")) {
      assertTrue(files.keySet().removeIf(room -> room.endsWith(spared)), spared + " is elsewhere");
    }
    files.values().removeIf(count -> count <= MOST_FILES);
    assertEquals(Map.of(), files);
  }

  @Test
  void aConstructorInCoreAccelHasAtMostSevenParameters() {
    ArchRuleDefinition.constructors()
        .that()
        .areDeclaredInClassesThat(
            DescribedPredicate.describe(
                "are in core.accel and no records",
                type ->
                    area(type).equals("core.accel")
                        && !type.isRecord()
                        && !type.isAnonymousClass()))
        .should()
        .haveRawParameterTypes(
            DescribedPredicate.describe(
                "at most " + MOST_PARAMETERS, types -> types.size() <= MOST_PARAMETERS))
        .check(classes);
  }

  /** As those of core/accel; nativecode's are slices of their own. */
  @Test
  void thePartsOfCoreDriversAreLayers() {
    ArchRuleDefinition.noClasses()
        .that()
        .resideInAPackage(DRIVERS + ".*..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(DRIVERS)
        .check(classes);
    SlicesRuleDefinition.slices()
        .matching(DRIVERS + ".(**)")
        .should()
        .beFreeOfCycles()
        .check(classes);
  }

  /**
   * A body that nobody but the core overrides says what holds for test doubles alone. Interfaces
   * that drivers and tenants implement are not meant: there a body is part of the contract.
   */
  @Test
  void nothingOverridesABodyOfAnInterfaceThatOnlyTheCoreImplements() {
    List<String> overridden = new ArrayList<>();
    for (JavaClass type : classes) {
      if (!type.isInterface() || !isOfTheCoreAlone(type)) {
        continue;
      }
      for (JavaMethod method : type.getMethods()) {
        if (Collections.disjoint(method.getModifiers(), NO_BODY_TO_OVERRIDE)
            && type.getAllSubclasses().stream().anyMatch(sub -> overrides(sub, method))) {
          overridden.add(method.getFullName());
        }
      }
    }
    assertEquals(List.of(), overridden);
  }

  private static boolean isOfTheCoreAlone(JavaClass type) {
    JavaClass outer = type;
    while (outer.getEnclosingClass().isPresent()) {
      outer = outer.getEnclosingClass().get();
    }
    return area(type).startsWith("core.")
        || area(type).startsWith("api.") && outer.isAnnotatedWith(ProviderType.class);
  }

  private static boolean overrides(JavaClass sub, JavaMethod method) {
    return sub.tryGetMethod(
            method.getName(),
            method.getRawParameterTypes().stream().map(JavaClass::getName).toArray(String[]::new))
        .isPresent();
  }

  /**
   * Where a class has several, each is called by more than another one of its own, or by the
   * service component runtime.
   */
  @Test
  void noConstructorOfTheCoreIsThereForTestsAlone() {
    List<String> unused = new ArrayList<>();
    for (JavaClass type : classes) {
      if (!area(type).startsWith("core.") || type.getConstructors().size() < 2) {
        continue;
      }
      for (JavaConstructor constructor : type.getConstructors()) {
        boolean used =
            constructor.isAnnotatedWith(Activate.class)
                || constructor.getAccessesToSelf().stream()
                    .anyMatch(
                        by ->
                            !(by.getOrigin() instanceof JavaConstructor)
                                || !by.getOriginOwner().equals(type));
        if (!used && !constructor.getModifiers().contains(JavaModifier.PRIVATE)) {
          unused.add(constructor.getFullName());
        }
      }
    }
    assertEquals(List.of(), unused);
  }

  /** The scheduler decides as one, with its state in arrays: its classes are held to no number. */
  private static boolean isRoom(JavaClass type) {
    return area(type).startsWith("core.") && !type.getPackageName().equals(ACCEL + ".sched");
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
      // a model is proven against the decision that it is for
      case "lib" ->
          to.startsWith("lib.")
              || to.equals("api.base")
              || from.equals("lib.model") && to.equals("api.inference");
      case "drivers" ->
          to.startsWith("lib.") || Set.of("api.base", "api.device", "api.driver").contains(to);
      case "faces" -> isShared(to) || to.equals("faces.shell");
      // runs libraries in both tiers as the platform does; no part of the platform itself
      case "tck" -> isShared(to) || to.equals("core.drivers");
      // runs a device's agent as the platform does, under virtual time
      case "sim" -> isShared(to) || to.equals("core.accel");
      case "mltool" -> isShared(to) || to.startsWith("mltool");
      case "sdk" -> to.equals("lib.signing") || to.equals("api.base");
      default -> isShared(to);
    };
  }

  private static boolean isShared(String area) {
    return area.startsWith("api.") || area.startsWith("lib.");
  }
}
