package io.isle.core.drivers.nativecode.device;

import io.isle.api.base.Errno;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.Kernel;
import io.isle.api.driver.Kernels;
import io.isle.core.drivers.nativecode.control.ControlClient;
import io.isle.core.drivers.nativecode.control.KernelDecoder;
import io.isle.lib.kabi.CStruct;
import io.isle.lib.kabi.ControlOp;
import io.isle.lib.kabi.KabiStructs;
import io.isle.lib.kabi.WireStructs;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Descriptions of the kernels of a native device's programs. */
final class NativeKernels implements Kernels {
  private final ControlClient control;

  NativeKernels(ControlClient control) {
    this.control = control;
  }

  @Override
  public List<Kernel> kernels(long program) {
    CStruct type = WireStructs.DESCRIBE_REQUEST;
    MemorySegment body = MemorySegment.ofArray(new byte[(int) type.size()]);
    type.set(body, "program", program);
    List<Kernel> kernels = new ArrayList<>();
    for (int i = 0; i <= MAX_KERNELS; i++) {
      type.set(body, "entry", i);
      var reply = control.exchange(ControlOp.DESCRIBE_KERNEL, body, ControlClient.BOUND_NS);
      if (reply.result() == -Errno.ENOENT) {
        return kernels;
      }
      if (reply.result() < 0) {
        // an id that the runtime does not know is "stale" there
        int code = reply.result() == -Errno.ESTALE ? -Errno.ENOENT : reply.result();
        throw ControlClient.refused(ControlOp.DESCRIBE_KERNEL, code, "");
      }
      kernels.add(KernelDecoder.kernel(reply.as(KabiStructs.KERNEL, ControlOp.DESCRIBE_KERNEL)));
    }
    throw new DriverException(
        Errno.EPROTO, "the driver describes more than " + MAX_KERNELS + " kernels of a program");
  }
}
