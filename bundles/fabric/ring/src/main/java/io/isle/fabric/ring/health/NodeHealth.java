package io.isle.fabric.ring.health;

import io.isle.api.fabric.RingHealth;
import io.isle.api.fabric.RingRole;
import io.isle.api.fabric.RingSide;
import io.isle.fabric.ring.isle.LinkEvents;
import io.isle.lib.leap.isle.FrameException;
import io.isle.lib.leap.isle.IsleFrame;
import io.isle.lib.leap.isle.Notice;
import io.isle.lib.leap.isle.RollCall;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What a node tells its ring about its neighbours, and learns of all nodes: sends notices of
 * failures both ways round, passes on those of others, adds the node to roll calls; of a master,
 * also calls the roll. Links call {@link #events} while they are held; the agent calls {@link
 * #tend}; other calls are for any thread.
 */
public final class NodeHealth {
  /** Most news that nobody has fetched. */
  private static final int MOST_CHANGES = 64;

  private final String self;
  private final OwnState own;
  private final Runnable wake;
  private final NeighbourWatch prevWatch;
  private final NeighbourWatch nextWatch;
  private final NewsLimit prevLimit = new NewsLimit();
  private final NewsLimit nextLimit = new NewsLimit();
  private final OwnReports reports;
  private final FailureBook book;
  private final Failures failures;
  private final Optional<RollKeeper> roll;
  private final Members members = new Members();
  private final Queue<FailureChange> changes = new ArrayDeque<>();
  private RollListener rollListener = (nodes, begunNs, nowNs) -> {};
  private NewsPath prev = NewsPath.NONE;
  private NewsPath next = NewsPath.NONE;
  private long notices;
  private long dropped;
  private long dueNs = Long.MIN_VALUE;
  private boolean closed;
  private volatile boolean stirred = true;
  private volatile RingHealth health = RingHealth.NONE;
  private final AtomicLong view = new AtomicLong();
  private final AtomicLong looks = new AtomicLong();

  /**
   * A node without links.
   *
   * @param role a master calls the roll
   * @param stallNs nanoseconds of work on a packet after which a neighbour is stuck
   * @param firstId as of {@link OwnReports}, and for the numbers of roll calls
   * @param wake makes the agent call {@link #tend} soon; any thread
   */
  public NodeHealth(
      String self, RingRole role, OwnState own, long stallNs, long firstId, Runnable wake) {
    this.self = self;
    this.own = own;
    this.wake = wake;
    prevWatch = new NeighbourWatch(RingSide.PREV, own, stallNs, this::stir);
    nextWatch = new NeighbourWatch(RingSide.NEXT, own, stallNs, this::stir);
    reports = new OwnReports(self, firstId);
    book = new FailureBook(self);
    failures = new Failures(self);
    roll = role == RingRole.MASTER ? Optional.of(new RollKeeper(firstId)) : Optional.empty();
  }

  /** What a link of dialect isle tells. */
  public LinkEvents events(RingSide side) {
    return watch(side);
  }

  private NeighbourWatch watch(RingSide side) {
    return side == RingSide.PREV ? prevWatch : nextWatch;
  }

  /** The ways to both neighbours. */
  public synchronized void paths(NewsPath toPrev, NewsPath toNext) {
    prev = toPrev;
    next = toNext;
  }

  /** Who uses the roll calls of this master. */
  public synchronized void onRoll(RollListener listener) {
    rollListener = listener;
  }

  /** The state of the node, or of its ring, has changed. Any thread. */
  public void stir() {
    stirred = true;
    wake.run();
  }

  /** A roll call is due, because the layers of nodes have changed. */
  public synchronized void callRoll(long nowNs) {
    roll.ifPresent(keeper -> keeper.want(nowNs));
    stir();
  }

  /**
   * Does what is due.
   *
   * @return the time of the next call without news
   */
  public long tend(long nowNs) {
    return stirred || nowNs >= dueNs ? look(nowNs) : dueNs;
  }

  private synchronized long look(long nowNs) {
    stirred = false;
    looks.getAndIncrement();
    if (closed) {
      dueNs = Long.MAX_VALUE;
      return dueNs;
    }
    report(nowNs);
    boolean more = drain(prevWatch, prevLimit, nowNs) | drain(nextWatch, nextLimit, nowNs);
    book.expire(nowNs);
    failures.update(book.failing(), nowNs).forEach(this::tell);
    roll.ifPresent(keeper -> call(keeper, nowNs));
    publish();
    dueNs =
        Math.min(
            Math.min(reports.deadlineNs(), book.deadlineNs()),
            next.isUp() ? roll.map(RollKeeper::deadlineNs).orElse(Long.MAX_VALUE) : Long.MAX_VALUE);
    if (more) {
      stirred = true;
    }
    return more ? nowNs : dueNs;
  }

  private void report(long nowNs) {
    for (Notice notice : reports.due(prevWatch.view(), nextWatch.view(), nowNs)) {
      book.own(notice, nowNs);
      send(prev, notice);
      send(next, notice);
      wantRoll(notice, nowNs);
    }
  }

  /** A node that is here again may have joined the ring, or lack its layers. */
  private void wantRoll(Notice notice, long nowNs) {
    if (notice.cause() == Notice.Cause.BACK) {
      roll.ifPresent(keeper -> keeper.want(nowNs));
    }
  }

  private static void send(NewsPath path, Notice notice) {
    if (path.isUp()) {
      byte[] payload = new byte[Notice.BYTES];
      notice.write(MemorySegment.ofArray(payload), 0);
      path.post(IsleFrame.NOTICE, payload);
    }
  }

  private void send(RollCall piece) {
    if (next.isUp()) {
      byte[] payload = new byte[piece.bytes()];
      piece.write(MemorySegment.ofArray(payload), 0);
      next.post(IsleFrame.ROLL_CALL, payload);
    }
  }

  /** Takes what has arrived; whether more may be there. */
  private boolean drain(NeighbourWatch watch, NewsLimit limit, long nowNs) {
    Inbox<Object> inbox = watch.inbox();
    for (int i = 0; i < Inbox.MOST; i++) {
      Object item = inbox.poll();
      if (item == null) {
        return false;
      }
      if (item instanceof NeighbourWatch.Refused refused) {
        refused.warn(self);
      } else if (!limit.passes(nowNs)) {
        dropped++;
      } else if (item instanceof Notice notice) {
        take(notice, inbox.side(), nowNs);
      } else {
        pass((RollCall) item, inbox.side(), nowNs);
      }
    }
    return true;
  }

  private void take(Notice notice, RingSide from, long nowNs) {
    notices++;
    FailureBook.Result result = book.take(notice, from, nowNs);
    if (result == FailureBook.Result.FULL) {
      dropped++;
    }
    if (result == FailureBook.Result.NEW) {
      wantRoll(notice, nowNs);
      if (notice.hops() > 0) {
        send(from == RingSide.PREV ? next : prev, notice.passedOn());
      }
    }
  }

  private void pass(RollCall piece, RingSide from, long nowNs) {
    if (from == RingSide.NEXT) {
      dropped++;
      return;
    }
    if (roll.isPresent() && !roll.get().isOwn(piece)) {
      // no other master calls the roll of this ring
      dropped++;
      return;
    }
    if (roll.isPresent()) {
      if (roll.get().take(piece, nowNs)) {
        members.take(roll.get().complete(), own.entry());
        rollListener.rolled(roll.get().complete(), roll.get().begunNs(), nowNs);
      }
      return;
    }
    boolean round = piece.entries().stream().anyMatch(entry -> entry.node().equals(self));
    try {
      if (round) {
        dropped++;
      } else {
        piece.with(own.entry()).forEach(this::send);
      }
    } catch (FrameException e) {
      // a ring of too many nodes has no roll
      dropped++;
    }
  }

  private void call(RollKeeper keeper, long nowNs) {
    if (next.isUp()) {
      RollCall first = keeper.begin(nowNs);
      if (first != null) {
        send(first);
      }
    }
  }

  private void tell(FailureChange change) {
    if (changes.size() == MOST_CHANGES) {
      changes.remove();
    }
    changes.add(change);
  }

  /** News that were not fetched before, the oldest first. */
  public synchronized List<FailureChange> changes() {
    List<FailureChange> all = List.copyOf(changes);
    changes.clear();
    return all;
  }

  private void publish() {
    RingHealth before = health;
    RingHealth now =
        new RingHealth(
            failures.all(),
            members.list(),
            roll.map(RollKeeper::completeNs).orElse(0L),
            roll.map(RollKeeper::rounds).orElse(0L),
            failures.count(),
            members.rejoins(),
            notices,
            dropped + prevWatch.inbox().dropped() + nextWatch.inbox().dropped());
    health = now;
    boolean same = now.failures().equals(before.failures());
    if (!same || !Members.same(now.members(), before.members())) {
      view.getAndIncrement();
    }
  }

  /** What the node knows. Any thread. */
  public RingHealth health() {
    return health;
  }

  /** A number that changes with {@link #health}, but for times and counters. Any thread. */
  public long view() {
    return view.get();
  }

  /** Times that {@link #tend} had something to do. Any thread. */
  public long looks() {
    return looks.get();
  }

  /** No call of a path runs when this call returns, and none follows. */
  public synchronized void close() {
    closed = true;
  }
}
