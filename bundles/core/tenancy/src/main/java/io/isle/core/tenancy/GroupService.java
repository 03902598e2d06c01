package io.isle.core.tenancy;

import io.isle.api.base.ConfigFiles;
import io.isle.api.base.Errno;
import io.isle.api.observe.AuditEvent;
import io.isle.api.tenancy.Group;
import io.isle.api.tenancy.GroupController;
import io.isle.api.tenancy.GroupKey;
import io.isle.api.tenancy.GroupSpec;
import io.isle.api.tenancy.GroupStatus;
import io.isle.api.tenancy.GroupTree;
import io.isle.api.tenancy.Groups;
import io.isle.api.tenancy.TenancyException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The groups with their thread, to which the model belongs. Thread-safe. */
final class GroupService implements Groups, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(GroupService.class);

  /** Until what did not end is tried once more; others change groups meanwhile. */
  private static final Duration RETRY = Duration.ofSeconds(30);

  /** By when whoever watches the folder of settings has seen a file that was written there. */
  private static final Duration SEEN = Duration.ofSeconds(1);

  private static final Duration UNREADABLE = Duration.ofSeconds(1);

  private final GroupThread thread;
  private final GroupModel model;
  private final GroupEdits edited;
  private final GroupSettings settings;
  private volatile GroupSnapshot snapshot;
  private boolean retrying;

  /**
   * @param thread is closed with this
   * @param expected names of the controllers without which unknown keys are kept
   * @param revoke takes back the capabilities of a group that goes
   * @param edits hears of changes of files that were not asked for here
   */
  GroupService(
      GroupThread thread,
      ConfigFiles files,
      Set<String> expected,
      Consumer<String> revoke,
      Consumer<AuditEvent> edits) {
    this.thread = thread;
    model = new GroupModel(new Controllers(expected), revoke);
    edited = new GroupEdits(model, edits);
    settings = new GroupSettings(files, model, edited, this::written);
    snapshot = model.snapshot();
  }

  /** The files may have changed; they are read again soon. */
  void filesChanged() {
    thread.post(this::refresh);
  }

  private void refresh() {
    changed(
        () -> {
          if (!settings.refresh()) {
            thread.after(UNREADABLE, this::refresh);
          }
        });
  }

  private void written(String name) {
    thread.after(SEEN, () -> changed(() -> settings.forgetIfGone(name)));
  }

  /** A controller comes; it has the tree soon. */
  void add(GroupController controller) {
    thread.post(() -> changed(() -> model.bind(controller)));
  }

  /** A controller goes; when this returns nothing of it is called any more. */
  void remove(GroupController controller) {
    try {
      asked(
          "the end of a controller",
          () -> {
            model.unbind(controller);
            return controller;
          });
    } catch (TenancyException e) {
      LOG.debug("a group controller was removed while the groups were stopping", e);
    }
  }

  /** Returns when all that was asked for before is done. */
  void settle() {
    asked("settling", () -> this);
  }

  @Override
  public GroupTree tree() {
    return snapshot.tree();
  }

  @Override
  public List<GroupKey> keys() {
    return snapshot.keys();
  }

  @Override
  public List<GroupStatus> list() {
    return snapshot.statuses();
  }

  @Override
  public Optional<GroupStatus> find(String name) {
    return snapshot.statuses().stream().filter(status -> status.name().equals(name)).findFirst();
  }

  @Override
  public Group create(GroupSpec spec) {
    return asked("the creation of " + spec.name(), () -> settings.create(spec));
  }

  @Override
  public Group create(String name, Map<String, String> keys) {
    return create(GroupSpec.of(name, keys));
  }

  @Override
  public Group set(String name, Map<String, String> changes) {
    return asked("the change of " + GroupSpec.shown(name), () -> settings.set(name, changes));
  }

  @Override
  public void delete(String name) {
    asked(
        "the deletion of " + GroupSpec.shown(name),
        () -> {
          settings.delete(name);
          return name;
        });
  }

  @Override
  public SequencedMap<String, Long> stat(String name) {
    GroupSnapshot now = snapshot;
    if (now.tree().find(name).isEmpty()) {
      throw new TenancyException(Errno.ENOENT, "no group '" + GroupSpec.shown(name) + "' in force");
    }
    SequencedMap<String, Long> counters = new LinkedHashMap<>();
    for (Controllers.Bound one : now.controllers()) {
      try {
        one.controller().stat(name).forEach(counters::putIfAbsent);
      } catch (RuntimeException | LinkageError e) {
        LOG.warn(
            "group controller {} failed to report its counters of group {}", one.name(), name, e);
      }
    }
    return counters;
  }

  @Override
  public void close() {
    thread.close();
  }

  private <T> T asked(String what, Callable<T> work) {
    return thread.call(
        what,
        () -> {
          try {
            return work.call();
          } finally {
            show();
          }
        });
  }

  private void changed(Runnable work) {
    try {
      work.run();
      edited.tellRefusals();
    } catch (RuntimeException | LinkageError e) {
      LOG.error("a change of groups failed because of a defect", e);
    } finally {
      show();
    }
  }

  private void show() {
    snapshot = model.snapshot();
    if (model.isStuck() && !retrying) {
      retrying = true;
      thread.after(RETRY, this::retry);
    }
  }

  private void retry() {
    retrying = false;
    changed(model::retry);
  }
}
