package io.isle.core.tenancy;

import io.isle.api.base.ConfigFiles;
import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditEvent;
import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.Group;
import io.isle.api.tenancy.GroupController;
import io.isle.api.tenancy.GroupKey;
import io.isle.api.tenancy.GroupSpec;
import io.isle.api.tenancy.GroupStatus;
import io.isle.api.tenancy.GroupTree;
import io.isle.api.tenancy.Groups;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import org.osgi.service.cm.ConfigurationEvent;
import org.osgi.service.cm.ConfigurationListener;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/**
 * Offers {@link Groups}; what is asked of it is written down while there is a book. Settings are
 * read from Config Admin at each of its events: a bad value must be refused while the last good
 * ones stay in force.
 */
@Component(service = {Groups.class, ConfigurationListener.class})
public final class GroupsComponent implements Groups, ConfigurationListener {
  /**
   * The areas that limit groups; until all of them are there, a key that none has may be theirs.
   */
  private static final Set<String> AREAS = Set.of("accel");

  private final GroupService service;
  private final Groups audited;

  @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
  private volatile Audit audit;

  @Activate
  public GroupsComponent(@Reference ConfigFiles files, @Reference Capabilities capabilities) {
    GroupCapabilities ofGroups = new GroupCapabilities(capabilities, Capability::group);
    service =
        new GroupService(
            new GroupThread("isle-groups"), files, AREAS, ofGroups::revoke, this::edited);
    audited = new AuditedGroups(service, () -> this.audit);
    service.filesChanged();
  }

  private void edited(AuditEvent event) {
    Audit book = audit;
    if (book != null) {
      book.record(event);
    }
  }

  @Deactivate
  void deactivate() {
    service.close();
  }

  @Reference(
      cardinality = ReferenceCardinality.MULTIPLE,
      policy = ReferencePolicy.DYNAMIC,
      unbind = "removeController")
  void addController(GroupController controller) {
    service.add(controller);
  }

  void removeController(GroupController controller) {
    service.remove(controller);
  }

  @Override
  public void configurationEvent(ConfigurationEvent event) {
    if (GroupSettings.FACTORY_PID.equals(event.getFactoryPid())) {
      service.filesChanged();
    }
  }

  @Override
  public GroupTree tree() {
    return service.tree();
  }

  @Override
  public List<GroupKey> keys() {
    return service.keys();
  }

  @Override
  public List<GroupStatus> list() {
    return service.list();
  }

  @Override
  public Optional<GroupStatus> find(String name) {
    return service.find(name);
  }

  @Override
  public SequencedMap<String, Long> stat(String name) {
    return service.stat(name);
  }

  @Override
  public Group create(GroupSpec spec) {
    return audited.create(spec);
  }

  @Override
  public Group create(String name, Map<String, String> settings) {
    return audited.create(name, settings);
  }

  @Override
  public Group set(String name, Map<String, String> changes) {
    return audited.set(name, changes);
  }

  @Override
  public void delete(String name) {
    audited.delete(name);
  }
}
