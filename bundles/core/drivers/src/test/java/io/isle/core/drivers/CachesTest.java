package io.isle.core.drivers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.osgi.framework.BundleContext;

class CachesTest {
  @Test
  void whatDriversBuildOutlivesAnInstanceThatGoes() {
    Map<String, String> properties = Map.of("isle.caches", "/shared", "karaf.data", "/instance");
    assertEquals(Path.of("/shared"), DriversComponent.caches(with(properties)));
  }

  @Test
  void itOutlivesTheBundlesOfAnInstallation() {
    Map<String, String> properties = Map.of("karaf.data", "/instance");
    assertEquals(Path.of("/instance/caches"), DriversComponent.caches(with(properties)));
    assertEquals(Path.of("/bundle/caches"), DriversComponent.caches(with(Map.of())));
  }

  private static BundleContext with(Map<String, String> properties) {
    return (BundleContext)
        Proxy.newProxyInstance(
            CachesTest.class.getClassLoader(),
            new Class<?>[] {BundleContext.class},
            (proxy, method, arguments) ->
                method.getName().equals("getDataFile")
                    ? new File("/bundle", (String) arguments[0])
                    : properties.get((String) arguments[0]));
  }
}
