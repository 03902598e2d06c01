package io.isle.net.jobs;

import io.isle.api.base.Errno;
import io.isle.api.jobs.ActionStep;
import io.isle.api.jobs.ActionValues;
import io.isle.api.jobs.JobException;
import io.isle.api.net.LabSide;
import io.isle.api.net.Labs;
import io.isle.api.net.NetAdmin;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One run of a step that sends a file to an echo app. {@link #run} is called once. */
final class EchoStep {
  private static final int BUFFER = 1 << 16;

  private final Services services;
  private final ActionStep step;
  private final String net;

  /**
   * What steps use.
   *
   * @param folder for captures that are being made
   */
  record Services(Labs labs, NetAdmin nets, EventBook events, Path folder) {}

  EchoStep(Services services, ActionStep step) {
    this.services = services;
    this.step = step;
    net = step.values().text(EchoAction.NET);
  }

  void run() throws IOException, InterruptedException {
    List<Event> events = events();
    Losses before = losses();
    int known = events.size();
    Optional<OutputStream> out =
        EchoAction.isWanted(step, EchoAction.OUT)
            ? Optional.of(new BufferedOutputStream(step.write(EchoAction.OUT), BUFFER))
            : Optional.empty();
    try (EchoSocket socket =
            new EchoSocket(side(NetSetup.OUTER), side(NetSetup.INNER), NetSetup.PORT);
        CaptureFile capture = capture();
        InputStream in = new BufferedInputStream(step.read(EchoAction.FILE), BUFFER)) {
      ActionValues values = step.values();
      boolean all = values.text(EchoAction.UNTIL).equals("faults");
      EchoInput input =
          new EchoInput(in, (int) values.whole(EchoAction.SIZE), () -> all && !step.scheduleOver());
      EchoDrive drive =
          new EchoDrive(step, socket, input, out, new GapClock(events), capture, System::nanoTime);
      drive.run();
      if (out.isPresent()) {
        out.get().flush();
      }
      Optional<CaptureCheck> captured =
          capture == null
              ? Optional.empty()
              : Optional.of(
                  capture.finish(
                      drive.frames(),
                      new BufferedOutputStream(step.write(EchoAction.CAPTURE), BUFFER)));
      tell(
          drive.measures(
              happened(new ArrayList<>(events), known, drive), losses().since(before), captured));
    }
  }

  private CaptureFile capture() throws IOException, InterruptedException {
    return EchoAction.isWanted(step, EchoAction.CAPTURE)
        ? new CaptureFile(services.nets(), net, services.folder())
        : null;
  }

  private List<Event> events() {
    if (!services.events().has(net)) {
      throw JobException.failed(
          Errno.ENOENT, "net: 'nets' of setup has no '" + net + "'; name one of them", null);
    }
    return services.events().events(net);
  }

  private Losses losses() {
    return Losses.of(services.nets().counters(net));
  }

  private LabSide side(String name) {
    return services.labs().list().stream()
        .filter(side -> side.lab().equals(net) && side.side().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                JobException.failed(
                    Errno.ENOENT, "the lab " + net + " is gone; run the job again", null));
  }

  private static List<EchoMeasures.Happened> happened(
      List<Event> events, int first, EchoDrive drive) {
    List<EchoMeasures.Happened> all = new ArrayList<>();
    long now = System.nanoTime();
    for (int i = first; i < events.size(); i++) {
      Event event = events.get(i);
      long end = Math.min(event.endNs() - event.beginNs(), now - event.beginNs());
      all.add(
          new EchoMeasures.Happened(
              event.name(), event.beginNs() - drive.beginNs(), end, drive.gaps().aroundNs(i)));
    }
    return all;
  }

  private void tell(EchoMeasures measures) {
    measures.values().forEach(step::measure);
    measures.table(net).forEach(step::print);
    if (measures.wrong() > 0) {
      throw JobException.failed(
          Errno.EIO, "net " + net + ": " + measures.wrong() + " datagrams came back changed", null);
    }
  }
}
