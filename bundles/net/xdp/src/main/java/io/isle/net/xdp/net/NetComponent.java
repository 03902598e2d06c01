package io.isle.net.xdp.net;

import io.isle.api.base.ConfigFiles;
import io.isle.api.net.AppInfo;
import io.isle.api.net.NetAdmin;
import io.isle.api.net.NetApp;
import io.isle.api.net.NetCounter;
import io.isle.api.net.NetException;
import io.isle.api.net.NetFinding;
import io.isle.api.net.NetInfo;
import io.isle.api.net.NetRoute;
import io.isle.api.net.tile.Tiles;
import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditTrail;
import io.isle.lib.agent.AgentHost;
import io.isle.net.xdp.LabComponent;
import io.isle.net.xdp.host.BundleVersions;
import io.isle.net.xdp.host.TileHosts;
import io.isle.net.xdp.settings.AppSettings;
import io.isle.net.xdp.settings.NetSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

/** Offers {@link NetAdmin}, and brings settings, tiles and apps to the nets. */
@Component(
    immediate = true,
    service = {NetAdmin.class, NetComponent.class, ConfigurationListener.class})
public final class NetComponent implements NetAdmin, ConfigurationListener {
  private static final String DRIVERS_PID = "io.isle.drivers";
  private static final String NATIVE_DIR = "native_dir";
  private static final String NATIVE_DEFAULT = "lib/isle/bin";

  private final NetCore core;
  private final NetAdmin audited;

  @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
  private volatile Audit audit;

  @Activate
  public NetComponent(
      @Reference ConfigFiles files,
      @Reference AgentHost host,
      @Reference LabComponent labs,
      BundleContext context) {
    String base = context.getProperty("karaf.base");
    Path folder = base == null ? context.getDataFile("").toPath() : Path.of(base);
    core =
        new NetCore(
            files,
            host,
            labs.spaces(),
            new TileHosts(
                () -> nativeFolder(files),
                new BundleVersions(
                    context.getBundle(), context.getDataFile("processes").toPath())),
            folder,
            new AuditTrail(() -> this.audit, NetException::new));
    audited = new AuditedNets(core, () -> this.audit);
    core.filesChanged();
  }

  /** Where driver-host is, too. */
  private static Path nativeFolder(ConfigFiles files) {
    String folder =
        files.read(DRIVERS_PID).map(settings -> settings.get(NATIVE_DIR)).orElse(NATIVE_DEFAULT);
    return Path.of(System.getProperty("karaf.home", "")).resolve(folder);
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

  @Override
  public List<NetInfo> nets() {
    return audited.nets();
  }

  @Override
  public Optional<NetInfo> find(String net) {
    return audited.find(net);
  }

  @Override
  public List<String> keys() {
    return audited.keys();
  }

  @Override
  public void create(String net, Map<String, String> settings) {
    audited.create(net, settings);
  }

  @Override
  public void set(String net, Map<String, String> changes) {
    audited.set(net, changes);
  }

  @Override
  public boolean remove(String net) {
    return audited.remove(net);
  }

  @Override
  public void reload(String net) {
    audited.reload(net);
  }

  @Override
  public List<NetCounter> counters(String net) {
    return audited.counters(net);
  }

  @Override
  public List<NetRoute> routes(String net) {
    return audited.routes(net);
  }

  @Override
  public List<NetFinding> explain(String net) {
    return audited.explain(net);
  }

  @Override
  public List<AppInfo> apps() {
    return audited.apps();
  }

  @Override
  public List<String> appKeys() {
    return audited.appKeys();
  }

  @Override
  public void createApp(String app, Map<String, String> settings) {
    audited.createApp(app, settings);
  }

  @Override
  public void setApp(String app, Map<String, String> changes) {
    audited.setApp(app, changes);
  }

  @Override
  public boolean removeApp(String app) {
    return audited.removeApp(app);
  }
}
