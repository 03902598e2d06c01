package io.isle.core.accel;

import io.isle.api.tenancy.GroupController;
import io.isle.api.tenancy.GroupKey;
import io.isle.api.tenancy.GroupTree;
import java.time.Duration;
import java.util.List;
import java.util.SequencedMap;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/**
 * What groups mean for accelerators: their devices, memory, priorities and shares of devices
 * (accelerator framework, 44.2). Until it has heard of the groups, contexts come into the root
 * alone.
 */
@Component(service = GroupController.class)
public final class AccelGroupController implements GroupController {
  private final GroupView view;

  @Activate
  public AccelGroupController(@Reference AccelComponent accel) {
    view = new GroupView(accel.core());
  }

  @Override
  public String name() {
    return view.name();
  }

  @Override
  public List<GroupKey> keys() {
    return view.keys();
  }

  @Override
  public void check(GroupTree current, GroupTree proposed) {
    view.check(current, proposed);
  }

  @Override
  public void apply(GroupTree committed) {
    view.apply(committed);
  }

  @Override
  public SequencedMap<String, Long> stat(String group) {
    return view.stat(group);
  }

  @Override
  public void evict(String group, Duration bound) {
    view.evict(group, bound);
  }
}
