package io.isle.net.xdp.lab;

import io.isle.api.base.Errno;
import io.isle.api.net.LabSide;
import io.isle.api.net.Labs;
import io.isle.api.net.NetException;
import io.isle.lib.ffi.NetNamespace;
import io.isle.lib.ffi.PosixException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** All labs of the platform. Thread-safe. */
public final class LabRegistry implements Labs, AutoCloseable {
  private static final Pattern NAME = Pattern.compile("[a-z0-9-]{1,32}");

  private final Map<String, Lab> labs = new TreeMap<>();

  @Override
  public synchronized List<LabSide> create(String name, int queues) {
    return create(name, queues, Lab::create);
  }

  @Override
  public synchronized List<LabSide> createWithHost(String name, int queues) {
    return create(name, queues, Lab::createWithHost);
  }

  private List<LabSide> create(String name, int queues, BiFunction<String, Integer, Lab> kind) {
    if (!NAME.matcher(name).matches()) {
      throw new NetException(
          Errno.EINVAL, "name '" + name + "' of a lab is not 1 to 32 characters a-z, 0-9 and -");
    }
    if (queues < 1 || queues > MOST_QUEUES) {
      throw new NetException(
          Errno.EINVAL, "queues: " + queues + " is not within 1 to " + MOST_QUEUES);
    }
    if (labs.containsKey(name)) {
      throw new NetException(Errno.EEXIST, "lab " + name + " exists already; see net:lab list");
    }
    if (labs.size() == MOST) {
      throw new NetException(
          Errno.ENOSPC, "no more than " + MOST + " labs; net:lab delete removes one");
    }
    Lab lab = allowed(() -> kind.apply(name, queues));
    labs.put(name, lab);
    return lab.sides();
  }

  @Override
  public synchronized List<LabSide> list() {
    List<LabSide> all = new ArrayList<>();
    labs.values().forEach(lab -> all.addAll(lab.sides()));
    return all;
  }

  @Override
  public synchronized void delete(String name) {
    Lab lab = labs.remove(name);
    if (lab == null) {
      throw unknown(name);
    }
    lab.close();
  }

  /**
   * Opens the namespace of the side of a lab that has an interface; the caller closes the
   * namespace.
   *
   * @throws NetException ENOENT without the lab; ENODEV if neither side has the interface
   */
  public synchronized NetNamespace open(String name, String interfaceName) {
    Lab lab = labs.get(name);
    if (lab == null) {
      throw unknown(name);
    }
    NetNamespace space =
        lab.space(interfaceName)
            .orElseThrow(
                () ->
                    new NetException(
                        Errno.ENODEV,
                        "no interface '"
                            + interfaceName
                            + "' in lab "
                            + name
                            + "; see net:lab list"));
    return NetNamespace.ofPath(Path.of("/proc/self/fd/" + space.descriptor()));
  }

  private static NetException unknown(String name) {
    return new NetException(Errno.ENOENT, "no lab '" + name + "'; see net:lab list");
  }

  /** Tells a missing right as such. */
  private static Lab allowed(Supplier<Lab> action) {
    try {
      return action.get();
    } catch (PosixException e) {
      if (e.code() == Errno.EPERM) {
        throw new NetException(
            Errno.EPERM,
            "a lab needs root (CAP_SYS_ADMIN and CAP_NET_ADMIN) for its network namespaces: "
                + e.getMessage(),
            e);
      }
      throw new NetException(e.code(), e.getMessage(), e);
    }
  }

  /** Ends all labs; throws the first failure when all have ended. */
  @Override
  public synchronized void close() {
    RuntimeException first = null;
    for (Lab lab : labs.values()) {
      try {
        lab.close();
      } catch (RuntimeException e) {
        first = first == null ? e : first;
      }
    }
    labs.clear();
    if (first != null) {
      throw first;
    }
  }
}
