package io.isle.core.accel.context;

import io.isle.api.accel.ArgumentKind;
import io.isle.api.accel.KernelInfo;
import io.isle.api.base.ForeignText;
import io.isle.api.driver.Kernel;
import java.util.List;
import java.util.Optional;

/** Kernels as tenants see them. Pure functions. */
final class KernelInfos {
  private KernelInfos() {}

  static List<KernelInfo> of(List<Kernel> kernels) {
    return kernels.stream().map(KernelInfos::of).toList();
  }

  private static KernelInfo of(Kernel kernel) {
    return new KernelInfo(
        ForeignText.line(kernel.name()),
        kernel.entry(),
        kernel.groupSize(),
        kernel.maxGroup(),
        kernel.localBytes(),
        kernel.privateBytes(),
        ForeignText.line(kernel.needsGroupSize()),
        ForeignText.line(kernel.unusable()),
        kernel.arguments().stream().map(KernelInfos::of).toList());
  }

  private static KernelInfo.Argument of(Kernel.Argument argument) {
    return new KernelInfo.Argument(
        ForeignText.line(argument.name()),
        ForeignText.line(argument.type()),
        of(argument.kind()),
        argument.access(),
        argument.bytes(),
        of(argument.element()),
        argument.lanes());
  }

  private static Optional<ArgumentKind> of(Optional<io.isle.api.driver.ArgumentKind> kind) {
    return kind.map(known -> ArgumentKind.valueOf(known.name()));
  }
}
