package io.isle.faces.control;

import io.isle.api.driver.Drivers;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.apache.karaf.features.BootFinished;
import org.apache.karaf.shell.api.console.SessionFactory;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens on the control socket once the boot is complete: that the socket answers is what tells
 * the launcher that the platform is ready.
 *
 * <p>The path is the framework property {@code isle.control.socket}; it may be relative to the
 * JVM's working directory, which keeps it within a socket address's 108 bytes however deep the
 * folder lies. Without the property there is no socket.
 */
@Component(
    service = {},
    immediate = true)
public final class ControlServer {
  private static final Logger LOG = LoggerFactory.getLogger(ControlServer.class);

  private static final long PAUSE_NS = 50_000_000;

  private final BundleContext context;
  private final SessionFactory sessions;
  private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
  private final Path path;
  private final PeerCheck peers;
  private final ServerSocketChannel server;

  /** Binds the socket. A file that an ended JVM left behind is replaced. */
  @Activate
  public ControlServer(
      BundleContext context, @Reference SessionFactory sessions, @Reference BootFinished finished)
      throws IOException {
    this.context = context;
    this.sessions = sessions;
    String configured = context.getProperty("isle.control.socket");
    peers = new PeerCheck();
    if (configured == null || configured.isBlank()) {
      path = null;
      server = null;
      return;
    }
    path = Path.of(configured);
    Files.deleteIfExists(path);
    server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(path));
    Thread.ofPlatform().daemon().name("isle-control-accept").start(this::accept);
  }

  @Deactivate
  void stop() throws IOException {
    if (server == null) {
      return;
    }
    server.close();
    Files.deleteIfExists(path);
    for (Connection connection : connections) {
      // A command that updates this bundle has to start it again, and to say how that went.
      if (!connection.isCalling()) {
        connection.close();
      }
    }
  }

  /** The first caller is answered when the devices of the drivers that are here are open. */
  private void settle() {
    ServiceReference<Drivers> reference = context.getServiceReference(Drivers.class);
    Drivers drivers = reference == null ? null : context.getService(reference);
    if (drivers != null) {
      try {
        drivers.settle();
      } finally {
        context.ungetService(reference);
      }
    }
  }

  private void accept() {
    try {
      settle();
    } catch (RuntimeException | Error e) {
      LOG.warn("The control socket opens although not all devices are open yet: {}", e.toString());
    }
    accept(server, this::admit);
  }

  /** What admits a client, which it closes if it throws. */
  interface Admission {
    void admit(SocketChannel channel) throws IOException;
  }

  /** Until the server is closed, whatever becomes of a connection. */
  static void accept(ServerSocketChannel server, Admission admission) {
    while (server.isOpen()) {
      SocketChannel channel = null;
      try {
        channel = server.accept();
        admission.admit(channel);
      } catch (ClosedChannelException e) {
        // of the server, which ends the loop, or of a client
        close(channel);
      } catch (IOException | RuntimeException | Error e) {
        close(channel);
        LOG.warn("A control connection failed: {}", e.toString());
        // descriptors or threads may be short for a moment
        LockSupport.parkNanos(PAUSE_NS);
      }
    }
  }

  private static void close(SocketChannel channel) {
    if (channel != null) {
      try {
        channel.close();
      } catch (IOException e) {
        LOG.debug("A control connection is closed", e);
      }
    }
  }

  private void admit(SocketChannel channel) throws IOException {
    if (!peers.admits(channel)) {
      LOG.warn("A control connection of another user was refused");
      channel.close();
      return;
    }
    Connection connection = new Connection(channel, sessions);
    connections.add(connection);
    if (!server.isOpen()) {
      // It came while this stopped, and was perhaps overlooked.
      connection.close();
    }
    boolean started = false;
    try {
      Thread.ofPlatform()
          .daemon()
          .name("isle-control")
          .start(
              () -> {
                try {
                  connection.run();
                } finally {
                  connections.remove(connection);
                }
              });
      started = true;
    } finally {
      if (!started) {
        connections.remove(connection);
      }
    }
  }
}
