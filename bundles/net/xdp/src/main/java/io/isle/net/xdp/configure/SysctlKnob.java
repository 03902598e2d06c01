package io.isle.net.xdp.configure;

import io.isle.api.base.Errno;
import io.isle.api.net.ConfigureStage;
import io.isle.api.net.NetException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A kernel setting of IPv4 for one interface.
 *
 * @param key such as {@code rp_filter}
 */
record SysctlKnob(String interfaceName, String key, String wanted) implements Knob {
  private static final Path CONF = Path.of("/proc/sys/net/ipv4/conf");

  @Override
  public ConfigureStage stage() {
    return ConfigureStage.SYSCTL;
  }

  @Override
  public String setting() {
    return "net.ipv4.conf." + interfaceName + "." + key;
  }

  private Path file() {
    return CONF.resolve(interfaceName).resolve(key);
  }

  @Override
  public Reading read() {
    if (!Files.exists(file())) {
      return new Reading("", false, Optional.of("kernel"));
    }
    try {
      String is = Files.readString(file()).strip();
      return new Reading(is, is.equals(SysctlFiles.value(setting())), Optional.empty());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void write(String value) {
    try {
      Files.writeString(file(), value);
    } catch (AccessDeniedException e) {
      throw new NetException(Errno.EPERM, setting() + ": needs root", e);
    } catch (IOException e) {
      throw new NetException(Errno.EIO, setting() + " = " + value + ": " + e.getMessage(), e);
    }
  }
}
