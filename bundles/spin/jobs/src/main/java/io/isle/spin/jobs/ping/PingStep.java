package io.isle.spin.jobs.ping;

import io.isle.api.base.Errno;
import io.isle.api.base.IsleException;
import io.isle.api.jobs.ActionStep;
import io.isle.api.jobs.JobException;
import io.isle.api.net.NetException;
import io.isle.spin.jobs.ping.place.LabPlace;
import io.isle.spin.jobs.ping.place.PingPlace;
import io.isle.spin.jobs.ping.place.PingProtocol;
import io.isle.spin.jobs.ping.place.PingServices;
import io.isle.spin.jobs.ping.place.UdpPlace;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** One run of a step. {@link #run} is called once. */
final class PingStep {
  private final PingServices services;
  private final ActionStep step;
  private final String name;
  private final PingPlan plan;

  /**
   * @param name of all that the step makes
   */
  PingStep(PingServices services, ActionStep step, String name) {
    this.services = services;
    this.step = step;
    this.name = name;
    plan = PingPlan.of(step.values());
  }

  void run() throws IOException, InterruptedException {
    List<PingRow> rows = new ArrayList<>();
    boolean lab;
    try (PingPlace place = place()) {
      lab = place.isLab();
      measure(place, lab ? plan : plan.with(List.of(PingProtocol.UDP)), rows);
    }
    PingMeasures.set(step, rows, lab);
    PingTable.lines(rows).forEach(step::print);
    write(PingAction.TABLE, PingTable.csv(rows));
    write(PingAction.SVG, new PingPicture(rows, plan.runs(), lab).draw());
  }

  private PingPlace place() {
    if (plan.where().equals(PingPlace.UDP)) {
      return udp("");
    }
    try {
      LabPlace lab = new LabPlace(services, name, step.device());
      step.print("requests go through a lab, with the host behind the interface");
      return lab;
    } catch (NetException e) {
      if (e.code() != Errno.EPERM || plan.where().equals(PingPlace.LAB)) {
        throw JobException.failed(e.code(), PingAction.WHERE + ": " + e.getMessage(), e);
      }
      if (!plan.protocols().contains(PingProtocol.UDP)) {
        throw JobException.failed(
            Errno.EPERM, PingAction.PROTOCOLS + ": icmp needs a lab; " + e.getMessage(), e);
      }
      return udp(e.getMessage() + "; ");
    }
  }

  private PingPlace udp(String why) {
    UdpPlace place = new UdpPlace(services, name, step.device());
    step.print(
        why + "requests go to a port of udp, without icmp, with the host beside the interface");
    return place;
  }

  private void measure(PingPlace place, PingPlan todo, List<PingRow> rows)
      throws IOException, InterruptedException {
    try {
      for (PingProtocol protocol : todo.protocols()) {
        for (PingMode mode : todo.modes()) {
          try (PingTarget target = PingTarget.open(services, step, place, protocol, mode);
              PingRuns runs = new PingRuns(step, todo, target)) {
            rows.addAll(runs.measure());
          }
        }
      }
    } catch (IsleException e) {
      // what waits in vain after an interrupt says so; the place is removed without it
      if (Thread.interrupted()) {
        InterruptedException end = new InterruptedException("cancelled");
        end.initCause(e);
        throw end;
      }
      throw e;
    }
  }

  private void write(String parameter, String text) throws IOException, InterruptedException {
    if (step.values().has(parameter) && !step.values().text(parameter).isEmpty()) {
      OutputStream stream = step.write(parameter);
      stream.write(text.getBytes(StandardCharsets.UTF_8));
      stream.flush();
    }
  }
}
