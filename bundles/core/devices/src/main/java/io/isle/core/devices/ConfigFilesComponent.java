package io.isle.core.devices;

import io.isle.api.base.ConfigFiles;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.osgi.framework.BundleContext;
import org.osgi.service.cm.ConfigurationAdmin;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Offers {@link ConfigFiles} on the container's configuration folder. */
@Component(service = {ConfigFiles.class, ConfigFilesComponent.class})
public final class ConfigFilesComponent implements ConfigFiles {
  private final EtcConfigFiles files;

  @Activate
  public ConfigFilesComponent(BundleContext context, @Reference ConfigurationAdmin admin) {
    String etc = context.getProperty("karaf.etc");
    if (etc == null) {
      throw new IllegalStateException(
          "the property karaf.etc is not set, which names the folder of settings files");
    }
    files = new EtcConfigFiles(Path.of(etc), admin);
  }

  /** Whether files of this folder belong to this service. */
  boolean isFolder(Path folder) {
    return files.isFolder(folder);
  }

  /** Runs work while no change is under way. */
  void between(EtcConfigFiles.Work work) throws Exception {
    files.between(work);
  }

  @Override
  public Optional<Map<String, String>> read(String pid) {
    return files.read(pid);
  }

  @Override
  public void set(String pid, Map<String, String> changes) {
    files.set(pid, changes);
  }

  @Override
  public Map<String, Map<String, String>> instances(String factoryPid) {
    return files.instances(factoryPid);
  }

  @Override
  public boolean delete(String pid) {
    return files.delete(pid);
  }
}
