package io.isle.spin.nic.core;

import io.isle.spin.nic.plan.NicLimits;

/** Gives tasks to HPUs: which is next, where it runs, and what its time is charged to. */
final class Hpus {
  private final FairGroups groups;
  private final NicOutput output;
  private final HpuClusters clusters;
  private int parallel;
  private int running;

  Hpus(NicLimits limits, FairGroups groups, NicOutput output, int parallel) {
    this.groups = groups;
    this.output = output;
    this.parallel = parallel;
    clusters = new HpuClusters(limits);
  }

  void parallel(int tasks) {
    parallel = tasks;
  }

  int running() {
    return running;
  }

  int dispatch(long nowNs) {
    int started = start(nowNs);
    while (running < parallel && !clusters.full()) {
      GroupShare share = groups.next(nowNs);
      if (share == null) {
        break;
      }
      MessageQueue queue = share.remove();
      if (!queue.isReady()) {
        // its message was aborted meanwhile
        continue;
      }
      share.took();
      // a cluster has room, as not all are full
      int cluster = clusters.place(queue.index());
      queue.take(clusters.add(cluster));
      groups.list(queue, nowNs);
      started += start(nowNs);
    }
    return started;
  }

  private int start(long nowNs) {
    int started = 0;
    for (int cluster = 0; cluster < clusters.clusters(); cluster++) {
      while (running < parallel && clusters.canStart(cluster)) {
        NicTask task = clusters.start(cluster, nowNs);
        task.context.share().started(nowNs);
        running++;
        started++;
        output.dispatch(task);
      }
    }
    return started;
  }

  /** The running task with a tag, or null. */
  NicTask find(long tag) {
    int hpu = (int) (tag & 0xFF);
    if (hpu >= clusters.size()) {
      return null;
    }
    NicTask task = clusters.at(hpu);
    return task.idle() || task.tag() != tag ? null : task;
  }

  /** All HPUs. */
  int size() {
    return clusters.size();
  }

  /** What an HPU runs; null if it is idle. */
  NicTask at(int hpu) {
    NicTask task = clusters.at(hpu);
    return task.idle() ? null : task;
  }

  boolean hostWait(long tag, boolean waits) {
    NicTask task = find(tag);
    if (task == null) {
      return false;
    }
    if (task.hostWait != waits) {
      task.hostWait = waits;
      running += waits ? -1 : 1;
    }
    return true;
  }

  void charge(NicTask task, long nowNs) {
    task.context.share().ended(task.startNs, nowNs);
    task.context.counters().hpuNs += nowNs - task.startNs;
  }

  void end(NicTask task) {
    running -= task.hostWait ? 0 : 1;
    clusters.end(task);
  }

  /** Takes the tasks of a queue back that have not started. */
  void cancel(MessageQueue queue) {
    clusters.cancelWaiting(queue);
  }

  /** Ends all tasks of a context. */
  void remove(NicContext context, long nowNs) {
    clusters.removeWaiting(context);
    for (int i = 0; i < clusters.size(); i++) {
      NicTask task = clusters.at(i);
      if (task.context == context) {
        charge(task, nowNs);
        end(task);
      }
    }
  }
}
