package io.isle.api.net;

import io.isle.api.base.Setting;
import java.util.List;
import java.util.Map;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * A kind of app, which takes frames of nets and may send frames. A service with the property {@link
 * #KIND_PROPERTY}; thread-safe.
 */
@ConsumerType
public interface NetApp {
  /** Name of the service property with the kind, such as {@code echo}. */
  String KIND_PROPERTY = "io.isle.netapp.kind";

  /** Keys that the kind adds to those of every app. */
  List<Setting> settings();

  /**
   * Whether tasks of this kind read the tap of a net, which shows the frames of all apps in both
   * directions, instead of the frames for ports of their own.
   */
  default boolean isTap() {
    return false;
  }

  /**
   * Begins a task on one port.
   *
   * @param port stays the caller's, who closes the port behind the task
   * @param settings values by key; a key without a value has the default
   * @throws NetException EINVAL with the key and its limit; EIO and others where the kind needs
   *     more than the port, such as a file
   */
  NetAppTask open(FramePort port, Map<String, String> settings);
}
