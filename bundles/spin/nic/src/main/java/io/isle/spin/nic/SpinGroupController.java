package io.isle.spin.nic;

import io.isle.api.tenancy.GroupController;
import io.isle.api.tenancy.GroupKey;
import io.isle.api.tenancy.GroupTree;
import io.isle.spin.nic.manage.GroupBook;
import io.isle.spin.nic.manage.SpinCore;
import java.time.Duration;
import java.util.List;
import java.util.SequencedMap;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** What groups mean for network interfaces: their shares of the HPUs. */
@Component(service = GroupController.class)
public final class SpinGroupController implements GroupController {
  private final SpinCore core;
  private final GroupBook groups;

  @Activate
  public SpinGroupController(@Reference SpinComponent component) {
    this(component.core(), component.groups());
  }

  SpinGroupController(SpinCore core, GroupBook groups) {
    this.core = core;
    this.groups = groups;
  }

  @Override
  public String name() {
    return "spin";
  }

  @Override
  public List<GroupKey> keys() {
    return List.of(GroupBook.WEIGHT);
  }

  @Override
  public void check(GroupTree current, GroupTree proposed) {
    groups.check(proposed);
  }

  @Override
  public void apply(GroupTree committed) {
    groups.apply(committed);
    core.weigh();
  }

  @Override
  public SequencedMap<String, Long> stat(String group) {
    return groups.stat(group, core::count);
  }

  @Override
  public void evict(String group, Duration bound) {
    groups.evict(group);
    core.evict(group);
  }
}
