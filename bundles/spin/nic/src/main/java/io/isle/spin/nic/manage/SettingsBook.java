package io.isle.spin.nic.manage;

import io.isle.api.base.ConfigFiles;
import io.isle.api.base.Errno;
import io.isle.api.base.ForeignText;
import io.isle.api.spin.ContextInfo;
import io.isle.api.spin.NicSpec;
import io.isle.api.spin.SpinException;
import io.isle.api.tenancy.Capabilities;
import io.isle.spin.nic.live.LiveNic;
import io.isle.spin.nic.settings.ContextSettings;
import io.isle.spin.nic.settings.NicSettings;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Interfaces and contexts of the settings. A file with a mistake is refused with the key and the
 * reason; what was good before stays in force. Belongs to the thread of the interfaces.
 */
final class SettingsBook {
  private static final System.Logger LOG = System.getLogger(SettingsBook.class.getName());

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1," + NicSpec.MAX_NAME + "}");
  private static final long AGAIN_NS = 1_000_000_000;

  private final ConfigFiles files;
  private final Capabilities capabilities;
  private final Map<String, LiveNic> nics;
  private final BiFunction<String, NicSettings, LiveNic> make;
  private final ConfiguredContext.Attacher attacher;
  private final Map<String, ConfiguredContext> contexts = new TreeMap<>();

  /** Interfaces of the settings; others are temporary. */
  private final Set<String> configured = new HashSet<>();

  private final Map<String, String> refused = new HashMap<>();

  /**
   * @param nics to which this object adds those of the settings
   * @param make starts an interface
   * @param attacher attaches contexts
   */
  SettingsBook(
      ConfigFiles files,
      Capabilities capabilities,
      Map<String, LiveNic> nics,
      BiFunction<String, NicSettings, LiveNic> make,
      ConfiguredContext.Attacher attacher) {
    this.files = files;
    this.capabilities = capabilities;
    this.nics = nics;
    this.make = make;
    this.attacher = attacher;
  }

  Optional<ConfiguredContext> find(String name) {
    return Optional.ofNullable(contexts.get(name));
  }

  /** Contexts of the settings that are not attached. */
  List<ContextInfo> waiting() {
    return contexts.values().stream()
        .filter(one -> one.context().isEmpty())
        .map(ConfiguredContext::info)
        .toList();
  }

  void tick(long nowNs) {
    List.copyOf(nics.values()).stream().filter(nic -> failed(nic, nowNs)).forEach(this::beginAnew);
    contexts.values().forEach(one -> one.tick(Optional.ofNullable(nics.get(one.nic())), nowNs));
  }

  /** What waits tries it at once. */
  void again() {
    contexts.values().forEach(ConfiguredContext::again);
  }

  /** Whether the agent of an interface has ended because of a defect, not just after its begin. */
  private static boolean failed(LiveNic nic, long nowNs) {
    return !nic.failure().isEmpty() && nowNs - nic.begunNs() >= AGAIN_NS;
  }

  private void beginAnew(LiveNic nic) {
    LOG.log(System.Logger.Level.ERROR, "{0} begins anew: its agent {1}", nic.name(), nic.failure());
    boolean settings = configured.contains(nic.name());
    end(nic);
    if (settings) {
      follow(nic.name(), nic.settings());
    }
  }

  /** Takes up all settings; what cannot be read changes nothing. */
  void refresh() {
    Map<String, Map<String, String>> nicFiles;
    Map<String, Map<String, String>> contextFiles;
    try {
      nicFiles = files.instances(NicSettings.FACTORY_PID);
      contextFiles = files.instances(ContextSettings.FACTORY_PID);
    } catch (RuntimeException e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "the settings of network interfaces cannot be read; the last good settings stay in force",
          e);
      return;
    }
    removeContexts(contextFiles);
    followNics(nicFiles);
    int ours = Runtime.getRuntime().availableProcessors();
    nicFiles.forEach(
        (name, given) ->
            checked(NicSettings.FACTORY_PID, name, given, one -> NicSettings.of(one, ours))
                .ifPresent(settings -> follow(name, settings)));
    contextFiles.forEach(
        (name, given) ->
            checked(ContextSettings.FACTORY_PID, name, given, ContextSettings::of)
                .ifPresent(settings -> follow(name, settings)));
  }

  private <T> Optional<T> checked(
      String pid, String name, Map<String, String> given, Function<Map<String, String>, T> read) {
    String file = ForeignText.line(pid + "-" + name);
    try {
      if (!NAME.matcher(name).matches()) {
        throw new SpinException(
            Errno.EINVAL,
            "the name behind the hyphen: 1 to "
                + NicSpec.MAX_NAME
                + " characters of [A-Za-z0-9._-] are possible");
      }
      T settings = read.apply(given);
      refused.remove(file);
      return Optional.of(settings);
    } catch (SpinException e) {
      if (!e.getMessage().equals(refused.put(file, e.getMessage()))) {
        LOG.log(
            System.Logger.Level.WARNING,
            "{0}: {1}; the last good settings stay in force",
            file,
            e.getMessage());
      }
      return Optional.empty();
    }
  }

  private void removeContexts(Map<String, ?> present) {
    contexts
        .values()
        .removeIf(
            one -> {
              boolean gone = !present.containsKey(one.name());
              if (gone) {
                one.end("its settings are gone");
              }
              return gone;
            });
  }

  private void followNics(Map<String, ?> present) {
    for (LiveNic nic : List.copyOf(nics.values())) {
      if (configured.contains(nic.name()) && !present.containsKey(nic.name())) {
        end(nic);
      }
    }
  }

  /** Ends an interface, also a temporary one. */
  void end(LiveNic nic) {
    nics.remove(nic.name());
    configured.remove(nic.name());
    try {
      nic.close();
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.WARNING, nic.name() + ": its end failed", e);
    }
    for (ConfiguredContext one : contexts.values()) {
      if (one.context().filter(context -> context.nic() == nic).isPresent()) {
        one.lostNic();
      }
    }
  }

  private void follow(String name, NicSettings settings) {
    LiveNic present = nics.get(name);
    try {
      if (present != null && !configured.contains(name)) {
        throw new SpinException(Errno.EEXIST, "a temporary interface has this name");
      }
      if (present != null && present.settings().device().equals(settings.device())) {
        if (!present.settings().equals(settings)) {
          present.follow(settings);
        }
        return;
      }
      if (present != null) {
        end(present);
      }
      nics.put(name, make.apply(name, settings));
      configured.add(name);
    } catch (RuntimeException e) {
      // the other files are looked at in any case
      LOG.log(System.Logger.Level.WARNING, name + ": " + e.getMessage(), e);
    }
  }

  private void follow(String name, ContextSettings settings) {
    ConfiguredContext present = contexts.get(name);
    if (present == null) {
      contexts.put(name, new ConfiguredContext(name, settings, capabilities, attacher));
    } else {
      present.follow(settings);
    }
  }

  /** Ends all. */
  void close() {
    for (LiveNic nic : List.copyOf(nics.values())) {
      end(nic);
    }
    contexts.clear();
  }
}
