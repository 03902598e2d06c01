package io.isle.core.drivers.groups;

import io.isle.api.driver.HandlerUnits;
import io.isle.api.driver.HpuCaps;
import io.isle.api.driver.HpuLimits;
import io.isle.api.driver.HpuReport;
import java.util.List;
import java.util.Optional;

/** HPUs of a process, which write down where they are called. */
record FakeHandlers(long pid, List<String> calls) implements HandlerUnits {
  private void note(String what) {
    calls.add(what + " on " + Thread.currentThread().getName());
  }

  @Override
  public HpuCaps caps() {
    note("caps");
    return new HpuCaps(1, 2, 8, 16, pid, 1536, 40, new HpuLimits(1, 0, 0, 0));
  }

  @Override
  public void attach(long context, long program, long[] memories, HpuLimits limits) {
    note("attach " + program);
  }

  @Override
  public void detach(long context) {
    note("detach");
  }

  @Override
  public HpuReport report(long context) {
    note("report");
    return new HpuReport(false, 0, false, Optional.empty(), pid, 0, 0);
  }
}
