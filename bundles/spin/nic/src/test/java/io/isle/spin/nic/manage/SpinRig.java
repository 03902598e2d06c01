package io.isle.spin.nic.manage;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.base.MonotonicClock;
import io.isle.api.net.NetException;
import io.isle.api.net.port.FramePortFactory;
import io.isle.api.net.port.OpenPort;
import io.isle.api.net.port.PortOptions;
import io.isle.api.spin.AbortEvent;
import io.isle.api.spin.ContextEvent;
import io.isle.api.spin.HandlerImage;
import io.isle.api.spin.NicListener;
import io.isle.api.spin.Ruleset;
import io.isle.api.spin.TrapEvent;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.CapabilitySpec;
import io.isle.api.tenancy.Permission;
import io.isle.core.testing.FakeCapabilities;
import io.isle.core.testing.Until;
import io.isle.lib.agent.ThreadedAgentHost;
import io.isle.spin.nic.engine.MemoryPort;
import io.isle.spin.nic.hpus.JavaHpus;
import io.isle.spin.nic.hpus.SpinDevice;
import io.isle.spin.nic.live.NicServices;
import io.isle.spin.nic.live.NicThread;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Interfaces whose HPUs and ports are a test's. */
public final class SpinRig implements AutoCloseable {
  final SpinDevice device = new SpinDevice();
  final MemoryFiles files = new MemoryFiles();
  final FakeCapabilities capabilities = new FakeCapabilities();
  final HandlerRegistry handlers = new HandlerRegistry();
  final GroupBook groups = new GroupBook();
  final List<String> events = new CopyOnWriteArrayList<>();
  final Map<String, MemoryPort> ports = new ConcurrentHashMap<>();
  volatile String portFailure = "";
  volatile boolean portDefect;
  private final EventPublisher publisher = new EventPublisher();
  private final ThreadedAgentHost host = new ThreadedAgentHost(1, MonotonicClock.SYSTEM);
  private final Thread hpus = Thread.ofPlatform().daemon().unstarted(this::runHpus);
  private volatile boolean over;
  volatile JavaHpus.Handler handler = SpinRig::echo;
  public final SpinCore core;

  /** Without interfaces. */
  public SpinRig() {
    core =
        new SpinCore(
            files,
            capabilities,
            new NicServices(
                new NicThread(),
                host,
                device.accelerators(),
                device.sessions(),
                scheme -> Optional.of(factory(scheme)).filter(one -> scheme.equals("test")),
                MonotonicClock.SYSTEM,
                publisher,
                groups::weight,
                groups::ended),
            handlers,
            groups);
    publisher.add(
        new NicListener() {
          @Override
          public void onTrap(TrapEvent event) {
            events.add(event.context() + " trap " + event.cause());
          }

          @Override
          public void onAbort(AbortEvent event) {
            events.add(event.context() + " abort " + event.reason());
          }

          @Override
          public void onContext(ContextEvent event) {
            events.add(event.context() + " " + event.state().text());
          }
        });
    hpus.start();
  }

  private FramePortFactory factory(String scheme) {
    return new FramePortFactory() {
      @Override
      public String scheme() {
        return scheme;
      }

      @Override
      public OpenPort open(String address, PortOptions options) {
        if (portDefect) {
          throw new IllegalArgumentException("a defect of the factory");
        }
        if (!portFailure.isEmpty()) {
          throw new NetException(Errno.ENODEV, portFailure);
        }
        MemoryPort port = new MemoryPort();
        ports.put(address, port);
        return port;
      }
    };
  }

  /** Runs what is posted, as the threads of the driver do. */
  private void runHpus() {
    while (!over) {
      int ran = 0;
      for (JavaHpus one : device.attached.values()) {
        ran += run(one);
      }
      if (ran == 0) {
        Thread.yield();
      }
    }
  }

  private int run(JavaHpus one) {
    try {
      return one.stepAll(handler);
    } catch (IllegalStateException e) {
      // its memory has gone
      return 0;
    }
  }

  static int echo(JavaHpus hpus, int hpu, int handler, byte[] packet) {
    packet[1] = 1;
    return hpus.send(hpu, packet) ? 0 : 1;
  }

  static HandlerImage image(String name, Optional<Ruleset> rules) {
    return new HandlerImage(name, Arrays.copyOf(new byte[] {0x7f, 'E', 'L', 'F', 1}, 64), rules);
  }

  Capability tenant(String group) {
    return capabilities.issue(
        new CapabilitySpec("t", group, Set.of(Permission.SPIN_ATTACH), Optional.empty(), 0));
  }

  void nic(String name, String... more) {
    file("io.isle.nic-" + name, more);
  }

  void file(String pid, String... keysAndValues) {
    Map<String, String> all = new HashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      all.put(keysAndValues[i], keysAndValues[i + 1]);
    }
    files.set(pid, all);
    core.filesChanged();
  }

  MemoryPort port(String address) {
    assertTrue(Until.holds(() -> ports.containsKey(address)), address);
    return ports.get(address);
  }

  static byte[] frame(int first) {
    byte[] frame = new byte[60];
    frame[0] = (byte) first;
    return frame;
  }

  @Override
  public void close() {
    core.close();
    over = true;
    try {
      hpus.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    publisher.close();
    host.close();
  }
}
