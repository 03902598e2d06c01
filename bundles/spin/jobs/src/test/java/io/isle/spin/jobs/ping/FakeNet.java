package io.isle.spin.jobs.ping;

import io.isle.api.base.Errno;
import io.isle.api.net.LabSide;
import io.isle.api.net.Labs;
import io.isle.api.net.NetException;
import io.isle.api.spin.BuildSpec;
import io.isle.api.spin.ContextInfo;
import io.isle.api.spin.ContextSpec;
import io.isle.api.spin.ExecutionContext;
import io.isle.api.spin.HandlerBuild;
import io.isle.api.spin.HandlerBuilds;
import io.isle.api.spin.HandlerImage;
import io.isle.api.spin.HandlerSource;
import io.isle.api.spin.HpuInfo;
import io.isle.api.spin.Nic;
import io.isle.api.spin.NicAdmin;
import io.isle.api.spin.NicInfo;
import io.isle.api.spin.NicSpec;
import io.isle.api.spin.Nics;
import io.isle.api.spin.QueueInfo;
import io.isle.api.spin.SpinException;
import io.isle.api.spin.TemporaryNic;
import io.isle.api.tenancy.Capability;
import io.isle.spin.jobs.ping.place.PingServices;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Labs, interfaces and a compiler that fail where a test says so. Of an interface on a port of UDP,
 * a thread answers.
 */
final class FakeNet implements Labs, NicAdmin, HandlerBuilds {
  /** Answers a request, by its number. */
  interface Answers {
    void answer(DatagramSocket socket, DatagramPacket request, int number) throws IOException;
  }

  final List<String> labs = new ArrayList<>();
  final Map<String, NicSpec> nics = new TreeMap<>();
  final List<FakeContext> contexts = new ArrayList<>();
  final List<String> builds = new ArrayList<>();
  final List<String> ended = new ArrayList<>();
  int labRefusal = Errno.EPERM;
  String portFailure = "";
  boolean compiles = true;
  boolean attaches = true;
  boolean listens = true;
  int tries;
  volatile Answers answers = (socket, request, number) -> socket.send(request);

  PingServices services(Path folder) {
    return new PingServices(this, this, new AllNics(), this, folder);
  }

  @Override
  public List<LabSide> createWithHost(String name, int queues) {
    if (labRefusal != 0) {
      throw new NetException(labRefusal, "a lab needs root");
    }
    labs.add(name);
    String here = "/proc/self/ns/net";
    return List.of(
        new LabSide(name, "a", "va", "127.0.0.1", 8, "", here, 1),
        new LabSide(name, "host", "hb", "127.0.0.1", 8, "", here, 1));
  }

  @Override
  public List<LabSide> create(String name, int queues) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void delete(String name) {
    ended.add("lab");
    if (!labs.remove(name)) {
      throw new NetException(Errno.ENOENT, name);
    }
  }

  @Override
  public List<LabSide> list() {
    throw new UnsupportedOperationException();
  }

  private final class AllNics implements Nics {
    @Override
    public List<Nic> list() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Optional<Nic> find(String name) {
      return nics.containsKey(name) ? Optional.of(new OneNic(name)) : Optional.empty();
    }
  }

  @Override
  public Optional<ExecutionContext> find(String name) {
    throw new UnsupportedOperationException();
  }

  @Override
  public TemporaryNic make(NicSpec spec) {
    tries++;
    nics.put(spec.name(), spec);
    Optional<Port> port =
        spec.port().startsWith("udp:") && portFailure.isEmpty()
            ? Optional.of(new Port(spec.port()))
            : Optional.empty();
    return new TemporaryNic() {
      @Override
      public String name() {
        return spec.name();
      }

      @Override
      public void close() {
        ended.add("nic");
        nics.remove(spec.name());
        port.ifPresent(Port::close);
      }
    };
  }

  /** Answers as long as it is open. */
  private final class Port {
    private final DatagramSocket socket;
    private final Thread thread = Thread.ofPlatform().daemon().unstarted(this::run);

    Port(String address) {
      try {
        int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
        socket = new DatagramSocket(port, InetAddress.getByName("127.0.0.1"));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      thread.start();
    }

    private void run() {
      byte[] bytes = new byte[2048];
      try {
        for (int number = 0; true; number++) {
          DatagramPacket request = new DatagramPacket(bytes, bytes.length);
          socket.receive(request);
          answers.answer(socket, request, number);
        }
      } catch (IOException e) {
        // closed
      }
    }

    void close() {
      socket.close();
    }
  }

  private final class OneNic implements Nic {
    private final String name;

    OneNic(String name) {
      this.name = name;
    }

    @Override
    public NicInfo info() {
      String state = portFailure.isEmpty() ? "up" : "down";
      return new NicInfo(name, "spin0", "", "", state, portFailure, 0, 1, 16, 1, 0, 0, 0, 0, 0, 0);
    }

    @Override
    public List<HpuInfo> hpus() {
      return List.of();
    }

    @Override
    public List<QueueInfo> queues() {
      return List.of();
    }

    @Override
    public ExecutionContext attach(Capability capability, ContextSpec spec) {
      if (!attaches) {
        throw new SpinException(Errno.EINVAL, "no handlers");
      }
      FakeContext made = new FakeContext(spec);
      made.refusal = listens ? null : new SpinException(Errno.ECLOSED, "has ended");
      contexts.add(made);
      return made;
    }
  }

  @Override
  public HandlerBuild build(String name, BuildSpec spec) {
    builds.add(name + " " + spec.options());
    try {
      String source = Files.readString(spec.sources().getFirst());
      if (!compiles || !source.contains(name + "_ph")) {
        return new HandlerBuild(Optional.empty(), false, "line 3: a mistake");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    HandlerImage image = new HandlerImage(name, new byte[] {1}, Optional.empty());
    return new HandlerBuild(Optional.of(image), false, "");
  }

  @Override
  public List<ContextInfo> contexts() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void attach(String name) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void detach(String name) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void swap(String name, HandlerSource handlers) {
    throw new UnsupportedOperationException();
  }
}
