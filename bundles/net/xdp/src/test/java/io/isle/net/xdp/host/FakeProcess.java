package io.isle.net.xdp.host;

import io.isle.api.net.NetException;
import io.isle.net.xdp.host.wire.TileOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A process of a test, which notes what is asked of it. */
final class FakeProcess implements TileProcess {
  final List<String> calls = new ArrayList<>();
  private final long pid;
  private final TileVersion version;
  private final Events events;
  private boolean ready;

  /** Thrown by the next open; null for none. */
  NetException refusal;

  FakeProcess(long pid, TileVersion version, Events events) {
    this.pid = pid;
    this.version = version;
    this.events = events;
    version.retain();
  }

  void warm() {
    ready = true;
    events.ready(this);
  }

  void end(String how, Duration lived) {
    ready = false;
    events.ended(this, how, lived);
    version.release();
  }

  @Override
  public void start() {
    calls.add("start");
  }

  @Override
  public long pid() {
    return pid;
  }

  @Override
  public TileVersion version() {
    return version;
  }

  @Override
  public boolean isReady() {
    return ready && !calls.contains("leave");
  }

  @Override
  public String report() {
    return "one\ntwo";
  }

  @Override
  public void open(TileOrder order) {
    NetException refused = refusal;
    refusal = null;
    if (refused != null) {
      throw refused;
    }
    calls.add("open");
  }

  @Override
  public void closeTile() {
    calls.add("close");
  }

  @Override
  public void kill() {
    calls.add("kill");
  }

  @Override
  public void leave() {
    calls.add("leave");
  }

  @Override
  public void join() {
    calls.add("join");
  }
}
