package io.isle.net.xdp.net;

import io.isle.net.xdp.netlink.Link;
import java.util.List;
import java.util.Optional;

/** What a net has its frames from: an interface, or files. Belongs to the executor of the nets. */
interface Medium extends AutoCloseable {
  /** What outlives tiles, of each tile. */
  List<TilePart> parts();

  /** The interface at the begin. */
  Link link();

  NetRoutes routes();

  Intake intake();

  /** Where the kernel runs the program; empty without one. */
  String mode();

  /** Those features of the interface that are on, of the given ones. */
  List<String> offloads(List<String> names);

  /** What moves the frames of files; empty for an interface. */
  Optional<FileMover> file();

  /** The tables have the host of an app that sends to nobody, until {@link #withoutHost}. */
  void withHost(String app, int address);

  void withoutHost(String app);

  /** Gives all back; no tile may be open. */
  @Override
  void close();
}
