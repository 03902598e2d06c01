package io.isle.net.xdp.net;

import io.isle.lib.agent.SerialExecutor;
import io.isle.net.xdp.netlink.Link;
import io.isle.net.xdp.settings.NetSettings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Capture files, which begin when all apps are there. */
final class FileMedium implements Medium {
  private static final Duration LOOK = Duration.ofMillis(20);

  private final FileRoutes routes;
  private final TilePart part;
  private final FileWire file;
  private boolean closed;

  /**
   * Opens the files.
   *
   * @param ready whether all apps are there that a file waits for
   * @throws io.isle.api.net.NetException as {@link FileWire#open}
   */
  FileMedium(
      String net,
      NetSettings settings,
      NetTables tables,
      SerialExecutor executor,
      BooleanSupplier ready) {
    routes = new FileRoutes(settings.interfaceName(), tables.routes());
    part = TilePart.open(net, settings, umem -> FileWire.open(settings, umem, routes));
    file = (FileWire) part.wire();
    look(executor, ready);
  }

  /** A file begins when all its apps are there, so that none misses frames. */
  private void look(SerialExecutor executor, BooleanSupplier ready) {
    if (closed) {
      return;
    }
    if (ready.getAsBoolean()) {
      file.mover().begin();
      part.sleeper().wake();
    } else {
      var ignored = executor.after(LOOK, () -> look(executor, ready));
    }
  }

  @Override
  public List<TilePart> parts() {
    return List.of(part);
  }

  @Override
  public Link link() {
    return routes.link();
  }

  @Override
  public NetRoutes routes() {
    return routes;
  }

  @Override
  public Intake intake() {
    return file;
  }

  @Override
  public String mode() {
    return "file";
  }

  @Override
  public List<String> offloads(List<String> names) {
    return List.of();
  }

  @Override
  public Optional<FileMover> file() {
    return Optional.of(file.mover());
  }

  /** To a file, all addresses are on the link. */
  @Override
  public void withHost(String app, int address) {}

  @Override
  public void withoutHost(String app) {}

  @Override
  public void close() {
    closed = true;
    file.close();
    part.close();
    routes.close();
  }
}
