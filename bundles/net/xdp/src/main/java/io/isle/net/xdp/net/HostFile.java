package io.isle.net.xdp.net;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.lib.ffi.NetNamespace;
import io.isle.lib.ffi.PosixException;
import io.isle.lib.packet.Ipv4;
import io.isle.net.xdp.lab.NetSpaces;
import io.isle.net.xdp.netlink.Rtnetlink;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Which hosts that do not exist are in tables of the kernel, in a file that outlives the platform:
 * a platform that was killed leaves them behind, and the next one removes them. One thread.
 */
final class HostFile {
  private static final System.Logger LOG = System.getLogger(HostFile.class.getName());
  private static final String LAB = "lab:";
  private static final int FIELDS = 3;

  private final Path file;
  private final Set<Host> hosts = new LinkedHashSet<>();

  /**
   * Place of a host.
   *
   * @param netns as in the settings of a net
   */
  record Host(String netns, String interfaceName, int address) {
    /** The namespace comes last, as paths may have spaces. */
    String line() {
      return interfaceName + " " + Ipv4.text(address) + " " + netns;
    }

    static Host read(String line) {
      String[] fields = line.split(" ", FIELDS);
      if (fields.length != FIELDS) {
        throw new IllegalArgumentException(
            "'" + line + "' has no interface, address and namespace");
      }
      return new Host(fields[2], fields[0], Ipv4.parse(fields[1]));
    }
  }

  HostFile(Path file) {
    this.file = file;
  }

  /** Removes what a killed platform has left behind; what cannot be removed now stays noted. */
  void clean(NetSpaces spaces) {
    for (Host host : left()) {
      try {
        remove(spaces, host);
      } catch (NetException | PosixException e) {
        if (e.code() != Errno.ENOENT && e.code() != Errno.ENODEV) {
          hosts.add(host);
          LOG.log(
              System.Logger.Level.WARNING,
              "the route to {0} on {1} is left behind: {2}",
              Ipv4.text(host.address()),
              host.interfaceName(),
              e.getMessage());
        }
      }
    }
    try {
      write();
    } catch (NetException e) {
      LOG.log(System.Logger.Level.WARNING, e.getMessage(), e);
    }
  }

  private List<Host> left() {
    try {
      return Files.exists(file)
          ? Files.readAllLines(file).stream().map(Host::read).toList()
          : List.of();
    } catch (IOException | UncheckedIOException | IllegalArgumentException e) {
      LOG.log(System.Logger.Level.WARNING, file + " cannot be read, and is replaced", e);
      return List.of();
    }
  }

  private static void remove(NetSpaces spaces, Host host) {
    try (NetNamespace space = spaces.open(host.netns(), host.interfaceName());
        Rtnetlink kernel = Rtnetlink.in(space)) {
      new FakeHost(kernel, kernel.link(host.interfaceName()).index(), host.address()).remove();
    }
  }

  /**
   * Notes a host that is about to be added; a lab ends with the platform and needs no note.
   *
   * @throws NetException EIO
   */
  void add(Host host) {
    if (!host.netns().startsWith(LAB) && hosts.add(host)) {
      write();
    }
  }

  /** Forgets a host that was removed. */
  void remove(Host host) {
    if (hosts.remove(host)) {
      write();
    }
  }

  private void write() {
    try {
      if (hosts.isEmpty()) {
        boolean ignored = Files.deleteIfExists(file);
        return;
      }
      Files.createDirectories(file.toAbsolutePath().getParent());
      Path beside = file.resolveSibling(file.getFileName() + ".new");
      Path written = Files.write(beside, hosts.stream().map(Host::line).toList());
      Path ignored = Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new NetException(Errno.EIO, "note of routes, " + file + ": " + e.getMessage(), e);
    }
  }
}
