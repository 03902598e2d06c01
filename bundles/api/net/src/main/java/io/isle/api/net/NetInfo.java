package io.isle.api.net;

import java.util.List;

/**
 * A net: an interface whose frames tiles move. Immutable.
 *
 * @param name of the settings file, {@link #NAME}
 * @param reason why the net does not run; empty while it runs
 * @param interfaceName as in the settings
 * @param namespace name or path of the network namespace; empty for the platform's own
 * @param ports UDP ports of all apps, sorted: what the program takes from the kernel
 * @param wishedMode place of the program by the settings: {@code auto}, {@code drv}, {@code skb}
 * @param wishedZeroCopy whether the device shall move frames itself, by the settings
 * @param wishedPoll by the settings: {@code auto}, {@code softirq}, {@code prefbusy}
 * @param wishedCpu processors of the tiles by the settings: {@code auto}, numbers, or empty for any
 * @param mode place of the program in force; empty without one
 * @param tiles the tiles by number; empty without sockets
 * @param notes what differs from the settings and why, for the user
 */
public record NetInfo(
    String name,
    NetState state,
    String reason,
    String interfaceName,
    String namespace,
    List<Integer> ports,
    String wishedMode,
    boolean wishedZeroCopy,
    String wishedPoll,
    String wishedCpu,
    String mode,
    List<TileInfo> tiles,
    List<String> notes) {
  /** Names of nets and of apps. */
  public static final String NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,31}";

  /** Copies the lists. */
  public NetInfo {
    ports = List.copyOf(ports);
    tiles = List.copyOf(tiles);
    notes = List.copyOf(notes);
  }
}
