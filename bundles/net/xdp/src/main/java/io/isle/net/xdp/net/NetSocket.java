package io.isle.net.xdp.net;

import io.isle.api.net.NetException;
import io.isle.lib.ffi.PosixException;
import io.isle.net.xdp.attach.AttachAudit;
import io.isle.net.xdp.attach.AttachServer;
import io.isle.net.xdp.settings.NetSettings;

/** Where processes attach to a net. Belongs to the executor of the nets. */
final class NetSocket {
  private static final System.Logger LOG = System.getLogger(NetSocket.class.getName());

  /** All users: who may attach is decided by the user of the process. */
  private static final int MODE = 0666;

  private final String net;
  private final NetPlatform.Sockets sockets;
  private final ProcessApps processes;
  private AttachServer server;
  private String problem = "";

  NetSocket(String net, NetPlatform.Sockets sockets, ProcessApps processes) {
    this.net = net;
    this.sockets = sockets;
    this.processes = processes;
  }

  /** Listens; a net without a socket goes on, and says so. */
  void open(NetSettings settings) {
    problem = "";
    processes.begin();
    try {
      server =
          AttachServer.start(
              net,
              settings.socket().orElse(sockets.folder().resolve("net-" + net + ".sock")),
              MODE,
              processes,
              new AttachAudit(net, sockets.trail()));
    } catch (NetException | PosixException e) {
      problem = "socket: no process can attach: " + e.getMessage();
      LOG.log(System.Logger.Level.WARNING, "net {0}: {1}", net, problem);
    }
  }

  /** Why no process can attach; empty if all is well. */
  String problem() {
    return problem;
  }

  /** Ends the attachments of an app soon. */
  void end(String app) {
    if (server != null) {
      server.end(app);
    }
  }

  /** Ends all attachments; tiles do not run. */
  void close() {
    if (server != null) {
      processes.end();
      server.close();
      server = null;
      processes.takeAllBack();
    }
  }
}
