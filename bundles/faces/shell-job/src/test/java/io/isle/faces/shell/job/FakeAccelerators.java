package io.isle.faces.shell.job;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Accelerator;
import io.isle.api.accel.AcceleratorInfo;
import io.isle.api.accel.Accelerators;
import io.isle.api.accel.Context;
import io.isle.api.accel.DeviceQuery;
import io.isle.api.accel.KernelInfo;
import io.isle.api.accel.Program;
import io.isle.api.accel.ProgramKind;
import io.isle.api.accel.ProgramSource;
import io.isle.api.base.Errno;
import io.isle.api.device.DeviceClass;
import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.CapabilitySpec;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/** A device without a compiler and one with; what is asked of them is kept. */
final class FakeAccelerators {
  final List<String> done = new ArrayList<>();
  final List<ProgramSource> sources = new ArrayList<>();
  List<KernelInfo> kernels = List.of();
  AccelException refusal;
  List<ProgramKind> kinds = List.of(ProgramKind.BUILTIN, ProgramKind.OPENCL_C);

  @SuppressWarnings("unchecked")
  private static <T> T answering(Class<T> type, BiFunction<String, Object[], Object> answer) {
    return (T)
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, args) -> answer.apply(method.getName(), args));
  }

  Accelerators accelerators() {
    Function<String, AcceleratorInfo> info =
        id ->
            new AcceleratorInfo(
                id,
                DeviceClass.OTHER,
                2,
                4,
                4096,
                0,
                0,
                8,
                65536,
                "none",
                "none",
                id.equals("soft0") ? List.of(ProgramKind.BUILTIN) : kinds,
                List.of());
    return answering(
        Accelerators.class,
        (name, args) ->
            name.equals("list")
                ? List.of(info.apply("soft0"), info.apply("opencl0"))
                : accelerator(((DeviceQuery) args[0])));
  }

  private Accelerator accelerator(DeviceQuery query) {
    return answering(
        Accelerator.class,
        (name, args) -> {
          done.add("open " + query.id().orElse("?") + " " + name);
          return context();
        });
  }

  private Context context() {
    return answering(
        Context.class,
        (name, args) -> {
          done.add("context " + name);
          return name.equals("load") ? load((ProgramSource) args[0]) : null;
        });
  }

  private Program load(ProgramSource source) {
    sources.add(source);
    if (refusal != null) {
      throw refusal;
    }
    return answering(
        Program.class,
        (name, args) -> {
          done.add("program " + name);
          return name.equals("kernels") ? kernels : null;
        });
  }

  Capabilities capabilities() {
    return answering(
        Capabilities.class,
        (name, args) -> {
          done.add(name + (args[0] instanceof CapabilitySpec spec ? " " + spec.group() : ""));
          return name.equals("issue") ? answering(Capability.class, (what, of) -> null) : null;
        });
  }

  static AccelException failed(String log) {
    return new AccelException(Errno.EINVAL, log);
  }
}
