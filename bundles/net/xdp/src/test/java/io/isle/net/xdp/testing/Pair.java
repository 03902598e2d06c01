package io.isle.net.xdp.testing;

import io.isle.lib.ffi.NetNamespace;
import io.isle.net.xdp.netlink.Link;
import io.isle.net.xdp.netlink.LinkRequests;
import io.isle.net.xdp.netlink.Rtnetlink;

/** Two namespaces with a veth pair that is up: {@code va} in the first, {@code vb} in the other. */
public final class Pair implements AutoCloseable {
  public final NetNamespace a = Spaces.create();
  public final NetNamespace b = Spaces.create();
  public final Rtnetlink kernelA = Rtnetlink.in(a);
  public final Rtnetlink kernelB = Rtnetlink.in(b);

  public Pair(int queues) {
    LinkRequests links = new LinkRequests(kernelA);
    links.addVeth("va", "vb", b, queues);
    links.setUp(1, true);
    links.setUp(va().index(), true);
    new LinkRequests(kernelB).setUp(vb().index(), true);
  }

  public Link va() {
    return kernelA.link("va");
  }

  public Link vb() {
    return kernelB.link("vb");
  }

  @Override
  public void close() {
    kernelA.close();
    kernelB.close();
    a.close();
    b.close();
  }
}
