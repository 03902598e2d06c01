package io.isle.spin.nic.manage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.spin.ContextInfo;
import io.isle.api.spin.ContextSpec;
import io.isle.api.spin.ContextState;
import io.isle.api.spin.HandlerImage;
import io.isle.api.spin.HandlerSource;
import io.isle.core.testing.Until;
import io.isle.spin.nic.live.LiveContext;
import io.isle.spin.nic.live.LiveNic;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Contexts whose handlers come from a bundle that may not bring them any more. */
class RefusedHandlersTest {
  private static final String WHY = "signature: the bundle has none";

  private final SpinRig rig = new SpinRig();
  private final HandlerImage image = SpinRig.image("ping", Optional.empty());

  @AfterEach
  void close() {
    rig.close();
  }

  private static void holds(BooleanSupplier condition, String what) {
    assertTrue(Until.holds(condition), what);
  }

  private ContextInfo info(String name) {
    return rig.core.contexts().stream()
        .filter(one -> one.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private boolean is(String name, ContextState state) {
    return info(name).state() == state;
  }

  private void refuse() {
    rig.handlers.refuse(1, List.of(image), WHY);
    rig.core.updates().refused(List.of(image), WHY);
  }

  @Test
  void contextsWithThemEndAndThoseOfTheSettingsComeBack() {
    rig.nic("nic0", "port", "test:a");
    holds(() -> rig.core.nic("nic0").isPresent(), "the interface");
    LiveNic nic = rig.core.nic("nic0").orElseThrow();
    rig.handlers.add(1, image);
    rig.file("io.isle.spin-ours", "nic", "nic0", "handlers", "ping");
    holds(() -> rig.core.find("ours").isPresent(), "the context");
    LiveContext tenant =
        rig.core.attach(
            nic, rig.tenant("a"), ContextSpec.of("theirs", new HandlerSource.Installed("ping")));
    LiveContext other =
        rig.core.attach(
            nic, rig.tenant("b"), ContextSpec.of("other", SpinRig.image("ping", Optional.empty())));
    LiveContext swapped =
        rig.core.attach(
            nic, rig.tenant("c"), ContextSpec.of("swapped", SpinRig.image("a", Optional.empty())));
    rig.core.swap("swapped", new HandlerSource.Installed("ping"));
    refuse();
    holds(() -> swapped.state() == ContextState.DETACHED, "the end of one that was swapped");
    holds(() -> tenant.state() == ContextState.DETACHED, "the end of a tenant's");
    assertEquals("its handlers are refused: " + WHY, tenant.reason());
    holds(() -> is("ours", ContextState.DETACHED), "the end of that of the settings");
    holds(() -> info("ours").reason().equals("the handlers ping: " + WHY), "the reason");
    assertEquals(ContextState.ATTACHED, other.state());
    rig.handlers.add(1, image);
    rig.core.updates().came("ping");
    holds(() -> is("ours", ContextState.ATTACHED), "that of the settings is back");
  }

  @Test
  void thoseOfAnotherBundleTakeTheirPlace() {
    rig.nic("nic0", "port", "test:a");
    HandlerImage older = SpinRig.image("ping", Optional.empty());
    rig.handlers.add(2, older);
    rig.handlers.add(1, image);
    rig.file("io.isle.spin-ours", "nic", "nic0", "handlers", "ping");
    holds(() -> rig.core.find("ours").isPresent(), "the context");
    assertEquals(image, rig.core.find("ours").orElseThrow().image());
    refuse();
    holds(
        () -> rig.core.find("ours").filter(one -> one.image().equals(older)).isPresent(),
        "the handlers of the other bundle");
  }
}
