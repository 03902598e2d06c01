package io.isle.api.net;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Labs: network namespaces, connected by pairs of interfaces, to try nets without touching the
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

  /**
   * Makes a lab for a program that takes some frames and leaves the others to the kernel: side a
   * with {@code va}, 198.18.0.1/24; side b with {@code vb} and side near with {@code ha}, which
   * have no address and one namespace; side host with {@code hb}, 198.18.0.2/24. {@code va} and
   * {@code vb} are a pair, {@code ha} and {@code hb} are one. Sides a and host know each other's
   * hardware address for good, but no frame of theirs crosses the middle by itself.
   *
   * @param name 1 to 32 characters a-z, 0-9 and -
   * @param queues of each direction of all interfaces, 1 to {@link #MOST_QUEUES}
   * @return sides a, b, near and host
   * @throws NetException as {@link #create}
   */
  List<LabSide> createWithHost(String name, int queues);

  /** All sides of all labs, by name. */
  List<LabSide> list();

  /**
   * Ends a lab: removes the interfaces. The namespaces end with the last process that has entered
   * one.
   *
   * @throws NetException ENOENT without such a lab
   */
  void delete(String name);
}
