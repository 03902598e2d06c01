package io.isle.spin.nic.manage;

import io.isle.api.base.IsleException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Lets the handlers of bundles in, and looks again when the rules may have changed. Thread-safe.
 */
final class HandlerJudge {
  private final HandlerRegistry registry;
  private final HandlerAdmission admission;
  private final HandlerListener listener;

  /** By the bundle's id: why it is refused. */
  private final Map<Long, Judged> judged = new HashMap<>();

  private record Judged(BroughtHandlers brought, Optional<String> refusal) {}

  HandlerJudge(HandlerRegistry registry, HandlerAdmission admission, HandlerListener listener) {
    this.registry = registry;
    this.admission = admission;
    this.listener = listener;
  }

  synchronized void add(BroughtHandlers brought) {
    judge(brought);
  }

  synchronized void remove(long bundle) {
    judged.remove(bundle);
    registry.remove(bundle);
  }

  /** Other signatures, or keys, may count now. */
  synchronized void again() {
    for (Judged one : judged.values().toArray(Judged[]::new)) {
      judge(one.brought);
    }
  }

  private void judge(BroughtHandlers brought) {
    Optional<IsleException> refusal = refusal(brought);
    Judged now = new Judged(brought, refusal.map(IsleException::getMessage));
    if (now.equals(judged.put(brought.bundle(), now))) {
      return;
    }
    if (refusal.isEmpty()) {
      brought.images().forEach(image -> registry.add(brought.bundle(), image));
      brought.images().forEach(image -> listener.came(image.name()));
    } else {
      IsleException e = refusal.get();
      registry.refuse(brought.bundle(), brought.images(), e.getMessage());
      listener.refused(brought.text(), brought.images(), e.code(), e.getMessage());
    }
  }

  private Optional<IsleException> refusal(BroughtHandlers brought) {
    try {
      admission.admit(brought);
      return Optional.empty();
    } catch (IsleException e) {
      return Optional.of(e);
    }
  }
}
