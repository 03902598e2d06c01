package io.isle.faces.deploy;

import io.isle.api.base.Errno;
import io.isle.api.observe.Actor;
import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditEvent;
import java.io.File;
import org.apache.felix.fileinstall.ArtifactInstaller;
import org.apache.felix.fileinstall.ArtifactListener;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the files in {@code deploy/} that can be nothing, before anybody else is asked, and says in
 * the log and in the audit book what each lacks. Called on the thread that watches the folder.
 */
@Component(
    service = {ArtifactListener.class, ArtifactInstaller.class},
    property = "service.ranking:Integer=1000")
public final class DeployCheck implements ArtifactInstaller {
  static final String ACTION = "deploy.refuse";
  private static final Logger LOG = LoggerFactory.getLogger(DeployCheck.class);

  @Reference(policy = ReferencePolicy.DYNAMIC, cardinality = ReferenceCardinality.OPTIONAL)
  private volatile Audit audit;

  @Activate
  public DeployCheck() {}

  @Override
  public boolean canHandle(File file) {
    return JarCheck.missing(file).isPresent();
  }

  @Override
  public void install(File file) {
    JarCheck.missing(file).ifPresent(why -> refuse(file.getName(), why));
  }

  @Override
  public void update(File file) {
    install(file);
  }

  @Override
  public void uninstall(File file) {
    // nothing came of it
  }

  private void refuse(String name, String why) {
    LOG.warn("deploy/{} is not installed: {}", name, why);
    Audit book = audit;
    if (book != null) {
      book.record(
          AuditEvent.of(Actor.PLATFORM, ACTION).object("deploy/" + name).failed(Errno.EINVAL, why));
    }
  }

  /** For tests. */
  DeployCheck with(Audit book) {
    audit = book;
    return this;
  }
}
