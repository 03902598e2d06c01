package io.isle.core.devices;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.device.DeviceEvent;
import io.isle.api.device.DeviceNode;
import io.isle.api.device.DeviceState;
import io.isle.api.driver.DeviceSeed;
import io.isle.api.driver.DriverInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Files, drivers and reports come and go in any order. */
class DeviceModelPropertyTest {
  /** One step: what happens, to which device number, with which value. */
  record Step(int what, int number, int value) {}

  @Provide
  Arbitrary<List<Step>> steps() {
    Arbitrary<Step> step =
        Combinators.combine(
                Arbitraries.integers().between(0, 7),
                Arbitraries.integers().between(0, 3),
                Arbitraries.integers().between(0, 7))
            .as(Step::new);
    return step.list().ofMaxSize(40);
  }

  @Property(tries = 2000)
  void theTreeIsWhatFilesAndDriversSay(@ForAll("steps") List<Step> steps) {
    World world = new World();
    for (Step step : steps) {
      world.take(step);
      world.check();
    }
  }

  /** The model and, beside it, what is known to be true. */
  private static final class World {
    final List<DeviceEvent> events = new ArrayList<>();
    final DeviceModel model =
        new DeviceModel(events::add, (id, why) -> {}, DeviceCalls.DIRECT, new Epochs());
    final Map<DeviceName, Map<String, String>> files = new HashMap<>();
    final Map<String, DesiredSettings> inForce = new HashMap<>();
    Optional<BoundDriver> bound = Optional.empty();
    FakeControl control = new FakeControl();
    List<DeviceSeed> seeds = List.of();

    void take(Step step) {
      DeviceName name = new DeviceName("soft", step.number());
      switch (step.what()) {
        case 0, 1, 2 -> file(name, step.value());
        case 3 -> {
          files.remove(name);
          model.files(files);
        }
        case 4 -> bind(step.number());
        case 5 -> unbind();
        case 6 -> report(name, step.value());
        default -> reload(name);
      }
    }

    private void file(DeviceName name, int value) {
      files.put(
          name,
          switch (value) {
            case 0 -> Map.of();
            case 1 -> Map.of("enabled", "false");
            case 2 -> Map.of("tier", "1");
            case 3 -> Map.of("memory_bytes", "1m", "driver", "soft");
            case 4 -> Map.of("memory_bytes", "1048576");
            case 5 -> Map.of("memory_bytes", "");
            case 6 -> Map.of("tier", "9");
            default -> Map.of("nothing", "x");
          });
      model.files(files);
    }

    private void bind(int count) {
      unbind();
      seeds = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        seeds.add(Fixtures.seed("s" + i));
      }
      control = new FakeControl();
      BoundDriver driver = new BoundDriver(Fixtures.SOFT, seeds, control);
      control.reports = report -> model.report(driver, report);
      bound = Optional.of(driver);
      model.bind(driver);
    }

    private void unbind() {
      bound.ifPresent(
          driver -> {
            control.usable = false;
            model.unbind(driver);
          });
      bound = Optional.empty();
    }

    private void report(DeviceName name, int value) {
      bound.ifPresent(
          driver ->
              model.report(
                  driver,
                  value < 4
                      ? FakeControl.active(name.id(), value)
                      : FakeControl.closed(name.id(), value, DeviceState.FAILED, "crash")));
    }

    private void reload(DeviceName name) {
      try {
        model
            .requests()
            .reload(
                name.id(),
                failure -> {
                  if (failure != null) {
                    throw failure;
                  }
                });
      } catch (io.isle.api.device.DeviceException refused) {
        assertTrue(refused.code() > 0);
      }
    }

    void check() {
      DriverInfo info = Fixtures.SOFT;
      Map<String, DeviceNode> nodes = new TreeMap<>();
      model.snapshot().nodes().forEach(node -> nodes.put(node.id(), node));
      for (int number = 0; number < 4; number++) {
        DeviceName name = new DeviceName("soft", number);
        boolean probed = bound.isPresent() && number < seeds.size();
        Optional<Map<String, String>> file = Optional.ofNullable(files.get(name));
        assertEquals(probed || file.isPresent(), nodes.containsKey(name.id()), name.id());
        if (bound.isPresent()) {
          checkSpec(name, probed, file, info, nodes.get(name.id()));
        } else if (nodes.containsKey(name.id())) {
          DeviceState state = nodes.get(name.id()).state();
          assertTrue(state == DeviceState.FAILED || state == DeviceState.DISABLED);
        } else {
          inForce.remove(name.id());
        }
      }
      replay(nodes);
    }

    /** What is open is what the file says, or, where that is bad, what was in force before. */
    private void checkSpec(
        DeviceName name,
        boolean probed,
        Optional<Map<String, String>> file,
        DriverInfo info,
        DeviceNode node) {
      String id = name.id();
      if (!probed && file.isEmpty()) {
        inForce.remove(id);
        assertTrue(!control.open.containsKey(id));
        return;
      }
      Optional<DesiredSettings> now = SettingsCheck.check(info, file.orElse(Map.of())).desired();
      now.ifPresent(desired -> inForce.put(id, desired));
      DesiredSettings desired = inForce.get(id);
      DesiredSettings open =
          Optional.ofNullable(control.open.get(id))
              .map(
                  spec ->
                      new DesiredSettings(
                          spec.tier(), spec.enabled(), spec.isolation(), spec.settings()))
              .orElse(null);
      assertEquals(desired, open, id);
      assertEquals(now.isEmpty(), node.error().contains(": "), node.error());
    }

    /** The events so far lead to the nodes that there are. */
    private void replay(Map<String, DeviceNode> nodes) {
      Map<String, DeviceNode> told = new TreeMap<>();
      for (DeviceEvent event : events) {
        String id = event.node().id();
        switch (event) {
          case DeviceEvent.Added added -> assertEquals(null, told.put(id, added.node()));
          case DeviceEvent.Changed changed ->
              assertEquals(changed.before(), told.put(id, changed.node()));
          case DeviceEvent.Removed removed -> assertEquals(removed.node(), told.remove(id));
        }
      }
      assertEquals(nodes, told);
    }
  }
}
