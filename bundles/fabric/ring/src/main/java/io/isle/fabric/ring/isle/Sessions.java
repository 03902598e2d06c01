package io.isle.fabric.ring.isle;

import io.isle.lib.leap.isle.Hello;

/**
 * What both ends of a link know of each other: the session of the neighbour, whose numbers count,
 * and which greetings fit. One thread at a time.
 */
final class Sessions {
  private final IsleSpec spec;
  private final long session;
  private final Inbound in;
  private final Outbound out;
  private final Lanes lanes;
  private final Neighbour neighbour;

  /**
   * The neighbour counts on numbers that this node has forgotten, and has not sent a frame since it
   * was told so.
   */
  private boolean denied;

  Sessions(IsleSpec spec, long session, Inbound in, Outbound out, Lanes lanes) {
    this.spec = spec;
    this.session = session;
    this.in = in;
    this.out = out;
    this.lanes = lanes;
    neighbour = new Neighbour(spec);
  }

  Neighbour neighbour() {
    return neighbour;
  }

  /** The neighbour has sent a frame by the numbers of now. */
  void confirmed() {
    denied = false;
  }

  Hello hello(boolean reply) {
    return new Hello(
        reply,
        spec.ring(),
        spec.node(),
        spec.role(),
        session,
        reply && denied ? 0 : neighbour.session(),
        in.delivered(),
        spec.packetBytes(),
        out.window().window(),
        spec.heartbeatMs(),
        spec.address());
  }

  /** Whether a greeting is of the present session of the neighbour. */
  boolean isPeer(Hello theirs) {
    return theirs.session() == neighbour.session();
  }

  /**
   * Whether another node asks for the place of the neighbour, from which another path is up. The
   * connecting side has chosen its neighbour by itself.
   */
  boolean isTaken(Lane lane, Hello theirs, long nowNs) {
    Hello present = neighbour.hello();
    return !spec.connects()
        && present != null
        && !present.node().equals(theirs.node())
        && lanes.hasOther(lane, nowNs);
  }

  /** Why {@link #isTaken} is a refusal, and the remedy. */
  String taken(Hello theirs) {
    String present = neighbour.hello().node();
    return "node "
        + present
        + " is the previous node of "
        + spec.node()
        + ", and its path is up; set next of node "
        + theirs.node()
        + " to another node, or stop node "
        + present;
  }

  /** Why the numbers of a greeting cannot be; empty if they can. */
  String unknown(Hello theirs) {
    long known = known(theirs);
    boolean same = isPeer(theirs) && !denied && !isDenial(theirs);
    // an acknowledgement on a path that is up may have overtaken the greeting
    boolean late = known < out.acknowledged() && lanes.current() == null;
    return same && (known > out.written() || late)
        ? "delivered: the peer has "
            + known
            + ", of the frames "
            + out.window().first()
            + " to "
            + out.written()
        : "";
  }

  /** The last frame of this session that the neighbour says to have. */
  long known(Hello theirs) {
    boolean same = isPeer(theirs) && theirs.peerSession() == session;
    return same && !denied ? theirs.delivered() : 0;
  }

  /** Whether the numbers of both directions begin again with a greeting. */
  boolean restarts(Hello theirs) {
    return neighbour.session() != 0
        && (!isPeer(theirs) || isDenial(theirs) || isDeniedAgain(theirs));
  }

  /** Whether the neighbour has met another one meanwhile, and has forgotten this node's numbers. */
  private boolean isDenial(Hello theirs) {
    boolean forgotten =
        theirs.reply()
            ? theirs.peerSession() == 0
            : theirs.peerSession() != 0 && theirs.peerSession() != session && hasNumbers();
    return isPeer(theirs) && forgotten;
  }

  /** Whether frames were exchanged with the present session of the neighbour. */
  private boolean hasNumbers() {
    return in.delivered() > 0 || out.acknowledged() > 0;
  }

  /** Whether the neighbour still counts on numbers that it was told to forget. */
  private boolean isDeniedAgain(Hello theirs) {
    return denied && !theirs.reply() && theirs.peerSession() == session;
  }

  /** A greeting was accepted. */
  void greeted(Hello theirs) {
    denied = !theirs.reply() && theirs.peerSession() == session && (!isPeer(theirs) || denied);
    neighbour.greeted(theirs);
  }
}
