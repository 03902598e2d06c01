package io.isle.net.xdp.netlink;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.lib.ffi.EthtoolCall;
import io.isle.lib.ffi.NetNamespace;
import io.isle.lib.ffi.SocketErrors;
import io.isle.lib.packet.Ipv4;
import java.nio.charset.StandardCharsets;

/**
 * Changes of interfaces and of their addresses, in the namespace of a socket. Each throws
 * NetException with the kernel's code and its words; EPERM without CAP_NET_ADMIN. Thread-safe.
 */
public final class LinkRequests {
  private static final int ACK = Rtm.ACK;
  private static final int NEW = Rtm.ACK | Rtm.CREATE | Rtm.EXCL;
  private static final int IFLA_AF_SPEC = 26;
  private static final int AF_INET6 = 10;
  private static final int INET6_ADDR_GEN_MODE = 8;
  private static final byte INET6_NO_ADDRESS = 1;
  private static final int IFLA_NET_NS_FD = 28;
  private static final int IFLA_NUM_TX_QUEUES = 31;
  private static final int IFLA_NUM_RX_QUEUES = 32;
  private static final int IFLA_GSO_MAX_SEGS = 40;
  private static final int INFO_DATA = 2;
  private static final int VETH_PEER = 1;

  private final Rtnetlink kernel;

  public LinkRequests(Rtnetlink kernel) {
    this.kernel = kernel;
  }

  /**
   * Makes two interfaces that are connected with each other; both are down.
   *
   * @param peerSpace where the peer begins
   * @param queues of each direction, 1 or more
   */
  public void addVeth(String name, String peer, NetNamespace peerSpace, int queues) {
    MessageWriter message = link(Rtm.NEWLINK, NEW, 0, 0, 0);
    named(message, name, queues);
    int info = message.nest(Link.IFLA_LINKINFO);
    message.text(Link.INFO_KIND, "veth");
    int data = message.nest(INFO_DATA);
    int other = message.nest(VETH_PEER);
    message.u32(0).u32(0).u32(0).u32(0);
    named(message, peer, queues);
    message.number(IFLA_NET_NS_FD, peerSpace.descriptor());
    kernel.request(
        message.close(other).close(data).close(info), "new link " + name + " with peer " + peer);
  }

  private static void named(MessageWriter message, String name, int queues) {
    int bytes = name.getBytes(StandardCharsets.UTF_8).length;
    if (bytes < 1 || bytes > EthtoolCall.NAME_BYTES) {
      throw new NetException(
          Errno.EINVAL,
          "name '" + name + "' of an interface is not 1 to " + EthtoolCall.NAME_BYTES + " bytes");
    }
    message
        .text(Link.IFLA_IFNAME, name)
        .number(IFLA_NUM_TX_QUEUES, queues)
        .number(IFLA_NUM_RX_QUEUES, queues);
  }

  /** Switches an interface on or off. */
  public void setUp(int index, boolean up) {
    kernel.request(
        link(Rtm.NEWLINK, ACK, index, up ? Link.UP : 0, Link.UP),
        "link " + index + (up ? " up" : " down"));
  }

  /** Gives an interface, which must be down, another name. */
  public void rename(int index, String name) {
    kernel.request(
        link(Rtm.NEWLINK, ACK, index, 0, 0).text(Link.IFLA_IFNAME, name),
        "link " + index + " renamed to " + name);
  }

  /** Moves an interface to another namespace, where it is down and has no addresses. */
  public void move(int index, NetNamespace space) {
    kernel.request(
        link(Rtm.NEWLINK, ACK, index, 0, 0).number(IFLA_NET_NS_FD, space.descriptor()),
        "link " + index + " to another namespace");
  }

  /** Deletes an interface, and with a veth its peer. */
  public void delete(int index) {
    kernel.request(link(Rtm.DELLINK, ACK, index, 0, 0), "delete link " + index);
  }

  /** Gives an interface an IPv4 address, first number highest, of a network of that many bits. */
  public void addAddress(int index, int address, int prefix) {
    kernel.request(
        new MessageWriter(Rtm.NEWADDR, NEW)
            .u8(Rtm.AF_INET)
            .u8(prefix)
            .u16(0)
            .u32(index)
            .address(InterfaceAddress.IFA_LOCAL, address)
            .address(InterfaceAddress.IFA_ADDRESS, address),
        "address " + Ipv4.text(address) + "/" + prefix + " of link " + index);
  }

  /** Keeps IPv6 from giving an interface addresses, and so from sending by itself. */
  public void silenceIpv6(int index) {
    MessageWriter message = link(Rtm.NEWLINK, ACK, index, 0, 0);
    int families = message.nest(IFLA_AF_SPEC);
    int ipv6 = message.nest(AF_INET6);
    message.attribute(INET6_ADDR_GEN_MODE, new byte[] {INET6_NO_ADDRESS});
    try {
      kernel.request(message.close(ipv6).close(families), "link " + index + " without IPv6");
    } catch (NetException e) {
      // a kernel without IPv6 is silent anyway
      if (e.code() != SocketErrors.EAFNOSUPPORT) {
        throw e;
      }
    }
  }

  /** Has the kernel cut what it sends by an interface into frames, and leave it to no device. */
  public void sendFrames(int index) {
    kernel.request(
        link(Rtm.NEWLINK, ACK, index, 0, 0).number(IFLA_GSO_MAX_SEGS, 1),
        "link " + index + " with gso_max_segs 1");
  }

  private static MessageWriter link(int type, int flags, int index, int on, int mask) {
    return new MessageWriter(type, flags).u32(0).u32(index).u32(on).u32(mask);
  }
}
