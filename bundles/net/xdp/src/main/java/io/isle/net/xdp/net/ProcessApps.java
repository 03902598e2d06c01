package io.isle.net.xdp.net;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.lib.agent.SerialExecutor;
import io.isle.lib.ffi.PeerCredentials;
import io.isle.net.xdp.attach.Attachment;
import io.isle.net.xdp.attach.Attachments;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * The apps of a net that are processes of their own. The thread of the net's socket asks; the
 * executor of the nets does. That thread never waits for an executor that waits for the thread: the
 * end of the net refuses what has not begun.
 */
final class ProcessApps implements Attachments {
  private static final long LOOK_MS = 10;

  private final Net net;
  private final SerialExecutor executor;
  private final Function<String, Optional<App>> apps;

  /** The executor's. */
  private final Map<Attachment, Lent> lent = new IdentityHashMap<>();

  private volatile boolean ending;

  /** What a process has, and the app that counts the process, also behind a change of settings. */
  private record Lent(AppLinks links, App app) {}

  /**
   * @param apps finds an app; any thread
   */
  ProcessApps(Net net, SerialExecutor executor, Function<String, Optional<App>> apps) {
    this.net = net;
    this.executor = executor;
    this.apps = apps;
  }

  private Optional<App> mine(String app) {
    return apps.apply(app)
        .filter(one -> one.settings().uid() >= 0)
        .filter(one -> one.settings().nets().contains(net.name()));
  }

  @Override
  public OptionalInt user(String app) {
    return mine(app)
        .map(one -> OptionalInt.of((int) one.settings().uid()))
        .orElse(OptionalInt.empty());
  }

  @Override
  public Attachment attach(String app, PeerCredentials peer) {
    Future<Attachment> asked = executor.submit(() -> lend(app));
    while (true) {
      try {
        return asked.get(LOOK_MS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        if (ending && asked.cancel(false)) {
          throw new NetException(Errno.ECLOSED, "the net ends", e);
        }
      } catch (CancellationException e) {
        throw new NetException(Errno.ECLOSED, "the nets are stopped", e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new NetException(Errno.ECANCELED, "interrupted", e);
      } catch (ExecutionException e) {
        if (e.getCause() instanceof RuntimeException known) {
          throw known;
        }
        throw new IllegalStateException(e.getCause());
      }
    }
  }

  private Attachment lend(String name) {
    App app =
        mine(name)
            .orElseThrow(
                () -> new NetException(Errno.ENOENT, "the net has no app '" + name + "' any more"));
    AppLinks links = net.wiring().links(name, app.settings(), 1).getFirst();
    Attachment attachment;
    try {
      attachment = net.wiring().lend(links);
    } catch (RuntimeException e) {
      links.close();
      throw e;
    }
    if (net.opened().isEmpty()) {
      links.close();
      throw new NetException(Errno.ENODEV, "the net has failed meanwhile");
    }
    lent.put(attachment, new Lent(links, app));
    app.processes(1);
    return attachment;
  }

  @Override
  public void detach(Attachment attachment) {
    boolean ignored = executor.post(() -> takeBack(attachment));
  }

  private void takeBack(Attachment attachment) {
    Lent gone = lent.remove(attachment);
    if (gone != null) {
      net.wiring().detach(gone.links());
      gone.links().close();
      gone.app().processes(-1);
    }
  }

  /** Processes may attach from now on. */
  void begin() {
    ending = false;
  }

  /** The net ends: nothing waits for the executor any more. */
  void end() {
    ending = true;
  }

  /** Takes all links back, behind the end of the thread that asks. */
  void takeAllBack() {
    List.copyOf(lent.keySet()).forEach(this::takeBack);
  }
}
