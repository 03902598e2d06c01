package io.isle.api.net;

import io.isle.api.base.Setting;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
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

  /** Whether tasks of this kind only send, so that an app of the kind needs no ports. */
  default boolean isSource() {
    return false;
  }

  /**
   * The address of a host that does not exist, to which a task of these settings sends. As long as
   * the task is there, the net routes the address to its interface, to the hardware address 0.
   *
   * @param settings as those of {@link #open}
   * @throws NetException EINVAL with the key and its limit
   */
  default OptionalInt fakeHost(Map<String, String> settings) {
    return OptionalInt.empty();
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
