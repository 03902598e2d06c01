package io.isle.core.devices;

import java.io.File;
import java.util.List;
import org.apache.felix.fileinstall.ArtifactInstaller;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/**
 * Lets FileInstall take up a settings file only between two changes of {@link ConfigFilesComponent}
 * and as the file is at that moment. FileInstall alone decides at its scan and acts later: a file
 * deleted meanwhile would be an error in the log, and a file created again meanwhile would lose its
 * configuration. Called on the thread that watches the folder.
 */
@Component(service = ArtifactInstaller.class, property = "service.ranking:Integer=1000")
public final class EtcInstaller implements ArtifactInstaller {
  private final ConfigFilesComponent files;

  @Reference(
      target = "(!(component.name=io.isle.core.devices.EtcInstaller))",
      policy = ReferencePolicy.DYNAMIC,
      cardinality = ReferenceCardinality.AT_LEAST_ONE)
  private volatile List<ArtifactInstaller> installers;

  @Activate
  public EtcInstaller(@Reference ConfigFilesComponent files) {
    this.files = files;
  }

  @Override
  public boolean canHandle(File file) {
    return file.getName().endsWith(".cfg")
        && files.isFolder(file.getAbsoluteFile().getParentFile().toPath())
        && installers.stream().anyMatch(one -> one.canHandle(file));
  }

  @Override
  public void install(File file) throws Exception {
    update(file);
  }

  @Override
  public void update(File file) throws Exception {
    files.between(() -> takeUp(file));
  }

  @Override
  public void uninstall(File file) throws Exception {
    files.between(
        () -> {
          if (file.isFile()) {
            takeUp(file);
          } else {
            installer(file).uninstall(file);
          }
        });
  }

  /** A file that is gone again is reported once more, as a deleted one. */
  private void takeUp(File file) throws Exception {
    if (file.isFile()) {
      installer(file).update(file);
    }
  }

  private ArtifactInstaller installer(File file) {
    return installers.stream()
        .filter(one -> one.canHandle(file))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    file + ": no service for settings files: FileInstall is stopped"));
  }

  /** For tests. */
  EtcInstaller with(ArtifactInstaller... all) {
    installers = List.of(all);
    return this;
  }
}
