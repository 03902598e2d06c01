package io.isle.core.accel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Fails a test in which a completion listener blocks a notifier of the platform. */
public final class NoBlockedListeners implements BeforeEachCallback, AfterEachCallback {
  private static final ExtensionContext.Namespace OWN =
      ExtensionContext.Namespace.create(NoBlockedListeners.class);

  @Override
  public void beforeEach(ExtensionContext test) {
    test.getStore(OWN).put(BlockedListeners.class, new BlockedListeners());
  }

  @Override
  public void afterEach(ExtensionContext test) {
    try (BlockedListeners watch =
        test.getStore(OWN).remove(BlockedListeners.class, BlockedListeners.class)) {
      assertEquals(List.of(), watch.stop(), "completion listeners must not block");
    }
  }
}
