package io.isle.faces.shell.job;

import io.isle.api.accel.AcceleratorInfo;
import io.isle.api.accel.Accelerators;
import io.isle.api.accel.ProgramKind;
import io.isle.faces.shell.IdCompleter;
import io.isle.faces.shell.Services;
import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** Completes ids of open devices that accept OpenCL C. */
@Service
public final class OpenClDeviceCompleter extends IdCompleter {
  @Override
  protected List<String> ids(Services services) {
    return services
        .ifThere(
            Accelerators.class,
            accelerators ->
                accelerators.list().stream()
                    .filter(info -> info.programKinds().contains(ProgramKind.OPENCL_C))
                    .map(AcceleratorInfo::id)
                    .toList())
        .orElse(List.of());
  }
}
