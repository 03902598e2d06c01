package io.isle.fabric.ring.health;

import io.isle.api.fabric.RingSide;
import io.isle.fabric.ring.isle.LinkEvents;
import io.isle.lib.leap.isle.Goodbye;
import io.isle.lib.leap.isle.Heartbeat;
import io.isle.lib.leap.isle.Hello;
import io.isle.lib.leap.isle.Notice;
import io.isle.lib.leap.isle.RollCall;
import java.lang.foreign.MemorySegment;

/**
 * What a node sees of a neighbour by its link. The thread that drives the link writes; any thread
 * reads {@link #view}. Allocates nothing while the neighbour is well.
 */
final class NeighbourWatch implements LinkEvents {
  /** State in a heartbeat: the stage fails. */
  private static final int FAILED = 2;

  private final OwnState own;
  private final long stallNs;
  private final Inbox<Object> inbox;
  private final Runnable wake;
  private volatile View view = new View("", "", 0, false, null, 0, 0, "");

  /** Whether the neighbour has said goodbye on the path that ends next. */
  private boolean goodbye;

  /** Whether a refusal was told since the neighbour came. */
  private boolean told;

  /**
   * A neighbour as seen now. Immutable.
   *
   * @param node its name; empty before its first greeting
   * @param greetings greetings with a new session, or after a failure, so far
   * @param up whether a path is up
   * @param cause of its failure; null while it is well
   * @param frame as of {@link Notice}
   * @param ageNs as of {@link Notice}
   */
  record View(
      String node,
      String address,
      long greetings,
      boolean up,
      Notice.Cause cause,
      long frame,
      long ageNs,
      String detail) {
    View failing(Notice.Cause why, long lastFrame, long age, String words) {
      return new View(node, address, greetings, up, why, lastFrame, age, words);
    }
  }

  /** A node that asked for the place of the neighbour. */
  record Refused(String node, String why) {
    private static final System.Logger LOG = System.getLogger(NeighbourWatch.class.getName());

    /** Tells the log of the node {@code self}. */
    void warn(String self) {
      LOG.log(
          System.Logger.Level.WARNING,
          "ring node {0} refused node {1}: {2}. Further refusals are only counted, as strays",
          self,
          node,
          why);
    }
  }

  /**
   * @param own the state of this node, for heartbeats
   * @param wake called after each change; returns soon
   */
  NeighbourWatch(RingSide side, OwnState own, long stallNs, Runnable wake) {
    this.own = own;
    this.stallNs = stallNs;
    this.wake = wake;
    inbox = new Inbox<>(side);
  }

  View view() {
    return view;
  }

  Inbox<Object> inbox() {
    return inbox;
  }

  private void become(View next) {
    view = next;
    wake.run();
  }

  @Override
  public void greeted(Hello theirs, boolean restarted) {
    View before = view;
    boolean news = restarted || before.cause != null || !before.node.equals(theirs.node());
    long greetings = before.greetings + (news ? 1 : 0);
    goodbye = false;
    told &= !news;
    become(new View(theirs.node(), theirs.address(), greetings, true, null, 0, 0, ""));
  }

  /** Tells of the first one only: a stranger may ask as often as it likes. */
  @Override
  public void refused(Hello theirs, String why) {
    if (!told) {
      told = true;
      inbox.add(new Refused(theirs.node(), why));
      wake.run();
    }
  }

  @Override
  public void lost(boolean silent, String reason, long frame, long ageNs) {
    Notice.Cause cause =
        goodbye ? Notice.Cause.LEFT : silent ? Notice.Cause.SILENT : Notice.Cause.RESET;
    View now = view;
    become(new View(now.node, now.address, now.greetings, false, cause, frame, ageNs, reason));
  }

  @Override
  public void left(Goodbye said) {
    goodbye = true;
  }

  @Override
  public void beat(MemorySegment frame, long at, long nowNs) {
    long work = Heartbeat.work(frame, at);
    long ageNs = Heartbeat.workAgeNs(frame, at);
    if (work != 0 && ageNs >= stallNs) {
      become(view.failing(Notice.Cause.STUCK, work, ageNs, ""));
    } else if (Heartbeat.state(frame, at) == FAILED) {
      if (view.cause != Notice.Cause.FAILED) {
        become(view.failing(Notice.Cause.FAILED, 0, 0, ""));
      }
    } else if (view.cause != null) {
      become(view.failing(null, 0, 0, ""));
    }
  }

  @Override
  public void noticed(Notice notice) {
    inbox.add(notice);
    wake.run();
  }

  @Override
  public void called(RollCall piece) {
    inbox.add(piece);
    wake.run();
  }

  @Override
  public void state(MemorySegment heartbeat, long at, long nowNs) {
    own.write(heartbeat, at, nowNs);
  }
}
