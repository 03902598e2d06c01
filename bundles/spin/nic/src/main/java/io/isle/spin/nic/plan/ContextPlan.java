package io.isle.spin.nic.plan;

import io.isle.api.base.Errno;
import io.isle.api.spin.Ruleset;
import io.isle.api.spin.SpinException;

/**
 * What an execution context is attached with. Immutable.
 *
 * @param group whose share the context's tasks are charged to
 * @param header whether there is a header handler
 * @param packet whether there is a packet handler
 * @param tail whether there is a tail handler
 */
public record ContextPlan(
    String group, Ruleset ruleset, boolean header, boolean packet, boolean tail) {
  /** Checks that there is a handler. */
  public ContextPlan {
    if (!header && !packet && !tail) {
      throw new SpinException(Errno.EINVAL, "the context has no handler; one at least is needed");
    }
  }

  /** Whether there are no messages: only the packet handler runs. */
  public boolean packetsStandAlone() {
    return ruleset.packetsStandAlone() || !header && !tail;
  }
}
