package io.isle.net.xdp.attach;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.lib.ffi.EventDescriptor;
import io.isle.lib.ffi.PeerCredentials;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** An owner of a net without tiles: links in memory that a test writes and reads. */
final class FakeOwner implements Attachments, AttachEvents, AutoCloseable {
  static final int DEPTH = 128;
  static final int MTU = 2048;
  static final int ADDRESS = 0xC6120002;

  final Map<String, Integer> users = new HashMap<>();
  final List<String> log = Collections.synchronizedList(new ArrayList<>());
  private final Map<Attachment, Link> links =
      Collections.synchronizedMap(new IdentityHashMap<>());
  private final int tiles;
  private final List<FakeTile> all = new ArrayList<>();
  volatile RuntimeException failure;
  private int instances;

  FakeOwner(int tiles) {
    this.tiles = tiles;
    for (int i = 0; i < tiles; i++) {
      all.add(new FakeTile(DEPTH));
    }
  }

  private record Link(AppLink tx, List<EventDescriptor> bells) {}

  FakeTile tile(int index) {
    return all.get(index);
  }

  /** The only link. */
  AppLink link() {
    return links.values().iterator().next().tx;
  }

  EventDescriptor bell(int tile) {
    return links.values().iterator().next().bells.get(tile);
  }

  int attached() {
    return links.size();
  }

  @Override
  public OptionalInt user(String app) {
    return users.containsKey(app) ? OptionalInt.of(users.get(app)) : OptionalInt.empty();
  }

  @Override
  public Attachment attach(String app, PeerCredentials peer) {
    if (failure != null) {
      throw failure;
    }
    if (app.equals("full")) {
      throw new NetException(Errno.ENOMEM, "the net needs 9 frames and has 8");
    }
    AppLink tx = AppLink.create("test-tx", tiles, DEPTH, MTU);
    List<EventDescriptor> bells = new ArrayList<>();
    List<Attachment.Rx> rx = new ArrayList<>();
    for (FakeTile tile : all) {
      EventDescriptor bell = new EventDescriptor();
      bells.add(bell);
      rx.add(tile.lent(bell.descriptor()));
    }
    Attachment made =
        new Attachment(
            3,
            instances++,
            MTU,
            ADDRESS,
            List.of(9000, 65535),
            tx.lent(),
            tx.lentProgress(),
            rx);
    links.put(made, new Link(tx, bells));
    return made;
  }

  @Override
  public void detach(Attachment attachment) {
    Link link = links.remove(attachment);
    if (link == null) {
      throw new IllegalStateException("detached twice");
    }
    link.tx.close();
    link.bells.forEach(EventDescriptor::close);
  }

  @Override
  public void attached(String app, PeerCredentials peer, Attachment attachment) {
    log.add("attached " + app + " " + attachment.instance());
  }

  @Override
  public void refused(String app, PeerCredentials peer, int code, String reason) {
    log.add("refused " + app + " " + code + " " + reason);
  }

  @Override
  public void detached(String app, PeerCredentials peer, String reason) {
    log.add("detached " + app + " " + reason);
  }

  @Override
  public void close() {
    all.forEach(FakeTile::close);
  }
}
