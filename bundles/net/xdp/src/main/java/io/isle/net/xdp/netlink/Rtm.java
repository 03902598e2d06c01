package io.isle.net.xdp.netlink;

/** Numbers of rtnetlink, under their names in Linux without the prefixes. */
final class Rtm {
  static final int ERROR = 2;
  static final int DONE = 3;

  static final int NEWLINK = 16;
  static final int DELLINK = 17;
  static final int GETLINK = 18;
  static final int NEWADDR = 20;
  static final int DELADDR = 21;
  static final int GETADDR = 22;
  static final int NEWROUTE = 24;
  static final int DELROUTE = 25;
  static final int GETROUTE = 26;
  static final int NEWNEIGH = 28;
  static final int DELNEIGH = 29;
  static final int GETNEIGH = 30;
  static final int NEWNEXTHOP = 104;
  static final int DELNEXTHOP = 105;

  static final int REQUEST = 1;
  static final int ACK = 4;
  static final int DUMP_INTR = 0x10;
  static final int CAPPED = 0x100;
  static final int ACK_TLVS = 0x200;
  static final int DUMP = 0x300;
  static final int REPLACE = 0x100;
  static final int EXCL = 0x200;
  static final int CREATE = 0x400;

  static final int GROUP_LINK = 1;
  static final int GROUP_NEIGH = 3;
  static final int GROUP_IPV4_IFADDR = 5;
  static final int GROUP_IPV4_ROUTE = 7;
  static final int GROUP_NEXTHOP = 32;

  static final int AF_INET = 2;

  private Rtm() {}
}
