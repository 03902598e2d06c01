package io.isle.spin.nic.offline;

import io.isle.api.accel.Accelerators;
import io.isle.api.base.Errno;
import io.isle.api.driver.DeviceSessions;
import io.isle.api.spin.HandlerImage;
import io.isle.api.spin.HandlerImages;
import io.isle.api.spin.HandlerRuns;
import io.isle.api.spin.RunObserver;
import io.isle.api.spin.RunPackets;
import io.isle.api.spin.RunResult;
import io.isle.api.spin.RunSpec;
import io.isle.api.spin.SpinException;
import io.isle.api.tenancy.Capability;
import java.io.IOException;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/** Offers runs while there are accelerators. */
@Component(service = HandlerRuns.class)
public final class RunsComponent implements HandlerRuns {
  private final SpinRuns runs;

  @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
  private volatile HandlerImages images;

  @Activate
  public RunsComponent(@Reference Accelerators accelerators, @Reference DeviceSessions sessions) {
    runs = new SpinRuns(accelerators, sessions, this::find);
  }

  private HandlerImage find(String name) {
    HandlerImages now = images;
    if (now == null) {
      throw new SpinException(Errno.ENOENT, "handlers of bundles are not there yet");
    }
    return now.require(name);
  }

  @Override
  public RunResult run(
      Capability capability, RunSpec spec, RunPackets packets, RunObserver observer)
      throws IOException, InterruptedException {
    return runs.run(capability, spec, packets, observer);
  }
}
