package io.isle.spin.jobs.ping.place;

import io.isle.api.base.Errno;
import io.isle.api.jobs.JobException;
import io.isle.api.spin.Nic;
import io.isle.api.spin.NicInfo;
import io.isle.api.spin.NicSpec;
import io.isle.api.spin.TemporaryNic;

/** Makes the interface of a step. */
final class StepNic {
  private StepNic() {}

  /**
   * Makes an interface whose ports are open.
   *
   * @throws JobException EIO with the reason why a port cannot be opened; then there is none
   */
  static TemporaryNic make(PingServices services, NicSpec spec) {
    TemporaryNic made = services.admin().make(spec);
    String reason =
        services
            .nics()
            .find(made.name())
            .map(Nic::info)
            .filter(info -> !info.state().equals("up"))
            .map(NicInfo::error)
            .orElse("");
    if (!reason.isEmpty()) {
      made.close();
      throw JobException.failed(Errno.EIO, "the interface of the step: " + reason, null);
    }
    return made;
  }
}
