package io.isle.api.spin;

import java.util.List;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/**
 * All execution contexts of the node, and interfaces for a while, for administrators. Changes are
 * audited. Thread-safe.
 */
@ProviderType
public interface NicAdmin {
  /** Contexts that are attached, and those of {@code io.isle.spin-NAME.cfg}, by name. */
  List<ContextInfo> contexts();

  /** A context that is attached. */
  Optional<ExecutionContext> find(String name);

  /**
   * Attaches a configured context, or one that is lost.
   *
   * @throws SpinException ENOENT for a name that is neither; EEXIST if it is attached; and as
   *     {@link Nic#attach}
   */
  void attach(String name);

  /**
   * Detaches a context; a configured one stays detached until {@link #attach} or a change of its
   * settings.
   *
   * @throws SpinException ENOENT
   */
  void detach(String name);

  /**
   * Replaces the handlers of a context; see {@link ExecutionContext#swap}.
   *
   * @throws SpinException ENOENT for an unknown context; and as {@link Nic#attach}
   */
  void swap(String name, HandlerSource handlers);

  /**
   * Makes an interface without settings, which ends with {@link TemporaryNic#close}, and with the
   * bundle of the caller. A port that cannot be opened is tried again each second; see {@link
   * NicInfo#error}.
   *
   * @throws SpinException EEXIST for a name in use; EINVAL with the key and its limit
   */
  TemporaryNic make(NicSpec spec);
}
