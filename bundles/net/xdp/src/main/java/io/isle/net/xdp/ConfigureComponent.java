package io.isle.net.xdp;

import io.isle.api.net.ConfigureStage;
import io.isle.api.net.ConfiguredSetting;
import io.isle.api.net.NetConfigure;
import io.isle.api.net.NetException;
import io.isle.api.net.NetInterface;
import io.isle.api.observe.Actor;
import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditEvent;
import io.isle.api.observe.AuditTrail;
import io.isle.net.xdp.configure.Configuration;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/** Offers {@link NetConfigure}; each change is recorded with its actor and its outcome. */
@Component(service = NetConfigure.class)
public final class ConfigureComponent implements NetConfigure {
  private static final String FOLDER = "net-configure";

  private final AuditTrail trail = new AuditTrail(() -> this.audit, NetException::new);
  private final NetConfigure configuration;

  @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
  private volatile Audit audit;

  @Activate
  public ConfigureComponent(@Reference LabComponent labs, BundleContext context) {
    String data = context.getProperty("karaf.data");
    Path folder = data == null ? context.getDataFile(FOLDER).toPath() : Path.of(data, FOLDER);
    configuration = new Configuration(labs.spaces(), folder);
  }

  @Override
  public List<ConfiguredSetting> check(NetInterface target, Set<ConfigureStage> stages) {
    return configuration.check(target, stages);
  }

  @Override
  public List<ConfiguredSetting> init(
      NetInterface target, Set<ConfigureStage> stages, boolean dryRun) {
    return recorded("net.init", target, dryRun, () -> configuration.init(target, stages, dryRun));
  }

  @Override
  public List<ConfiguredSetting> fini(
      NetInterface target, Set<ConfigureStage> stages, boolean dryRun) {
    return recorded("net.fini", target, dryRun, () -> configuration.fini(target, stages, dryRun));
  }

  private List<ConfiguredSetting> recorded(
      String action, NetInterface target, boolean dryRun, Supplier<List<ConfiguredSetting>> work) {
    if (dryRun) {
      return work.get();
    }
    String place =
        target.netns().isEmpty() ? target.name() : target.name() + " in " + target.netns();
    return trail.recorded(AuditEvent.of(Actor.current(), action).object(place), work, any -> place);
  }
}
