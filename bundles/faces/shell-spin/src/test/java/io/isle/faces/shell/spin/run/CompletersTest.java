package io.isle.faces.shell.spin.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.isle.api.device.DeviceClass;
import io.isle.api.device.DeviceNode;
import io.isle.api.device.DeviceState;
import io.isle.api.device.DeviceTree;
import io.isle.api.spin.HandlerImage;
import io.isle.api.spin.HandlerImages;
import io.isle.faces.shell.testing.FakeServices;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CompletersTest {
  @Test
  void namesAreThoseOfBundles() {
    HandlerImage image = new HandlerImage("ping", new byte[] {1}, Optional.empty());
    HandlerImages images =
        new HandlerImages() {
          @Override
          public List<HandlerImage> list() {
            return List.of(image);
          }

          @Override
          public Optional<HandlerImage> find(String name) {
            throw new UnsupportedOperationException();
          }

          @Override
          public HandlerImage require(String name) {
            throw new UnsupportedOperationException();
          }
        };
    HandlersCompleter.Names names = new HandlersCompleter.Names();
    assertEquals(List.of("ping"), names.ids(new FakeServices().add(HandlerImages.class, images)));
    assertEquals(List.of(), names.ids(new FakeServices()));
  }

  @Test
  void devicesAreThoseWithHpus() {
    FakeServices services =
        new FakeServices()
            .add(DeviceTree.class, tree(node("soft0"), node("spin0", "accel-handlers")));
    assertEquals(List.of("spin0"), new DeviceCompleter().ids(services));
    assertEquals(List.of(), new DeviceCompleter().ids(new FakeServices()));
  }

  private static DeviceNode node(String id, String... services) {
    return new DeviceNode(
        id,
        "",
        "1",
        2,
        DeviceState.ACTIVE,
        "",
        DeviceClass.OTHER,
        Optional.empty(),
        1,
        Optional.empty(),
        Optional.empty(),
        Map.of(),
        List.of(services),
        List.of());
  }

  private static DeviceTree tree(DeviceNode... nodes) {
    return new DeviceTree() {
      @Override
      public List<DeviceNode> nodes() {
        return List.of(nodes);
      }

      @Override
      public Optional<DeviceNode> find(String id) {
        throw new UnsupportedOperationException();
      }

      @Override
      public Map<String, String> settings(String id) {
        throw new UnsupportedOperationException();
      }
    };
  }
}
