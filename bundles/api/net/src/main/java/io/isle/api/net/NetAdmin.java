package io.isle.api.net;

import io.isle.api.base.Setting;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/** The administrator's view of nets and apps. Changes are audited. Thread-safe. */
@ProviderType
public interface NetAdmin {
  /** Most nets. */
  int NETS = 16;

  /** Most tiles of a net. */
  int TILES = 16;

  /** Most apps of a net. */
  int APPS = 8;

  /** All nets by name. */
  List<NetInfo> nets();

  /** The net of this name, if any. */
  Optional<NetInfo> find(String net);

  /** Keys of the settings of a net. */
  List<String> keys();

  /**
   * Makes a net: writes its settings file. A net whose interface cannot be used is made, too, and
   * tells the reason.
   *
   * @param settings keys of {@code io.isle.net-NAME.cfg}
   * @throws NetException EINVAL with key and limit; EEXIST; ENOSPC beyond {@link #NETS}
   */
  void create(String net, Map<String, String> settings);

  /**
   * Changes settings of a net; a null value removes a key. Address, flush time, checksums and
   * processors change while frames travel; others open the net anew.
   *
   * @throws NetException EINVAL with key and limit; ENOENT
   */
  void set(String net, Map<String, String> changes);

  /** Removes a net with its file; false without one. */
  boolean remove(String net);

  /**
   * Ends the tiles of a net and opens them anew on the same memory: no frame is lost. A capture
   * file in place of an interface is read again if it has ended.
   *
   * @throws NetException ENOENT; EIO if the file cannot be read
   */
  void reload(String net);

  /**
   * Counters of all tiles of a net.
   *
   * @throws NetException ENOENT
   */
  List<NetCounter> counters(String net);

  /**
   * Routes that the tiles of a net use, in the order of look-ups.
   *
   * @throws NetException ENOENT
   */
  List<NetRoute> routes(String net);

  /**
   * Looks for reasons why frames do not arrive or leave.
   *
   * @throws NetException ENOENT
   */
  List<NetFinding> explain(String net);

  /** All apps by name. */
  List<AppInfo> apps();

  /** Keys of the settings of every app; kinds add their own. */
  List<String> appKeys();

  /** The kinds of apps that bundles offer, with the keys that each adds to those of every app. */
  Map<String, List<Setting>> kinds();

  /**
   * Makes an app: writes its settings file.
   *
   * @param settings keys of {@code io.isle.netapp-NAME.cfg}
   * @throws NetException EINVAL with key and limit; EEXIST
   */
  void createApp(String app, Map<String, String> settings);

  /**
   * Makes an app without a settings file: the app ends by {@link #removeApp}, or with the platform.
   *
   * @param settings as those of {@link #createApp}
   * @throws NetException EINVAL with key and limit; EEXIST
   */
  void startApp(String app, Map<String, String> settings);

  /**
   * Changes settings of an app; a null value removes a key.
   *
   * @throws NetException EINVAL with key and limit; ENOENT; EBUSY for an app without a file
   */
  void setApp(String app, Map<String, String> changes);

  /** Removes an app with its file; false without one. */
  boolean removeApp(String app);
}
