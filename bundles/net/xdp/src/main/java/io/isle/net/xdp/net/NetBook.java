package io.isle.net.xdp.net;

import io.isle.api.base.ConfigFiles;
import io.isle.api.net.NetAdmin;
import io.isle.api.net.NetException;
import io.isle.net.xdp.settings.AppSettings;
import io.isle.net.xdp.settings.NetSettings;
import java.util.Map;

/**
 * The settings of nets and apps, each checked against the other; all follow a change at once.
 * Belongs to {@link NetThread}.
 */
final class NetBook {
  private static final System.Logger LOG = System.getLogger(NetBook.class.getName());

  /** All nets have as many at most. */
  private static final int APPS = NetAdmin.NETS * NetAdmin.APPS;

  private final NetSet nets;
  private final AppSet apps;
  private final Files netFiles;
  private final AppBook appBook;

  /**
   * @param apps checks the keys of kinds, too
   */
  NetBook(ConfigFiles configs, NetSet nets, AppSet apps) {
    this.nets = nets;
    this.apps = apps;
    netFiles = new Files(configs, NetSettings.FACTORY_PID, "net", "net:list", this::checkNet);
    appBook =
        new AppBook(new Files(configs, AppSettings.FACTORY_PID, "app", "net:apps", this::checkApp));
  }

  private void checkNet(String name, Map<String, String> given) {
    PlacementRule.check(name, NetSettings.of(given), appBook.all());
  }

  private void checkApp(String name, Map<String, String> given) {
    PlacementRule.check(apps.checked(given), netFiles.all());
  }

  /** Nets and apps take up all settings; what cannot be read changes nothing. */
  void refresh() {
    Map<String, Map<String, String>> now;
    Map<String, Map<String, String>> wanted;
    try {
      now = netFiles.all();
      wanted = appBook.all();
    } catch (RuntimeException e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "the settings of nets cannot be read; the last good settings stay in force",
          e);
      return;
    }
    nets.follow(now);
    apps.follow(wanted);
  }

  boolean has(String net) {
    return netFiles.all().containsKey(net);
  }

  /** There is no such net. */
  NetException missing(String net) {
    return netFiles.missing(net);
  }

  void create(String net, Map<String, String> given) {
    netFiles.create(net, given, NetAdmin.NETS);
    refresh();
  }

  void set(String net, Map<String, String> changes) {
    netFiles.set(net, changes);
    refresh();
  }

  boolean remove(String net) {
    boolean deleted = netFiles.remove(net);
    refresh();
    return deleted;
  }

  boolean hasApp(String app) {
    return appBook.all().containsKey(app);
  }

  void createApp(String app, Map<String, String> given) {
    appBook.create(app, given, APPS);
    refresh();
  }

  /** An app that ends with the platform. */
  void startApp(String app, Map<String, String> given) {
    appBook.start(app, given, APPS);
    refresh();
  }

  void setApp(String app, Map<String, String> changes) {
    appBook.set(app, changes);
    refresh();
  }

  boolean removeApp(String app) {
    boolean deleted = appBook.remove(app);
    refresh();
    return deleted;
  }
}
