package io.isle.faces.shell.spin.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.isle.api.spin.HandlerImage;
import io.isle.api.spin.HandlerImages;
import io.isle.faces.shell.testing.FakeServices;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HandlersCompleterTest {
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
}
