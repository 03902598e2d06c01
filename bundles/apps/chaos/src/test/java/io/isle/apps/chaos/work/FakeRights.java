package io.isle.apps.chaos.work;

import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.CapabilitySpec;
import io.isle.apps.chaos.platform.Partial;
import java.util.ArrayList;
import java.util.List;

/** Issues capabilities. Methods are found by {@code Partial}. */
final class FakeRights {
  final List<CapabilitySpec> issued = new ArrayList<>();

  /** How many are valid. */
  int valid;

  private volatile int generation;

  synchronized Capability issue(CapabilitySpec spec) {
    issued.add(spec);
    valid++;
    return Partial.of(Capability.class, new Right(generation));
  }

  /** One of them. */
  final class Right {
    private final int own;

    Right(int own) {
      this.own = own;
    }

    boolean valid() {
      return own == generation;
    }
  }

  synchronized void revoke(Capability capability) {
    if (capability.valid()) {
      valid--;
    }
  }

  /** As when tenancy is restarted. */
  synchronized void forgetAll() {
    generation++;
    valid = 0;
  }
}
