package io.isle.net.xdp.net;

import io.isle.api.net.NetException;
import io.isle.lib.agent.SerialExecutor;
import io.isle.lib.tile.AppTable;
import io.isle.net.xdp.lab.NetSpaces;
import io.isle.net.xdp.netlink.Link;
import io.isle.net.xdp.netlink.NetView;
import io.isle.net.xdp.settings.NetSettings;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** All that a net has while it works: its medium, its tables, its counters. */
final class OpenNet implements AutoCloseable {
  private final NetTables tables;
  private final Medium medium;
  private final LinkCounters published;

  private OpenNet(String net, NetTables tables, Medium medium) {
    this.tables = tables;
    this.medium = medium;
    published = new LinkCounters(net, medium.parts());
  }

  /**
   * Opens the interface, or the files.
   *
   * @param changed told when the kernel's interfaces or routes change
   * @param notes of hosts that do not exist
   * @param ready whether all apps are there that a file waits for
   * @throws NetException as {@link InterfaceMedium#open} or {@link FileWire#open}
   */
  static OpenNet open(
      String net,
      NetSettings settings,
      NetSpaces spaces,
      SerialExecutor executor,
      Consumer<NetView> changed,
      HostFile notes,
      BooleanSupplier ready) {
    NetTables tables = new NetTables();
    try {
      Medium medium =
          settings.file().isPresent()
              ? new FileMedium(net, settings, tables, executor, ready)
              : InterfaceMedium.open(
                  net,
                  settings,
                  spaces.open(settings.namespace(), settings.interfaceName()),
                  tables,
                  executor,
                  changed,
                  notes);
      return new OpenNet(net, tables, medium);
    } catch (RuntimeException e) {
      tables.close();
      throw e;
    }
  }

  /** What moves the frames of files in the place of an interface. */
  Optional<FileMover> file() {
    return medium.file();
  }

  /** The interface at the begin; {@link #view} has its present state. */
  Link link() {
    return medium.link();
  }

  NetView view() {
    return routes().view();
  }

  NetRoutes routes() {
    return medium.routes();
  }

  Intake redirect() {
    return medium.intake();
  }

  NetTables tables() {
    return tables;
  }

  AppTable apps() {
    return new AppTable(tables.apps());
  }

  List<TilePart> parts() {
    return medium.parts();
  }

  /** Those features of the interface that are on, of the given ones. */
  List<String> offloads(List<String> names) {
    return medium.offloads(names);
  }

  /** Counters of what apps have published. */
  LinkCounters published() {
    return published;
  }

  /** The tables have the host of an app that sends to nobody, until {@link #withoutHost}. */
  void withHost(String app, int address) {
    medium.withHost(app, address);
  }

  void withoutHost(String app) {
    medium.withoutHost(app);
  }

  /** Whether the interface still is the one that was opened. */
  boolean isPresent() {
    return view().links().stream()
        .anyMatch(one -> one.index() == link().index() && one.name().equals(link().name()));
  }

  /** Where the kernel runs the program; empty without one. */
  String mode() {
    return medium.mode();
  }

  /** Gives all back; no tile may be open. */
  @Override
  public void close() {
    medium.close();
    tables.close();
  }
}
