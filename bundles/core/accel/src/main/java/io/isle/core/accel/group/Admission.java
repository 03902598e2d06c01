package io.isle.core.accel.group;

import io.isle.api.base.Errno;
import io.isle.api.device.Priority;
import io.isle.api.tenancy.Permission;
import io.isle.api.tenancy.TenancyException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Which guarantees can be kept together: of no device more than all of it, below no group more than
 * it has itself, and nowhere more than {@code compute.max} lets through. A group without the key
 * shares what its parent has, so what is guaranteed below it comes out of that. Pure functions.
 */
public final class Admission {
  /**
   * One part of a sum.
   *
   * @param contexts whether it is the contexts of the group, and not the group
   */
  private record Term(String group, boolean contexts, Share share) {
    @Override
    public String toString() {
      return (contexts ? "contexts of " : "") + group + " " + share;
    }
  }

  /**
   * What bounds a sum.
   *
   * @param group that sets it; the root for the device itself
   * @param key that sets it; empty for the device itself
   */
  private record Bound(String group, String key, Share share, String text) {}

  private final AccelGroups groups;
  private final ReservedShares reserved;
  private final String device;
  private final Predicate<Term> isNew;
  private final Predicate<Bound> isNewBound;

  private Admission(
      AccelGroups groups,
      ReservedShares reserved,
      String device,
      Predicate<Term> isNew,
      Predicate<Bound> isNewBound) {
    this.groups = groups;
    this.reserved = reserved;
    this.device = device;
    this.isNew = isNew;
    this.isNewBound = isNewBound;
  }

  /**
   * Admits groups.
   *
   * @param before those in force, to name the group whose change is too much
   * @param reserved guarantees of living contexts, which stay
   * @throws TenancyException EBUSY, with group, key and the sum, when others have too much of it
   *     already; EINVAL when a guarantee is above a {@code compute.max}
   */
  public static void check(AccelGroups before, AccelGroups proposed, ReservedShares reserved) {
    SortedSet<String> devices = new TreeSet<>();
    proposed
        .all()
        .forEach(group -> group.guarantee().ifPresent(all -> devices.addAll(all.keySet())));
    reserved.shares().values().forEach(all -> devices.addAll(all.keySet()));
    for (String device : devices) {
      new Admission(
              proposed,
              reserved,
              device,
              term -> !term.contexts() && changed(before, proposed, term.group(), device),
              bound -> changedBound(before, proposed, bound, device))
          .check();
    }
  }

  /**
   * Admits the guarantee of one more context: it is cut out of what its group has.
   *
   * @param reserved those of the living contexts
   * @return with the new one
   * @throws TenancyException EACCES when the group may not use the device; EBUSY and EINVAL as
   *     {@link #check}; ENOENT for an unknown group
   */
  public static ReservedShares reserve(
      AccelGroups groups, ReservedShares reserved, String group, String device, Bandwidth wanted) {
    AccelGroup its =
        groups
            .find(group)
            .orElseThrow(() -> new TenancyException(Errno.ENOENT, "no group '" + group + "'"));
    if (!its.allows(device)) {
      throw new TenancyException(
          Errno.EACCES,
          group,
          AccelGroupKeys.DEVICES,
          device + " is not one of the devices that " + group + " may use");
    }
    ReservedShares with = reserved.plus(group, device, wanted.share());
    new Admission(
            groups,
            with,
            device,
            term -> term.contexts() && term.group().equals(group),
            bound -> false)
        .check();
    return with;
  }

  /** What groups and contexts are promised of a device, all together. */
  public static Share promised(AccelGroups groups, ReservedShares reserved, String device) {
    AccelGroup root = groups.all().iterator().next();
    return new Admission(groups, reserved, device, term -> false, bound -> false)
        .below(root).stream().map(Term::share).reduce(Share.NONE, Share::plus);
  }

  /**
   * The priority of a context.
   *
   * @param asked null where the tenant leaves it to the group
   * @param permissions of its capability
   * @param guaranteed whether it or its group has a guarantee on the device
   * @throws TenancyException EACCES for realtime without the permission; EINVAL without a guarantee
   */
  public static Priority priority(
      AccelGroup group, Priority asked, Set<Permission> permissions, boolean guaranteed) {
    Priority priority = asked == null ? group.priority() : asked;
    if (priority == Priority.REALTIME) {
      String whose = asked == null ? "realtime, from group " + group.name() + "," : "realtime";
      if (!permissions.contains(Permission.ACCEL_CONTEXT_RT)) {
        throw new TenancyException(
            Errno.EACCES,
            group.name(),
            AccelGroupKeys.PRIORITY,
            whose + " needs the permission " + Permission.ACCEL_CONTEXT_RT.text());
      }
      if (!guaranteed) {
        throw new TenancyException(
            Errno.EINVAL,
            group.name(),
            AccelGroupKeys.PRIORITY,
            whose + " needs a guarantee of the context or of its group");
      }
    }
    return priority;
  }

