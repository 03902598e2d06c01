package io.isle.core.accel.fence;

import io.isle.api.accel.Fence;
import io.isle.api.accel.FenceType;
import io.isle.api.accel.HostTimeline;
import io.isle.api.base.Errno;
import io.isle.api.base.Ids;

/**
 * Whether a submission may wait for a point, or signal one, and why not. The reason becomes text
 * only when somebody asks. One thread; allocates in {@link #text} alone.
 */
public final class FenceCheck {
  private enum Why {
    FOREIGN,
    MALFORMED,
    STALE,
    OVER,
    TENANT,
    TYPE,
    DEVICE,
    DOMAIN,
    OUT_OF_RANGE,
    NOT_SUBMITTED,
    OWN_LATER,
    OWNER,
    SIGNALLED,
    SELF,
    TOO_MANY,
    SECOND,
    TIMEOUT
  }

  private final FenceTable table;
  private final FenceOwner own;
  private final long ownTimeline;
  private Why why;
  private int code;
  private FenceSource source;
  private Fence named;
  private long point;
  private long limit;

  /**
   * @param own owner of the timeline of the context that submits
   * @param ownTimeline its core id
   */
  public FenceCheck(FenceTable table, FenceOwner own, long ownTimeline) {
    this.table = table;
    this.own = own;
    this.ownTimeline = ownTimeline;
  }

  /** Whether a wait for {@code awaited} of {@code from} is allowed: 0, or a negated code. */
  public int mayWait(FenceSource from, long awaited) {
    if (from == null) {
      return refuse(-Errno.EINVAL, Why.FOREIGN, null, awaited, 0);
    }
    if (!from.owner().mayWait(own.tenant())) {
      return refuse(-Errno.EACCES, Why.TENANT, from, awaited, 0);
    }
    FenceDevice device = from.owner().device();
    if (device == null) {
      return mayWaitForHost(from, awaited);
    }
    if (device.domain() != own.device().domain()) {
      return refuse(-Errno.EXDEV, Why.DOMAIN, from, awaited, 0);
    }
    long submitted = from.promised();
    if (awaited < 0) {
      return refuse(-Errno.EINVAL, Why.OUT_OF_RANGE, from, awaited, Long.MAX_VALUE);
    }
    if (awaited > submitted) {
      return from.id() == ownTimeline
          ? refuse(-Errno.EDEADLK, Why.OWN_LATER, from, awaited, submitted)
          : refuse(-Errno.EINVAL, Why.NOT_SUBMITTED, from, awaited, submitted);
    }
    return 0;
  }

  private int mayWaitForHost(FenceSource from, long awaited) {
    if (awaited < 0 || awaited > HostTimeline.MAX_POINT) {
      return refuse(-Errno.EINVAL, Why.OUT_OF_RANGE, from, awaited, HostTimeline.MAX_POINT);
    }
    return 0;
  }

  /** The timeline that a point by value is of; null, and {@link #code}, when it is refused. */
  public FenceSource find(Fence fence) {
    if (fence == null
        || fence.type() == null
        || fence.device() == null
        || !FenceTable.isTimeline(fence.timeline())) {
      return refused(-Errno.EINVAL, Why.MALFORMED, null, fence);
    }
    FenceSource found = table.find(fence.timeline());
    if (found == null) {
      return refused(-Errno.ESTALE, Why.STALE, null, fence);
    }
    // before anything of it is told
    if (!found.owner().mayWait(own.tenant())) {
      return refused(-Errno.EACCES, Why.TENANT, found, fence);
    }
    if (fence.type() != type(found)) {
      return refused(-Errno.EINVAL, Why.TYPE, found, fence);
    }
    if (!fence.device().equals(found.owner().deviceId())) {
      return refused(-Errno.EINVAL, Why.DEVICE, found, fence);
    }
    return found;
  }

  private FenceType type(FenceSource of) {
    FenceDevice device = of.owner().device();
    if (device == null) {
      return FenceType.CPU_SIGNAL;
    }
    return device == own.device() ? FenceType.DEVICE_LOCAL : FenceType.CROSS_DEVICE;
  }

