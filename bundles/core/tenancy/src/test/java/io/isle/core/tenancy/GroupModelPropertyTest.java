package io.isle.core.tenancy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.tenancy.Group;
import io.isle.api.tenancy.GroupSpec;
import io.isle.api.tenancy.GroupTree;
import io.isle.api.tenancy.TenancyException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.Size;

/** Files edited at random, with controllers that come and go. */
class GroupModelPropertyTest {
  private static final List<String> NAMES = List.of("a", "b", "c", "d", "e");

  /**
   * One step.
   *
   * @param what 0 to 5: an edit; 6: the file goes; 7: the controller goes or comes
   */
  record Step(int what, String group, String parent, int share) {}

  @Provide
  Arbitrary<Step> steps() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 7),
            Arbitraries.of(NAMES),
            Arbitraries.frequencyOf(
                Tuple.of(3, Arbitraries.just("default")),
                Tuple.of(4, Arbitraries.of(NAMES)),
                Tuple.of(1, Arbitraries.just("nobody"))),
            Arbitraries.integers().between(-5, 70))
        .as(Step::new);
  }

  @Property(tries = 1000)
  void theTreeInForceIsAlwaysValidAndARefusedEditChangesNothing(
      @ForAll @Size(max = 60) List<@From("steps") Step> script) {
    Run run = new Run();
    for (Step step : script) {
      run.step(step);
      run.check();
    }
  }

  /** The last good settings of a are for below b, which comes into force only without them. */
  @Example
  void whatWasGoodLastIsTriedAgainOnceOthersAreInForce() {
    List<Step> script =
        List.of(
            new Step(0, "a", "b", 0),
            new Step(0, "b", "default", 0),
            new Step(0, "d", "default", 0),
            new Step(6, "b", "", 0),
            new Step(7, "", "", 0),
            new Step(7, "", "", 0),
            new Step(0, "a", "default", 0),
            new Step(0, "a", "default", -1),
            new Step(0, "b", "d", 0),
            new Step(0, "d", "a", 0),
            new Step(7, "", "", 0),
            new Step(0, "a", "a", 0));
    theTreeInForceIsAlwaysValidAndARefusedEditChangesNothing(script);
  }

  /** In the end all files are in force when they are good together. */
  @Property(tries = 500)
  void goodFilesAreInForceWhateverWasBefore(
      @ForAll @Size(max = 30) List<@From("steps") Step> script) {
    Run run = new Run();
    script.forEach(run::step);
    run.files.clear();
    run.files.put("b", Map.of("parent", "d", "accel.share", "50"));
    run.files.put("d", Map.of("accel.share", "50"));
    run.model.files(run.files);
    assertEquals(
        Set.of("default", "b", "d"),
        new HashSet<>(run.model.tree().groups().stream().map(Group::name).toList()));
    assertEquals("d", run.model.tree().find("b").orElseThrow().parent().orElseThrow());
    for (String name : NAMES) {
      assertNull(run.model.refusal(name));
    }
  }

  private static final class Run {
    final FakeController accel = new FakeController("accel");
    final Map<String, Map<String, String>> files = new TreeMap<>();
    final GroupModel model = new GroupModel(new Controllers(Set.of("accel")), name -> {});
    boolean bound;

    Run() {
      model.files(files);
    }

    void step(Step step) {
      GroupTree before = model.tree();
      switch (step.what()) {
        case 7 -> {
          if (bound) {
            model.unbind(accel);
          } else {
            model.bind(accel);
          }
          bound = !bound;
        }
        case 6 -> {
          files.remove(step.group());
          model.files(files);
        }
        default -> {
          Map<String, String> file = new HashMap<>();
          file.put("parent", step.parent());
          file.put("accel.share", Integer.toString(step.share()));
          files.put(step.group(), file);
          model.files(files);
          TenancyException refusal = model.refusal(step.group());
          GroupSpec wanted = GroupSpec.of(step.group(), file);
          if (refusal == null) {
            assertEquals(wanted, model.tree().find(step.group()).orElseThrow().spec());
          } else {
            assertEquals(before.find(step.group()).map(Group::spec), spec(step.group()));
          }
        }
      }
    }

    Optional<GroupSpec> spec(String name) {
      return model.tree().find(name).map(Group::spec);
    }

    void check() {
      GroupTree tree = model.tree();
      GroupTree.of(tree.specs().values());
      Set<String> held = new HashSet<>(files.keySet());
      held.removeIf(name -> tree.find(name).isPresent());
      assertEquals(held, tree.held().keySet());
      if (bound) {
        assertSame(tree, accel.last());
        int sum = tree.groups().stream().mapToInt(accel::share).sum();
        assertTrue(sum <= FakeController.ALL, () -> "more than all: " + tree);
      }
      // Whoever has a file and no refusal is as the file says; the others have a reason.
      files.forEach(
          (name, file) -> {
            boolean asItSays = spec(name).filter(GroupSpec.of(name, file)::equals).isPresent();
            assertEquals(asItSays, model.refusal(name) == null, () -> name + " in " + tree);
          });
      // Nobody is there without a file, but for the root and those with children.
      for (Group group : tree.groups()) {
        assertTrue(
            files.containsKey(group.name())
                || group.name().equals(GroupTree.ROOT)
                || !tree.children(group.name()).isEmpty(),
            () -> group.name() + " in " + tree);
      }
    }
  }
}
