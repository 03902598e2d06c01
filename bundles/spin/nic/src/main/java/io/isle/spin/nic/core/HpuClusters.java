package io.isle.spin.nic.core;

import io.isle.spin.nic.plan.NicLimits;

/** HPUs by cluster, what runs on them, and the tasks that wait at a cluster. */
final class HpuClusters {
  static final int NONE = -1;

  private final int clusters;
  private final int hpus;
  private final NicTask[] running;
  private final NicTask[][] waiting;
  private final int[] waits;
  private final int[] head;
  private final int[] busy;

  HpuClusters(NicLimits limits) {
    clusters = limits.clusters();
    hpus = limits.hpus();
    running = new NicTask[clusters * hpus];
    waiting = new NicTask[clusters][NicLimits.CLUSTER_DEPTH];
    waits = new int[clusters];
    head = new int[clusters];
    busy = new int[clusters];
    for (int i = 0; i < running.length; i++) {
      running[i] = new NicTask(i);
    }
    for (NicTask[] queue : waiting) {
      for (int i = 0; i < queue.length; i++) {
        queue[i] = new NicTask(-1);
      }
    }
  }

  int clusters() {
    return clusters;
  }

  /** All HPUs. */
  int size() {
    return running.length;
  }

  NicTask at(int hpu) {
    return running[hpu];
  }

  /** The cluster for a task of a queue; {@link #NONE} where there is no room. */
  int place(int queue) {
    int home = queue % clusters;
    if (waits[home] < NicLimits.CLUSTER_DEPTH) {
      return home;
    }
    int least = home;
    for (int i = 0; i < clusters; i++) {
      if (busy[i] + waits[i] < busy[least] + waits[least]) {
        least = i;
      }
    }
    return waits[least] < NicLimits.CLUSTER_DEPTH ? least : NONE;
  }

  /** Whether each cluster has as many waiting tasks as it may. */
  boolean full() {
    for (int count : waits) {
      if (count < NicLimits.CLUSTER_DEPTH) {
        return false;
      }
    }
    return true;
  }

  /** The task behind the waiting ones of a cluster with room. */
  NicTask add(int cluster) {
    return waiting[cluster][(head[cluster] + waits[cluster]++) % NicLimits.CLUSTER_DEPTH];
  }

  /** Whether a task waits where an HPU is idle. */
  boolean canStart(int cluster) {
    return waits[cluster] > 0 && busy[cluster] < hpus;
  }

  /** Moves the first waiting task to the first idle HPU. */
  NicTask start(int cluster, long nowNs) {
    int hpu = cluster * hpus;
    while (!running[hpu].idle()) {
      hpu++;
    }
    NicTask task = running[hpu];
    NicTask from = first(cluster);
    task.set(from);
    from.clear();
    busy[cluster]++;
    task.start(nowNs);
    return task;
  }

  void end(NicTask task) {
    busy[task.hpu() / hpus]--;
    task.clear();
  }

  /** Takes the waiting tasks of a context out; the others keep their order. */
  void removeWaiting(NicContext context) {
    for (int cluster = 0; cluster < clusters; cluster++) {
      for (int left = waits[cluster]; left > 0; left--) {
        NicTask task = first(cluster);
        if (task.context == context) {
          task.context.share().dropped();
          task.clear();
        } else {
          again(cluster, task);
        }
      }
    }
  }

  /** Gives the waiting tasks of a queue back to it; the others keep their order. */
  void cancelWaiting(MessageQueue queue) {
    for (int cluster = 0; cluster < clusters; cluster++) {
      for (int left = waits[cluster]; left > 0; left--) {
        NicTask task = first(cluster);
        if (task.queue == queue) {
          task.context.share().dropped();
          queue.cancelled(task.slot);
          task.clear();
        } else {
          again(cluster, task);
        }
      }
    }
  }

  private NicTask first(int cluster) {
    NicTask task = waiting[cluster][head[cluster]];
    head[cluster] = (head[cluster] + 1) % NicLimits.CLUSTER_DEPTH;
    waits[cluster]--;
    return task;
  }

  /** Puts a task behind the others of a cluster. */
  private void again(int cluster, NicTask task) {
    NicTask to = add(cluster);
    if (to != task) {
      to.set(task);
      task.clear();
    }
  }
}