  /** Whether the submission's end may signal {@code signalled} of {@code target}. */
  public int maySignal(FenceSource target, long signalled, long now) {
    if (target == null || target.owner().device() != null) {
      return refuse(-Errno.EINVAL, Why.FOREIGN, null, signalled, 0);
    }
    if (!target.owner().tenant().equals(own.tenant())) {
      return refuse(-Errno.EACCES, Why.OWNER, target, signalled, 0);
    }
    if (signalled < 1 || signalled > HostTimeline.MAX_POINT) {
      return refuse(-Errno.EINVAL, Why.OUT_OF_RANGE, target, signalled, HostTimeline.MAX_POINT);
    }
    int outcome = target.outcome(signalled, now);
    if (outcome == 0) {
      return refuse(-Errno.EINVAL, Why.SIGNALLED, target, signalled, target.reached());
    }
    return outcome == -Errno.EINPROGRESS ? 0 : refuse(outcome, Why.OVER, target, signalled, 0);
  }

  /** The submission waits for what its own end is to signal. */
  public int waitsForItself(long awaited, long signalled) {
    return refuse(-Errno.EDEADLK, Why.SELF, null, awaited, signalled);
  }

  /** There is no room for another wait. */
  public int tooMany(int most) {
    return refuse(-Errno.EINVAL, Why.TOO_MANY, null, 0, most);
  }

  /** It is to signal something already. */
  public int second() {
    return refuse(-Errno.EINVAL, Why.SECOND, null, 0, 0);
  }

  public int timeout(long given, long most) {
    return refuse(-Errno.ERANGE, Why.TIMEOUT, null, given, most);
  }

  /** Of the last refusal. */
  public int code() {
    return code;
  }

  private FenceSource refused(int negated, Why reason, FenceSource from, Fence fence) {
    named = fence;
    var ignored = refuse(negated, reason, from, fence == null ? 0 : fence.point(), 0);
    return null;
  }

  private int refuse(int negated, Why reason, FenceSource from, long about, long bound) {
    code = negated;
    why = reason;
    source = from;
    point = about;
    limit = bound;
    own.device().wasRefused();
    return negated;
  }

  /** For people: the field, what was given and what is allowed. */
  public String text() {
    return switch (why) {
      case FOREIGN ->
          "timeline: the object is not a timeline of this platform, or is not of the needed kind";
      case MALFORMED -> "fence: type, device and timeline do not name a timeline";
      case STALE -> "timeline: " + Ids.text(named.timeline()) + " is closed";
      case OVER -> "timeline: " + name() + " has ended (" + Errno.name(code) + ")";
      case TENANT ->
          "timeline: " + name() + " belongs to another tenant and is not shared with this tenant";
      case TYPE ->
          "type: "
              + named.type().text()
              + " does not match; for "
              + own.deviceId()
              + " the timeline has the type "
              + type(source).text();
      case DEVICE ->
          "device: '"
              + (named.device().length() > 40 ? named.device().substring(0, 40) : named.device())
              + "' does not match; the timeline belongs to '"
              + source.owner().deviceId()
              + "'";
      case DOMAIN ->
          "timeline: "
              + source.owner().deviceId()
              + " is in fence domain "
              + source.owner().device().domain()
              + ", "
              + own.deviceId()
              + " in "
              + own.device().domain()
              + "; use a host timeline between these devices";
      case OUT_OF_RANGE ->
          "point: " + point + " is not a point of a timeline; the largest is " + limit;
      case NOT_SUBMITTED ->
          "point: "
              + point
              + " of "
              + name()
              + " was not submitted; the newest submitted point is "
              + limit
              + "";
      case OWN_LATER ->
          "point: "
              + point
              + " of this context was not submitted before this submission; the newest submitted"
              + " point is "
              + limit;
      case OWNER ->
          "timeline: "
              + name()
              + " belongs to another tenant; only that tenant may signal the timeline";
      case SIGNALLED ->
          "point: " + point + " is signalled already; " + name() + " is at point " + limit;
      case SELF ->
          "point: the submission waits for " + point + " and its end would signal " + limit;
      case TOO_MANY -> "waits: a submission has at most " + limit + " waits";
      case SECOND -> "signal: a submission signals at most one point";
      case TIMEOUT -> "timeoutNs: " + point + " is not within 1 to " + limit;
    };
  }

  private String name() {
    return Ids.text(source.id());
  }
}
