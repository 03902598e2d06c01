package io.isle.spin.nic.build;

import io.isle.api.spin.BuildSpec;
import io.isle.api.spin.HandlerBuild;
import io.isle.api.spin.HandlerBuilds;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;

/** Builds handlers with the compiler of the installation. */
@Component(service = HandlerBuilds.class)
public final class CompilerComponent implements HandlerBuilds {
  private static final String SCRIPT = "lib/isle/bin/spin-cc";
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final SpinCompiler compiler;

  @Activate
  public CompilerComponent(BundleContext context) {
    String home = context.getProperty("karaf.home");
    Path script = Path.of(home == null ? "" : home).resolve(SCRIPT).toAbsolutePath();
    Path folder = context.getDataFile("handlers").toPath().toAbsolutePath();
    compiler = new SpinCompiler(() -> script, folder, LIMIT, InstantSource.system());
  }

  @Override
  public HandlerBuild build(String name, BuildSpec spec) throws InterruptedException {
    return compiler.build(name, spec);
  }
}
