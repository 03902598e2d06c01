package io.isle.api.net;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Labs: two network namespaces, connected by a pair of interfaces, to try nets without touching the
 * machine's own network. Descriptors of the platform's process alone hold a lab: with the process,
 * however it ends, the lab ends, and the files of the machine know nothing of it. Thread-safe.
 */
@ProviderType
public interface Labs {
  /** Most labs at a time. */
  int MOST = 16;

  /** Most queues of an interface. */
  int MOST_QUEUES = 16;

  /**
   * Makes a lab: side a with {@code va}, 198.18.0.1/24, and side b with {@code vb}, 198.18.0.2/24,
   * which know each other's hardware address for good.
   *
   * @param name 1 to 32 characters a-z, 0-9 and -
   * @param queues of each direction of both interfaces, 1 to {@link #MOST_QUEUES}
   * @return sides a and b
   * @throws NetException EINVAL; EEXIST; ENOSPC beyond {@link #MOST}; EPERM without root
   */
  List<LabSide> create(String name, int queues);

  /** Both sides of all labs, by name. */
  List<LabSide> list();

  /**
   * Ends a lab: removes the interfaces. The namespaces end with the last process that has entered
   * one.
   *
   * @throws NetException ENOENT without such a lab
   */
  void delete(String name);
}
