package io.isle.apps.jobs.run;

import io.isle.api.jobs.JobObserver;
import io.isle.apps.jobs.fault.ActionBook;
import io.isle.apps.jobs.fault.FaultSchedule;
import io.isle.apps.jobs.fault.Measures;
import io.isle.apps.jobs.fault.Recoveries;
import io.isle.apps.jobs.measure.Measuring;
import io.isle.apps.jobs.platform.CrashBlame;
import io.isle.apps.jobs.platform.JobArrays;
import io.isle.apps.jobs.spec.JobSpec;

/**
 * What the parts of a running job share.
 *
 * @param threadName prefix of the names of its threads
 */
record Env(
    String jobId,
    String threadName,
    Tenant tenant,
    JobObserver observer,
    Measures measures,
    JobSpec.Patience patience,
    FaultSchedule faults,
    Ending ending,
    Programs programs,
    Recoveries recoveries,
    CrashBlame blame,
    Measuring measuring,
    JobArrays arrays,
    ActionBook actions,
    Outputs outputs,
    Clocks clocks,
    Placement placement,
    Results results) {
  String device() {
    return tenant.device();
  }

  /** The same on another device. */
  Env on(Tenant other) {
    return with(threadName, other, observer);
  }

  /** The same for another thread, with an observer of its own. */
  Env with(String name, JobObserver other) {
    return with(name, tenant, other);
  }

  private Env with(String otherThread, Tenant otherTenant, JobObserver otherObserver) {
    return new Env(
        jobId,
        otherThread,
        otherTenant,
        otherObserver,
        measures,
        patience,
        faults,
        ending,
        programs,
        recoveries,
        blame,
        measuring,
        arrays,
        actions,
        outputs,
        clocks,
        placement,
        results);
  }
}
