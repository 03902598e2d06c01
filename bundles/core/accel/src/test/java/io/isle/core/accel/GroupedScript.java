package io.isle.core.accel;

import io.isle.api.base.Errno;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.AllocArgs;
import io.isle.api.driver.Allocation;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.ContextArgs;
import io.isle.api.driver.DevicePort;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.GroupIsolation;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

/** A scripted device whose groups have processes of their own, each a scripted device too. */
final class GroupedScript extends FakeDevice implements GroupIsolation {
  final ScriptedDevice root;
  final Map<String, ScriptedDevice> groups = new ConcurrentHashMap<>();
  private final List<ScriptedDevice> all = new ArrayList<>();
  private final Map<String, TestLane> lanes = new ConcurrentHashMap<>();
  private final CompletionSink sink;
  private volatile int epoch;
  private volatile Duration controlBound;
  private volatile BiConsumer<String, RecoveryCause> groupFailed;

  /** Thrown by {@link #open}, unless null. */
  volatile DriverException refusal;

  /** Runs in each opening. */
  volatile Runnable inOpen = () -> {};

  GroupedScript(CompletionSink sink) {
    this.sink = sink;
    root = made();
  }

  private synchronized ScriptedDevice made() {
    ScriptedDevice made = new ScriptedDevice(sink);
    made.maxContexts = 64;
    all.add(made);
    return made;
  }

  /** The process of a group ends. */
  void end(String group) {
    ScriptedDevice dead = groups.remove(group);
    dead.alive = false;
  }

  /** How it was opened, as its owner knows. */
  void isOn(int opening, Duration bound, BiConsumer<String, RecoveryCause> failed) {
    epoch = opening;
    controlBound = bound;
    groupFailed = failed;
  }

  @Override
  public DevicePort.Opening open(String group) {
    ScriptedDevice there = groups.get(group);
    TestLane lane =
        lanes.computeIfAbsent(
            group,
            name ->
                new TestLane(
                    name,
                    () -> groups.containsKey(name) && groups.get(name).alive,
                    controlBound,
                    cause -> groupFailed.accept(name, cause)));
    boolean opened = false;
    try {
      ScriptedDevice process =
          there != null
              ? there
              : lane.call(
                  "start the process of group " + group,
                  () -> {
                    inOpen.run();
                    if (refusal != null) {
                      throw refusal;
                    }
                    return groups.computeIfAbsent(group, name -> made());
                  });
      opened = true;
      return new DevicePort.Opening(process, epoch, lane);
    } finally {
      if (!opened) {
        abort(group);
      }
    }
  }

  /** The process of a group is taken away. */
  void abort(String group) {
    TestLane gone = lanes.remove(group);
    if (gone != null) {
      gone.abort();
    }
  }

  void abortAll() {
    List.copyOf(lanes.keySet()).forEach(this::abort);
  }

  @Override
  public io.isle.api.driver.DeviceInfo info() {
    return root.info();
  }

  @Override
  public <X> Optional<X> extension(Class<X> type) {
    return type == GroupIsolation.class ? Optional.of(type.cast(this)) : root.extension(type);
  }

  @Override
  public void createContext(long context, ContextArgs args) {
    root.createContext(context, args);
  }

  @Override
  public void destroyContext(long context) {
    root.destroyContext(context);
  }

  @Override
  public void resetContext(long context) {
    root.resetContext(context);
  }

  @Override
  public void resetDevice() {
    root.resetDevice();
  }

  @Override
  public Allocation allocate(long context, long id, AllocArgs args) {
    return root.allocate(context, id, args);
  }

  @Override
  public void free(long id) {
    root.free(id);
  }

  /** The process that has a context; the newest, if a dead one had it before. */
  private synchronized ScriptedDevice of(long context) {
    for (int i = all.size() - 1; i >= 0; i--) {
      if (all.get(i).contexts.containsKey(context)) {
        return all.get(i);
      }
    }
    return null;
  }

  @Override
  public int submit(long context, long tag, MemorySegment commands, long offset, int length) {
    ScriptedDevice device = of(context);
    return device == null ? -Errno.EINTR : device.submit(context, tag, commands, offset, length);
  }

  @Override
  public int preempt(long context, int reason) {
    return of(context).preempt(context, reason);
  }

  @Override
  public boolean alive() {
    return root.alive;
  }

  @Override
  public void close() {
    root.close();
    groups.values().forEach(ScriptedDevice::close);
  }
}
