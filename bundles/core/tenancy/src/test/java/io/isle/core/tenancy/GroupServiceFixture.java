package io.isle.core.tenancy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.isle.api.observe.AuditEvent;
import io.isle.api.tenancy.Group;
import io.isle.api.tenancy.GroupSpec;
import io.isle.api.tenancy.GroupStatus;
import io.isle.api.tenancy.TenancyException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;

/** A service of groups with its files, one controller, and a thread that waits for nothing. */
abstract class GroupServiceFixture {
  static final String SHARE = "accel.share";

  final FakeFiles files = new FakeFiles();
  final List<String> revoked = new CopyOnWriteArrayList<>();
  final List<AuditEvent> edits = new CopyOnWriteArrayList<>();
  final FakeController accel = new FakeController("accel");
  final List<Runnable> later = new CopyOnWriteArrayList<>();
  final GroupThread thread =
      new GroupThread("isle-groups") {
        @Override
        void after(Duration delay, Runnable work) {
          later.add(work);
        }
      };
  final GroupService groups =
      new GroupService(thread, files, Set.of("accel"), revoked::add, edits::add);

  @AfterEach
  void close() {
    groups.close();
  }

  void refresh() {
    groups.filesChanged();
    groups.settle();
  }

  /** Does what is to be done after a while. */
  void pass() {
    List<Runnable> due = List.copyOf(later);
    later.clear();
    due.forEach(thread::post);
    groups.settle();
  }

  void bind(FakeController controller) {
    groups.add(controller);
    groups.settle();
  }

  static GroupSpec spec(String name, String... keys) {
    Map<String, String> raw = new HashMap<>();
    for (int i = 0; i < keys.length; i += 2) {
      raw.put(keys[i], keys[i + 1]);
    }
    return GroupSpec.of(name, raw);
  }

  static TenancyException refused(int code, Runnable action) {
    TenancyException thrown = assertThrows(TenancyException.class, action::run);
    assertEquals(code, thrown.code(), thrown.getMessage());
    return thrown;
  }

  List<String> names() {
    return groups.tree().groups().stream().map(Group::name).toList();
  }

  GroupStatus status(String name) {
    return groups.find(name).orElseThrow();
  }
}
