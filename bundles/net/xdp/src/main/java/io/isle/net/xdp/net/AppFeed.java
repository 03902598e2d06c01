package io.isle.net.xdp.net;

import io.isle.api.net.FramePort;
import io.isle.net.xdp.tap.Overruns;
import java.util.Optional;

/** Where the frames of an app of the platform come from. Belongs to the executor of the nets. */
interface AppFeed extends AutoCloseable {
  /** The port of the app's task. */
  FramePort port();

  /**
   * Lets frames come.
   *
   * @param onTile the app, if the thread of the first tile runs it
   * @param bell rung behind cycles that did work, if the app has a thread of the platform
   */
  void begin(Optional<TileAgent.OnTile> onTile, Optional<AppBell> bell);

  /** Tiles do not use the memory any more when the call returns. */
  void end();

  /** Frames that the app has taken; any thread. */
  long received();

  /** Frames that the app has published; any thread. */
  long sent();

  /** Frames that the app has lost; any thread. */
  Overruns lost();

  /** Gives the memory back; neither tiles nor the app may use it. */
  @Override
  void close();
}
