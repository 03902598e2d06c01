package io.isle.net.xdp.net;

import io.isle.api.net.tile.Tiles;
import io.isle.api.observe.AuditTrail;
import io.isle.lib.agent.AgentHost;
import io.isle.lib.agent.SerialExecutor;
import io.isle.net.xdp.host.TileHosts;
import io.isle.net.xdp.lab.NetSpaces;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What all nets use.
 *
 * @param host runs tiles
 * @param executor of the nets
 * @param spaces finds network namespaces
 * @param tiles the service, or null while no bundle offers one
 * @param tileHosts of tiles in processes
 * @param sockets where processes attach
 * @param hosts that do not exist, to which apps send
 * @param preparations of interfaces
 * @param opened told when a net has sockets: apps may attach
 * @param waiting tells which app of a net is not there yet; empty if all are
 * @param ended told before a net closes its sockets: apps leave
 */
record NetPlatform(
    AgentHost host,
    SerialExecutor executor,
    NetSpaces spaces,
    Supplier<Tiles> tiles,
    TileHosts tileHosts,
    Sockets sockets,
    HostFile hosts,
    Preparation.Work preparations,
    Consumer<Net> opened,
    Function<Net, String> waiting,
    Consumer<Net> ended) {
  /**
   * Where processes attach.
   *
   * @param folder of the socket files
   * @param trail records who attaches
   * @param apps finds an app; any thread
   */
  record Sockets(Path folder, AuditTrail trail, Function<String, Optional<App>> apps) {}
}
