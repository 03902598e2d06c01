package io.isle.api.net;

import java.util.List;
import java.util.Set;
import org.osgi.annotation.versioning.ProviderType;

/** Prepares interfaces of the machine for nets, and puts back what was there. Thread-safe. */
@ProviderType
public interface NetConfigure {
  /**
   * How the settings are.
   *
   * @param stages those of interest
   * @throws NetException ENODEV without the interface; EPERM for another namespace without root
   */
  List<ConfiguredSetting> check(NetInterface target, Set<ConfigureStage> stages);

  /**
   * Sets what differs, and remembers the values from before.
   *
   * @param dryRun changes nothing and says what would be done
   * @return the settings as they are then
   * @throws NetException as {@link #check}; EPERM without root; what was set before stays
   *     remembered
   */
  List<ConfiguredSetting> init(NetInterface target, Set<ConfigureStage> stages, boolean dryRun);

  /**
   * Puts back the remembered values, except where somebody has changed the setting since.
   *
   * @param dryRun changes nothing and says what would be done
   * @return the remembered settings; empty without any
   * @throws NetException as {@link #init}; what was not put back stays remembered
   */
  List<ConfiguredSetting> fini(NetInterface target, Set<ConfigureStage> stages, boolean dryRun);
}
