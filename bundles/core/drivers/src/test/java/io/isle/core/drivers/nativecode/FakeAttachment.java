package io.isle.core.drivers.nativecode;

import io.isle.api.base.Errno;
import io.isle.api.device.Recovery;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.DevicePort;
import io.isle.lib.ffi.MappedArena;
import io.isle.lib.ffi.MemoryFile;
import io.isle.lib.shm.AgentBells;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** An attachment with real memory and without a core. */
public class FakeAttachment implements DevicePort.Attachment {
  private final MappedArena arena = new MappedArena();
  private final MemoryFile commandFile = MemoryFile.create("isle-commands", 1 << 20);
  private final MemoryFile agentFile = MemoryFile.create("isle-agent", 4096);
  private final DevicePort.Shared commands =
      new DevicePort.Shared(commandFile.map(arena), commandFile.descriptor());
  private final DevicePort.Shared agent =
      new DevicePort.Shared(agentFile.map(arena), agentFile.descriptor());

  /** The bells on which an agent of this device sleeps. */
  public final AgentBells bells = new AgentBells(agent.memory(), arena);

  /** The bells that were asked for, in order. */
  public final List<DevicePort.Bell> made = new CopyOnWriteArrayList<>();

  public volatile CompletionSink sink = (tag, status, start, end, busy, detail) -> -Errno.ESTALE;

  /** What was told of starts: time by tag. */
  public final Map<Long, Long> starts = new HashMap<>();

  /** Who hears of the core's own complaints. */
  public volatile Consumer<RecoveryCause> failure = cause -> {};

  /** Whether work in flight ends by itself. */
  public volatile boolean drains = true;

  /** What is made anew on a device. */
  public volatile Consumer<AccelDevice> rebuilding = device -> {};

  /** How long a control call may take. */
  public volatile Duration controlBound = Duration.ofSeconds(5);

  /** The newest opening that came in. */
  public volatile DevicePort.Opening newest;

  public FakeAttachment() {
    commandFile.seal(true);
    agentFile.seal(true);
  }

  @Override
  public DevicePort.Shared commands() {
    return commands;
  }

  @Override
  public DevicePort.Shared agent() {
    return agent;
  }

  @Override
  public DevicePort.Bell newBell() {
    FakeBell bell = new FakeBell(bells);
    made.add(bell);
    return bell;
  }

  @Override
  public Duration controlBound() {
    return controlBound;
  }

  @Override
  public CompletionSink completions() {
    return (tag, status, start, end, busy, detail) ->
        sink.complete(tag, status, start, end, busy, detail);
  }

  @Override
  public void started(long tag, long ns) {
    starts.put(tag, ns);
  }

  @Override
  public void onFailure(Consumer<RecoveryCause> listener) {
    failure = listener;
  }

  /** Who hears of the core's complaints of groups. */
  public volatile BiConsumer<String, RecoveryCause> groupFailure = (group, cause) -> {};

  @Override
  public void onGroupFailure(BiConsumer<String, RecoveryCause> listener) {
    groupFailure = listener;
  }

  /** What is made anew in the process of a group. */
  public volatile Consumer<String> renewing = group -> {};

  @Override
  public void interrupt(String group, RecoveryCause cause) {}

  @Override
  public Recovery.Work renew(String group) {
    renewing.accept(group);
    return Recovery.Work.NONE;
  }

  @Override
  public void thaw(String group) {}

  @Override
  public void lose(String group, String why) {}

  @Override
  public boolean pause(Duration bound) {
    return drains;
  }

  @Override
  public void unpause() {}

  @Override
  public void save() {}

  @Override
  public void freeze(RecoveryCause cause) {}

  @Override
  public void fail(boolean keepPending) {}

  @Override
  public void ask(DevicePort.Opening opening) {}

  @Override
  public Recovery.Work rebuild(DevicePort.Opening opening) {
    newest = opening;
    rebuilding.accept(opening.device());
    return Recovery.Work.NONE;
  }

  @Override
  public void thaw() {}

  @Override
  public void lose(String why) {}

  @Override
  public void detach(String why) {}

  @Override
  public void close() {
    commandFile.close();
    agentFile.close();
    arena.close();
  }
}
