package io.isle.spin.nic.live;

import io.isle.api.base.Errno;
import io.isle.api.base.IsleException;
import io.isle.api.net.port.FramePortFactory;
import io.isle.api.net.port.OpenPort;
import io.isle.api.net.port.PortOptions;
import io.isle.api.spin.SpinException;
import io.isle.spin.nic.engine.NicAgent;
import io.isle.spin.nic.engine.NicPort;
import java.util.Optional;
import java.util.function.Function;

/**
 * Keeps a port of an interface open: one that fails is opened again after a second, and it is said
 * why it has failed. Belongs to {@link NicThread}, unless said otherwise.
 */
final class PortKeeper {
  private static final System.Logger LOG = System.getLogger(PortKeeper.class.getName());
  private static final PortOptions OPTIONS = new PortOptions(1536, 256);
  private static final long AGAIN_NS = 1_000_000_000;

  private final String what;
  private final NicAgent agent;
  private final NicPort place;
  private final Function<String, Optional<FramePortFactory>> factories;
  private String address = "";
  private OpenPort port;
  private volatile boolean over;
  private volatile String failure = "";
  private long failedNs;

  /**
   * @param what for messages
   * @param place of the port
   */
  PortKeeper(
      String what,
      NicAgent agent,
      NicPort place,
      Function<String, Optional<FramePortFactory>> factories) {
    this.what = what;
    this.agent = agent;
    this.place = place;
    this.factories = factories;
  }

  /** The port has this address from now on; empty for none. */
  void follow(String now, long nowNs) {
    if (!now.equals(address)) {
      close();
      address = now;
      over = false;
      failure = "";
      open(nowNs);
    }
  }

  String address() {
    return address;
  }

  /** Why there is no port; empty while there is one, or none is wanted. Any thread. */
  String failure() {
    return failure;
  }

  private void open(long nowNs) {
    if (address.isEmpty()) {
      return;
    }
    try {
      OpenPort made = factory().open(address.substring(address.indexOf(':') + 1), OPTIONS);
      port = made;
      agent.run(engine -> place.use(made));
      failure = "";
    } catch (IsleException e) {
      failed(e.getMessage(), nowNs);
    } catch (RuntimeException e) {
      // a defect of the bundle that opens ports
      failed(e.toString(), nowNs);
    }
  }

  private FramePortFactory factory() {
    String scheme = address.substring(0, address.indexOf(':'));
    return factories
        .apply(scheme)
        .orElseThrow(() -> new SpinException(Errno.ENOENT, "no bundle opens ports of " + scheme));
  }

  private void failed(String why, long nowNs) {
    if (!why.equals(failure)) {
      String where = why.startsWith(address) ? "" : " " + address;
      LOG.log(System.Logger.Level.WARNING, "{0}{1}: {2}", what, where, why);
    }
    failure = why;
    failedNs = nowNs;
    release();
  }

  /** Looks after the port. */
  void tick(long nowNs) {
    if (address.isEmpty() || over) {
      return;
    }
    if (port == null) {
      if (nowNs - failedNs >= AGAIN_NS) {
        open(nowNs);
      }
    } else if (place.ended()) {
      String why = port.failure();
      if (why.isEmpty()) {
        // the end of a file
        over = true;
        release();
      } else {
        failed(why, nowNs);
      }
    }
  }

  /** Whether all frames of a file have come; any thread. */
  boolean isOver() {
    return over;
  }

  private void release() {
    OpenPort old = port;
    if (old == null) {
      return;
    }
    port = null;
    try {
      agent.run(engine -> place.use(null));
    } catch (SpinException e) {
      if (e.code() != Errno.ECLOSED) {
        port = old;
        throw e;
      }
      // the agent has ended, and uses it no more
    }
    old.close();
  }

  void close() {
    release();
    address = "";
  }
}
