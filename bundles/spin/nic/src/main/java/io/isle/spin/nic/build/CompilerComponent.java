package io.isle.spin.nic.build;

import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditTrail;
import io.isle.api.spin.BuildSpec;
import io.isle.api.spin.HandlerBuild;
import io.isle.api.spin.HandlerBuilds;
import io.isle.api.spin.SpinException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/** Builds handlers with the compiler of the installation. */
@Component(service = HandlerBuilds.class)
public final class CompilerComponent implements HandlerBuilds {
  private static final String SCRIPT = "lib/isle/bin/spin-cc";
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final HandlerBuilds builds;

  @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
  private volatile Audit audit;

  @Activate
  public CompilerComponent(BundleContext context) {
    String home = context.getProperty("karaf.home");
    Path script = Path.of(home == null ? "" : home).resolve(SCRIPT).toAbsolutePath();
    Path folder = context.getDataFile("handlers").toPath().toAbsolutePath();
    builds =
        new AuditedBuilds(
            new SpinCompiler(() -> script, folder, LIMIT, InstantSource.system()),
            new AuditTrail(() -> audit, SpinException::new));
  }

  @Override
  public HandlerBuild build(String name, BuildSpec spec) throws InterruptedException {
    return builds.build(name, spec);
  }
}
