package io.isle.core.accel.admission;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.ContextSpec;
import io.isle.api.base.Errno;
import io.isle.api.base.GroupNames;
import io.isle.api.base.MonotonicClock;
import io.isle.api.device.Priority;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.TenancyException;
import io.isle.core.accel.group.AccelGroups;
import io.isle.core.accel.group.Admission;
import io.isle.core.accel.group.Bandwidth;
import io.isle.core.accel.group.ReservedShares;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Which contexts live in which groups, oldest first, and whether another one may come: under the
 * groups in force, and under those that are about to be. A group that nobody made counts as the
 * root; one that somebody made and that is not in force takes nothing: its limits are not known.
 * Thread-safe; nothing here waits for a device.
 */
public final class GroupMembers {
  /** How long a tree that was checked may take to come into force. */
  private static final long CHANGE_NS = TimeUnit.SECONDS.toNanos(30);

  private final MonotonicClock clock;
  private final Set<Membership> members = new LinkedHashSet<>();

  /** Groups that are being ended. */
  private final Set<String> closed = new HashSet<>();

  private AccelGroups groups = AccelGroups.EMPTY;

  /** Groups that somebody made and that are not in force, with why; null until it is known. */
  private Map<String, String> held;

  /** Checked last and not in force yet; null if there is none. */
  private AccelGroups proposed;

  private long proposedAtNs;

  private final GroupAccounts accounts;

  public GroupMembers(MonotonicClock clock) {
    this.clock = clock;
    this.accounts = new GroupAccounts(clock);
  }

  /** What is counted of them. */
  public GroupAccounts accounts() {
    return accounts;
  }

  public synchronized AccelGroups groups() {
    return groups;
  }

  /** All, oldest first. */
  synchronized List<Membership> all() {
    return new ArrayList<>(members);
  }

  /** Those of a group by the name that they have, oldest first. */
  synchronized List<Membership> of(String group) {
    return members.stream().filter(member -> member.group().equals(group)).toList();
  }

  /**
   * A context is about to be opened; it leaves again whatever becomes of that.
   *
   * @throws TenancyException EACCES when the group may not use the device, or for realtime without
   *     the permission; EINVAL for realtime without a guarantee
   * @throws AccelException EBUSY when its guarantee is too much, with the sum, or its group is
   *     being ended or is held back, with why; EINTR while it is not known which groups there are;
   *     ERANGE naming the field
   */
  public synchronized Membership admit(String device, ContextSpec spec, Capability capability) {
    String name = capability.group();
    checkTakes(name);
    Optional<Bandwidth> own = ContextRules.guarantee(spec);
    Priority priority = admit(groups, device, spec, capability, own);
    if (isChanging()) {
      priority = admit(proposed, device, spec.withPriority(priority), capability, own);
    }
    Membership member = new Membership(device, capability, spec, priority, own);
    members.add(member);
    return member;
  }

  private void checkTakes(String name) {
    if (closed.contains(name) || isChanging() && isGoing(groups, proposed, name)) {
      throw new AccelException(Errno.EBUSY, "group " + name + " is being deleted");
    }
    checkKnown(name);
    if (held != null && held.containsKey(name)) {
      throw new AccelException(
          Errno.EBUSY, "group " + name + " is not in force: " + held.get(name));
    }
  }

  private void checkKnown(String name) {
    if (held == null && !name.equals(GroupNames.DEFAULT)) {
      throw new AccelException(
          Errno.EINTR,
          "group " + name + ": the settings of groups are not loaded yet; try again in a moment");
    }
  }

  /**
   * All groups, for a question about some.
   *
   * @throws AccelException EINTR while it is not known which groups there are
   */
  public synchronized AccelGroups groups(Collection<String> names) {
    names.forEach(this::checkKnown);
    return groups;
  }

  private Priority admit(
      AccelGroups tree,
      String device,
      ContextSpec spec,
      Capability capability,
      Optional<Bandwidth> own) {
    ReservedShares others = reserved(tree, name -> !isGoing(groups, tree, name));
    return GroupRules.admit(tree, others, device, spec, capability, own);
  }

  /** Whether a checked tree is on its way: then what comes must be good in both. */
  private boolean isChanging() {
    if (proposed != null && closed.isEmpty() && clock.nanoTime() - proposedAtNs > CHANGE_NS) {
      proposed = null;
    }
    return proposed != null;
  }

  /** What living contexts have of their own, by the groups that they are in. */
  synchronized ReservedShares reserved() {
    return reserved(groups, name -> true);
  }

  private ReservedShares reserved(AccelGroups tree, Predicate<String> stays) {
    ReservedShares reserved = ReservedShares.NONE;
    for (Membership member : members) {
      if (member.lives() && member.guarantee().isPresent() && stays.test(member.group())) {
        reserved =
            reserved.plus(
                tree.resolve(member.group()).name(),
                member.device(),
                member.guarantee().get().share());
      }
    }
    return reserved;
  }

  /**
   * Checks whether groups can be, with all contexts that live but for those of groups that go.
   * Until it is in force, or half a minute, contexts are admitted that are good in both.
   *
   * @throws TenancyException as {@link Admission#check}; EBUSY when a realtime context would be
   *     left without a guarantee
   */
  public synchronized void check(AccelGroups before, AccelGroups next) {
    Predicate<String> stays = name -> !isGoing(before, next, name);
    Admission.check(before, next, reserved(next, stays));
    for (Membership member : members) {
      if (member.lives() && stays.test(member.group())) {
        GroupRules.checkRealtime(before, next, member);
      }
    }
    proposed = next;
    proposedAtNs = clock.nanoTime();
  }

  /** Contexts of a group that was there and goes are ended before. */
  private boolean isGoing(AccelGroups before, AccelGroups next, String name) {
    boolean was = before.find(name).isPresent() || groups.find(name).isPresent();
    return was && next.find(name).isEmpty();
  }

  /**
   * The groups in force.
   *
   * @param notInForce those that somebody made and that are not, with why
   * @return the names of those that went
   */
  public synchronized Set<String> apply(AccelGroups next, Map<String, String> notInForce) {
    held = Map.copyOf(notInForce);
    Set<String> gone = new LinkedHashSet<>();
    groups.all().forEach(group -> gone.add(group.name()));
    next.all().forEach(group -> gone.remove(group.name()));
    groups = next;
    proposed = null;
    closed.clear();
    accounts.apply(next);
    return gone;
  }

  /** From now until the next {@link #apply} nothing comes into a group. */
  synchronized void close(String group) {
    closed.add(group);
  }

  /** Waits until nobody is in a group; false when the time ran out or the thread is interrupted. */
  synchronized boolean awaitEmpty(String group, long boundNs) {
    long deadline = System.nanoTime() + boundNs;
    while (members.stream().anyMatch(member -> member.group().equals(group))) {
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        return false;
      }
      try {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
    return true;
  }

  /** The context of a membership is there; false when its group was ended meanwhile. */
  public synchronized boolean enter(Membership membership, Member member) {
    membership.member = member;
    accounts.open(membership, member);
    return !membership.evicted;
  }

  /** The group of a membership is ended; empty while its context is not there yet. */
  synchronized Optional<Member> evict(Membership membership) {
    membership.evicted = true;
    return Optional.ofNullable(membership.member);
  }

  /** A context is over, or was not opened after all. Idempotent. */
  public void leave(Membership membership) {
    membership.lose();
    synchronized (this) {
      if (!members.remove(membership)) {
        return;
      }
      if (membership.member != null) {
        accounts.close(membership);
      }
      notifyAll();
    }
  }
}
