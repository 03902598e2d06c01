package io.isle.net.xdp.net;

import io.isle.api.base.ConfigFiles;
import io.isle.api.net.NetApp;
import io.isle.api.net.NetConfigure;
import io.isle.api.net.NetException;
import io.isle.api.net.tile.Tiles;
import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditTrail;
import io.isle.api.observe.Metric;
import io.isle.api.observe.MetricSource;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.RevocationListener;
import io.isle.lib.agent.AgentHost;
import io.isle.net.xdp.LabComponent;
import io.isle.net.xdp.host.BundleVersions;
import io.isle.net.xdp.host.TileHosts;
import io.isle.net.xdp.settings.AppSettings;
import io.isle.net.xdp.settings.NetSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.osgi.framework.BundleContext;
import org.osgi.service.cm.ConfigurationEvent;
import org.osgi.service.cm.ConfigurationListener;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/** Brings settings, tiles and apps to the nets, which {@link AuditedNets} offers. */
@Component(
    immediate = true,
    service = {
      NetComponent.class,
      ConfigurationListener.class,
      RevocationListener.class,
      MetricSource.class
    })
public final class NetComponent implements ConfigurationListener, RevocationListener, MetricSource {
  private static final String DRIVERS_PID = "io.isle.drivers";
  private static final String NATIVE_DIR = "native_dir";
  private static final String NATIVE_DEFAULT = "lib/isle/bin";

  private final NetCore core;

  @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
  private volatile Audit audit;

  @Activate
  public NetComponent(
      @Reference ConfigFiles files,
      @Reference AgentHost host,
      @Reference LabComponent labs,
      @Reference NetConfigure configure,
      BundleContext context) {
    String base = context.getProperty("karaf.base");
    Path folder = base == null ? context.getDataFile("").toPath() : Path.of(base);
    core =
        new NetCore(
            files,
            host,
            labs.spaces(),
            folder,
            new AuditTrail(() -> this.audit, NetException::new),
            new HostFile(data(context, "net-hosts")),
            new TileHosts(
                () -> nativeFolder(files),
                new BundleVersions(
                    context.getBundle(), context.getDataFile("processes").toPath())));
    core.add(configure);
    core.filesChanged();
  }

  /** Where driver-host is, too. */
  private static Path nativeFolder(ConfigFiles files) {
    String folder =
        files.read(DRIVERS_PID).map(settings -> settings.get(NATIVE_DIR)).orElse(NATIVE_DEFAULT);
    return Path.of(System.getProperty("karaf.home", "")).resolve(folder);
  }

  private static Path data(BundleContext context, String file) {
    String data = context.getProperty("karaf.data");
    return data == null ? context.getDataFile(file).toPath() : Path.of(data, file);
  }

  NetCore core() {
    return core;
  }

  /** The audit log, or null. */
  Audit audit() {
    return audit;
  }

  @Override
  public List<Metric> metrics() {
    return core.metrics();
  }

  @Override
  public void revoked(List<Capability> capabilities) {
    core.revoked(capabilities);
  }

  @Deactivate
  void deactivate() {
    core.close();
  }

  @Reference(
      cardinality = ReferenceCardinality.OPTIONAL,
      policy = ReferencePolicy.DYNAMIC,
      policyOption = ReferencePolicyOption.GREEDY,
      unbind = "removeTiles")
  void addTiles(Tiles tiles) {
    core.add(tiles);
  }

  void removeTiles(Tiles tiles) {
    core.remove(tiles);
  }

  @Reference(
      cardinality = ReferenceCardinality.MULTIPLE,
      policy = ReferencePolicy.DYNAMIC,
      unbind = "removeApp")
  void addApp(NetApp app, Map<String, Object> properties) {
    core.add(String.valueOf(properties.get(NetApp.KIND_PROPERTY)), app);
  }

  void removeApp(NetApp app, Map<String, Object> properties) {
    core.remove(String.valueOf(properties.get(NetApp.KIND_PROPERTY)), app);
  }

  @Override
  public void configurationEvent(ConfigurationEvent event) {
    String factory = event.getFactoryPid();
    if (NetSettings.FACTORY_PID.equals(factory) || AppSettings.FACTORY_PID.equals(factory)) {
      core.filesChanged();
    }
  }
}
