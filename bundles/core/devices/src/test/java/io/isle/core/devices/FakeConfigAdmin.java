package io.isle.core.devices;

import java.io.IOException;
import java.util.Collections;
import java.util.Dictionary;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.osgi.framework.ServiceReference;
import org.osgi.service.cm.Configuration;
import org.osgi.service.cm.ConfigurationAdmin;

/** Config Admin in memory, with as much filtering as the code under test asks for. */
final class FakeConfigAdmin implements ConfigurationAdmin {
  final Map<String, FakeConfiguration> all = new LinkedHashMap<>();
  int updates;

  /** What changes and deletions end with, instead; null for none. */
  Exception failure;

  /** PIDs that somebody deletes between their listing and their use. */
  final Set<String> raced = new HashSet<>();

  /** How often somebody else deletes a configuration right before its update. */
  int deletedBeforeUpdate;

  /** Whether somebody else deletes a configuration right before each deletion. */
  boolean deletedFirst;

  private void fail() throws IOException {
    switch (failure) {
      case null -> {}
      case IOException e -> throw e;
      case RuntimeException e -> throw e;
      case Exception e -> throw new AssertionError(e);
    }
  }

  @Override
  public Configuration createFactoryConfiguration(String factoryPid) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Configuration createFactoryConfiguration(String factoryPid, String location) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Configuration getConfiguration(String pid, String location) {
    return all.computeIfAbsent(pid, made -> new FakeConfiguration(made, null));
  }

  @Override
  public Configuration getConfiguration(String pid) {
    return getConfiguration(pid, null);
  }

  @Override
  public Configuration getFactoryConfiguration(String factoryPid, String name, String location) {
    return all.computeIfAbsent(
        factoryPid + "~" + name, made -> new FakeConfiguration(made, factoryPid));
  }

  @Override
  public Configuration getFactoryConfiguration(String factoryPid, String name) {
    return getFactoryConfiguration(factoryPid, name, null);
  }

  @Override
  public Configuration[] listConfigurations(String filter) {
    Configuration[] found =
        all.values().stream()
            .filter(c -> c.properties != null)
            .filter(c -> filter == null || filter.contains("=" + c.factoryPid + ")"))
            .toArray(Configuration[]::new);
    return found.length == 0 ? null : found;
  }

  final class FakeConfiguration implements Configuration {
    private final String pid;
    private final String factoryPid;
    private Dictionary<String, Object> properties;

    FakeConfiguration(String pid, String factoryPid) {
      this.pid = pid;
      this.factoryPid = factoryPid;
    }

    @Override
    public String getPid() {
      if (raced.contains(pid)) {
        throw new IllegalStateException("deleted");
      }
      return pid;
    }

    @Override
    public Dictionary<String, Object> getProperties() {
      if (raced.contains(pid)) {
        throw new IllegalStateException("deleted");
      }
      if (properties == null) {
        return null;
      }
      Hashtable<String, Object> copy = new Hashtable<>();
      Collections.list(properties.keys()).forEach(key -> copy.put(key, properties.get(key)));
      copy.put("service.pid", pid);
      return copy;
    }

    @Override
    public Dictionary<String, Object> getProcessedProperties(ServiceReference<?> reference) {
      return getProperties();
    }

    @Override
    public void update(Dictionary<String, ?> with) throws IOException {
      fail();
      if (deletedBeforeUpdate > 0) {
        deletedBeforeUpdate--;
        all.remove(pid);
        throw new IllegalStateException("deleted");
      }
      Hashtable<String, Object> copy = new Hashtable<>();
      Collections.list(with.keys()).forEach(key -> copy.put(key, with.get(key)));
      properties = copy;
      updates++;
    }

    @Override
    public void delete() throws IOException {
      fail();
      boolean there = all.remove(pid) != null;
      if (deletedFirst && there) {
        throw new IllegalStateException("deleted");
      }
    }

    @Override
    public String getFactoryPid() {
      return factoryPid;
    }

    @Override
    public void update() {}

    @Override
    public boolean updateIfDifferent(Dictionary<String, ?> with) throws IOException {
      update(with);
      return true;
    }

    @Override
    public void setBundleLocation(String location) {}

    @Override
    public String getBundleLocation() {
      return "?";
    }

    @Override
    public long getChangeCount() {
      return updates;
    }

    @Override
    public void addAttributes(ConfigurationAttribute... attributes) {}

    @Override
    public Set<ConfigurationAttribute> getAttributes() {
      return Set.of();
    }

    @Override
    public void removeAttributes(ConfigurationAttribute... attributes) {}
  }
}
