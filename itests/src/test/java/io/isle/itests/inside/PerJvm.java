package io.isle.itests.inside;

import java.io.InputStream;
import java.util.List;
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

  private record Lasting(TestContainer mine) implements TestContainer {
    @Override
    public TestContainer start() {
      synchronized (PerJvm.class) {
        if (started == null) {
          started = mine.start();
          Runtime.getRuntime().addShutdownHook(new Thread(started::stop));
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
