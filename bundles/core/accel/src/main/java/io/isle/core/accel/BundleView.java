package io.isle.core.accel;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Accelerator;
import io.isle.api.accel.AcceleratorInfo;
import io.isle.api.accel.Accelerators;
import io.isle.api.accel.DeviceQuery;
import io.isle.api.base.Errno;
import io.isle.api.device.DeviceNode;
import io.isle.api.device.DeviceTree;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The accelerators as one bundle uses them; closes the bundle's contexts at its end. */
final class BundleView implements Accelerators, AutoCloseable {
  private final AccelCore core;
  private final Supplier<DeviceTree> tree;
  private final Collection<ExecutionContext> contexts = new ArrayList<>();
  private boolean closed;

  /**
   * @param tree gives the device tree, or null while there is none
   */
  BundleView(AccelCore core, Supplier<DeviceTree> tree) {
    this.core = core;
    this.tree = tree;
  }

  @Override
  public List<AcceleratorInfo> list() {
    List<AcceleratorInfo> all = new ArrayList<>();
    for (DevicePlace place : core.places()) {
      try {
        all.add(handle(place).info(place));
      } catch (AccelException e) {
        if (e.code() != Errno.ENODEV) {
          throw e;
        }
      }
    }
    return all;
  }

  @Override
  public Accelerator find(DeviceQuery query) {
    List<AcceleratorInfo> all = list();
    return all.stream()
        .filter(info -> fits(info, query))
        .min(Comparator.comparingInt(AcceleratorInfo::contexts))
        .map(info -> new AcceleratorHandle(info.id(), this))
        .orElseThrow(
            () ->
                new AccelException(
                    Errno.ENODEV,
                    "no open device fits "
                        + text(query)
                        + "; open: "
                        + text(all)
                        + "; device:list shows those that are not open"));
  }

  void opened(ExecutionContext context) {
    synchronized (this) {
      contexts.removeIf(known -> known.seat().stateCode() == -Errno.ECLOSED);
      if (!closed) {
        contexts.add(context);
        return;
      }
    }
    context.close();
    throw new AccelException(Errno.ECLOSED, "the bundle that opens the context has stopped");
  }

  AccelCore core() {
    return core;
  }

  Optional<DeviceNode> node(String id) {
    DeviceTree now = tree.get();
    return now == null ? Optional.empty() : now.find(id);
  }

  @Override
  public void close() {
    List<ExecutionContext> left;
    synchronized (this) {
      closed = true;
      left = List.copyOf(contexts);
      contexts.clear();
    }
    left.forEach(context -> context.seat().place().closeContextAnyway(context));
  }

  private AcceleratorHandle handle(DevicePlace place) {
    return new AcceleratorHandle(place.deviceId(), this);
  }

  private static boolean fits(AcceleratorInfo info, DeviceQuery query) {
    return query.id().map(info.id()::equals).orElse(true)
        && query.deviceClass().map(wanted -> wanted == info.deviceClass()).orElse(true)
        && query.builtin().map(info.builtins()::contains).orElse(true)
        && info.memoryBytes() - info.memoryUsedBytes() >= query.minMemoryBytes();
  }

  private static String text(DeviceQuery query) {
    List<String> parts = new ArrayList<>();
    query.id().ifPresent(id -> parts.add("id " + id));
    query.deviceClass().ifPresent(wanted -> parts.add("class " + wanted.text()));
    query.builtin().ifPresent(name -> parts.add("program " + name));
    if (query.minMemoryBytes() > 0) {
      parts.add(query.minMemoryBytes() + " bytes of free memory");
    }
    return parts.isEmpty() ? "at all" : String.join(", ", parts);
  }

  private static String text(List<AcceleratorInfo> all) {
    return all.isEmpty()
        ? "none"
        : String.join(
            ", ", all.stream().map(i -> i.id() + " (" + i.deviceClass().text() + ")").toList());
  }
}
