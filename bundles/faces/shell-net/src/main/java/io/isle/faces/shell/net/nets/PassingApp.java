package io.isle.faces.shell.net.nets;

import io.isle.api.net.AppInfo;
import io.isle.api.net.NetAdmin;
import io.isle.faces.shell.Services;
import io.isle.faces.shell.ShellException;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** An app without a settings file, for the time of a command. */
final class PassingApp implements AutoCloseable {
  private static final long LOOK_MS = 50;

  private final Services services;
  private final String name;

  /**
   * Starts the app.
   *
   * @param kind of the app, with which its name begins
   * @param settings all settings but the kind
   */
  PassingApp(Services services, String kind, Map<String, String> settings) {
    this.services = services;
    name = kind + "-" + Long.toHexString(System.nanoTime() & 0xFFFF_FFFFL);
    settings.put("kind", kind);
    String ignored =
        services.with(
            NetAdmin.class,
            admin -> {
              admin.startApp(name, settings);
              return name;
            });
  }

  String name() {
    return name;
  }

  /** The app as it is now; one that does not run says why. */
  AppInfo look() {
    AppInfo now =
        services.with(NetAdmin.class, NetAdmin::apps).stream()
            .filter(one -> one.name().equals(name))
            .findFirst()
            .orElseThrow(() -> ShellException.failed("the app of the command was removed"));
    if (!now.running() && !now.reason().isEmpty()) {
      throw ShellException.failed(now.reason());
    }
    return now;
  }

  /** Waits until it is time to look again; false if the user has interrupted. */
  static boolean pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
      return true;
    } catch (InterruptedException e) {
      return false;
    }
  }

  /** Removes the app, also on a thread that is interrupted. */
  @Override
  public void close() {
    boolean interrupted = Thread.interrupted();
    boolean ignored = services.with(NetAdmin.class, admin -> admin.removeApp(name));
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