  private static boolean changed(AccelGroups before, AccelGroups now, String name, String device) {
    AccelGroup is = now.find(name).orElseThrow();
    return before
        .find(name)
        .filter(was -> was.parent().equals(is.parent()))
        .filter(was -> was.guaranteed(device).equals(is.guaranteed(device)))
        .isEmpty();
  }

  private static boolean changedBound(
      AccelGroups before, AccelGroups now, Bound bound, String device) {
    return switch (bound.key()) {
      case AccelGroupKeys.COMPUTE_GUARANTEE -> changed(before, now, bound.group(), device);
      case AccelGroupKeys.COMPUTE_MAX ->
          before
              .find(bound.group())
              .map(was -> was.max().get(device))
              .filter(was -> was.share().equals(bound.share()))
              .isEmpty();
      default -> false;
    };
  }

  private void check() {
    for (AccelGroup group : groups.all()) {
      List<Term> below = below(group);
      if (group.parent().isEmpty()) {
        fits(below, new Bound(group.name(), "", Share.WHOLE, device));
      } else if (group.guarantee().isPresent()) {
        Share has = group.guaranteed(device);
        fits(
            below,
            new Bound(
                group.name(),
                AccelGroupKeys.COMPUTE_GUARANTEE,
                has,
                "the guarantee of " + group.name() + ", " + has));
      }
      Bandwidth max = group.max().get(device);
      if (max != null) {
        List<Term> needed =
            group.guarantee().isPresent()
                ? List.of(new Term(group.name(), false, group.guaranteed(device)))
                : below;
        fits(
            needed,
            new Bound(
                group.name(),
                AccelGroupKeys.COMPUTE_MAX,
                max.share(),
                "the compute.max of " + group.name() + ", " + max.share()));
      }
    }
  }

  /** What is guaranteed directly out of a group's own. */
  private List<Term> below(AccelGroup group) {
    List<Term> terms = new ArrayList<>();
    Share ofContexts = reserved.of(group.name(), device);
    if (!ofContexts.isNone()) {
      terms.add(new Term(group.name(), true, ofContexts));
    }
    for (AccelGroup child : groups.children(group.name())) {
      if (child.guarantee().isEmpty()) {
        terms.addAll(below(child));
      } else if (!child.guaranteed(device).isNone()) {
        terms.add(new Term(child.name(), false, child.guaranteed(device)));
      }
    }
    return terms;
  }

  private void fits(List<Term> terms, Bound bound) {
    Share sum = terms.stream().map(Term::share).reduce(Share.NONE, Share::plus);
    if (sum.compareTo(bound.share()) <= 0) {
      return;
    }
    String parts = terms.stream().map(Term::toString).collect(Collectors.joining(" + "));
    String text = terms.size() == 1 ? parts : parts + " = " + sum;
    Term last = terms.stream().filter(isNew).reduce((a, b) -> b).orElse(null);
    boolean max = bound.key().equals(AccelGroupKeys.COMPUTE_MAX);
    int code = max ? Errno.EINVAL : Errno.EBUSY;
    if (last == null && isNewBound.test(bound)) {
      throw new TenancyException(
          code,
          bound.group(),
          bound.key(),
          device + ": " + bound.share() + " is less than the guarantees below: " + text);
    }
    Term blamed = last == null ? terms.getLast() : last;
    throw new TenancyException(
        code,
        blamed.group(),
        AccelGroupKeys.COMPUTE_GUARANTEE,
        device
            + ": "
            + text
            + (terms.size() == 1 ? " is more than " : " of ")
            + bound.text()
            + (terms.size() == 1 ? "" : "; " + left(terms, blamed, bound) + " is left"));
  }

  private static Share left(List<Term> terms, Term blamed, Bound bound) {
    return bound
        .share()
        .minus(
            terms.stream()
                .filter(term -> !term.equals(blamed))
                .map(Term::share)
                .reduce(Share.NONE, Share::plus));
  }
}
