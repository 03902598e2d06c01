package io.isle.net.xdp.configure;

import io.isle.api.base.Errno;
import io.isle.api.net.ConfigureStage;
import io.isle.api.net.ConfiguredSetting;
import io.isle.api.net.NetConfigure;
import io.isle.api.net.NetException;
import io.isle.api.net.NetInterface;
import io.isle.lib.ffi.NetNamespace;
import io.isle.lib.ffi.PosixException;
import io.isle.net.xdp.lab.NetSpaces;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Goes through the settings of an interface inside of its network namespace. Thread-safe. */
public final class Configuration implements NetConfigure {
  private final NetSpaces spaces;
  private final Path folder;

  /**
   * @param folder for the values from before; made when it is needed
   */
  public Configuration(NetSpaces spaces, Path folder) {
    this.spaces = spaces;
    this.folder = folder;
  }

  @Override
  public List<ConfiguredSetting> check(NetInterface target, Set<ConfigureStage> stages) {
    return inside(target, stages, true, Configurator::check);
  }

  @Override
  public List<ConfiguredSetting> init(
      NetInterface target, Set<ConfigureStage> stages, boolean dryRun) {
    return inside(target, stages, dryRun, Configurator::init);
  }

  @Override
  public List<ConfiguredSetting> fini(
      NetInterface target, Set<ConfigureStage> stages, boolean dryRun) {
    return inside(target, stages, dryRun, Configurator::fini);
  }

  private synchronized List<ConfiguredSetting> inside(
      NetInterface target,
      Set<ConfigureStage> stages,
      boolean dryRun,
      Function<Configurator, List<ConfiguredSetting>> work) {
    try (NetNamespace space = spaces.open(target.netns(), target.name())) {
      SavedValues saved = SavedValues.open(folder, space.inode());
      if (target.netns().isEmpty()) {
        return go(target, stages, saved, dryRun, work);
      }
      return space.call(() -> go(target, stages, saved, dryRun, work));
    } catch (PosixException e) {
      String hint = e.code() == Errno.EPERM ? " (another namespace needs root)" : "";
      throw new NetException(e.code(), "netns: " + e.getMessage() + hint, e);
    }
  }

  private static List<ConfiguredSetting> go(
      NetInterface target,
      Set<ConfigureStage> stages,
      SavedValues saved,
      boolean dryRun,
      Function<Configurator, List<ConfiguredSetting>> work) {
    try (Ethtool ethtool = new Ethtool()) {
      ethtool.requireInterface(target.name());
      return work.apply(new Configurator(Knobs.of(target, stages, ethtool), saved, dryRun));
    }
  }
}
