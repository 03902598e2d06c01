package io.isle.itests.inside;

import java.io.InputStream;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.ops4j.pax.exam.TestAddress;
import org.ops4j.pax.exam.TestContainer;
import org.ops4j.pax.exam.TestProbeBuilder;
import org.ops4j.pax.exam.spi.StagedExamReactor;
import org.ops4j.pax.exam.spi.StagedExamReactorFactory;
import org.ops4j.pax.exam.spi.reactors.PerClass;

/**
 * One container for all classes of a JVM, started before the first one, stopped when the JVM ends.
 * Only the bundle with the tests goes with its class; whatever else a class leaves, {@link
 * Inside#isAsItWas} finds. All classes have {@link Container#options}.
 */
public final class PerJvm implements StagedExamReactorFactory {
  private static TestContainer started;

  @Override
  public StagedExamReactor create(List<TestContainer> containers, List<TestProbeBuilder> probes) {
    return new PerClass().create(List.of(new Lasting(containers.getFirst())), probes);
  }

  private static boolean isJava(ProcessHandle process) {
    return process.info().command().orElse("").endsWith("/java");
  }

  /** Without a word to Pax Exam, which would uninstall bundles that have gone with their class. */
  private static void end(ProcessHandle process) {
    process.destroy();
    process.onExit().completeOnTimeout(process, 10, TimeUnit.SECONDS).join().destroyForcibly();
  }

  private record Lasting(TestContainer mine) implements TestContainer {
    @Override
    public TestContainer start() {
      synchronized (PerJvm.class) {
        if (started == null) {
          started = mine.start();
          List<ProcessHandle> its =
              ProcessHandle.current().children().filter(PerJvm::isJava).toList();
          Runtime.getRuntime().addShutdownHook(new Thread(() -> its.forEach(PerJvm::end)));
        }
      }
      return this;
    }

    @Override
    public TestContainer stop() {
      started.uninstallProbe();
      return this;
    }

    @Override
    public long install(InputStream bundle) {
      return started.install(bundle);
    }

    @Override
    public long install(String location, InputStream bundle) {
      return started.install(location, bundle);
    }

    @Override
    public long installProbe(InputStream bundle) {
      return started.installProbe(bundle);
    }

    @Override
    public void uninstallProbe() {
      started.uninstallProbe();
    }

    @Override
    public void call(TestAddress address) {
      started.call(address);
    }
  }
}
