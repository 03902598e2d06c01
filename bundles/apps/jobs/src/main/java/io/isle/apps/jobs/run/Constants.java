package io.isle.apps.jobs.run;

import io.isle.apps.jobs.data.HostArray;
import io.isle.apps.jobs.platform.JobArrays;
import io.isle.apps.jobs.spec.Buffers;
import java.util.ArrayList;
import java.util.List;

/** The inputs of a streamed step that are the same for every piece. By the stream's thread. */
final class Constants {
  private final StepRun run;
  private final List<Resident> residents = new ArrayList<>();
  private final List<Integer> places = new ArrayList<>();
  private final List<Resident> own = new ArrayList<>();

  private Constants(StepRun run) {
    this.run = run;
  }

  /**
   * Reads them.
   *
   * @param extents takes what their names stand for
   */
  static Residents read(StepRun run, Extents extents) throws InterruptedException {
    Constants constants = new Constants(run);
    Buffers buffers = run.step().buffers();
    JobArrays all = run.env().arrays();
    WholeInputs reader = new WholeInputs(extents, run.stream().memory(), all, all.open());
    for (Buffers.Input input : WholeInputs.inOrder(buffers.inputs())) {
      if (buffers.isCut(input)) {
        continue;
      }
      if (input.source() instanceof Buffers.Source.OfStep source) {
        Results.Made made = run.results().get(source);
        made.bind(input, extents);
        constants.made(input, made);
        extents.type(input.name(), made.type());
      } else {
        HostArray host = reader.read(input);
        constants.upload(input, host);
        extents.type(input.name(), host.type());
      }
    }
    return new Residents(constants.residents, constants.places, constants.own);
  }

  private void made(Buffers.Input input, Results.Made made) {
    if (made.stream() != run.stream()) {
      upload(input, made.host().orElseThrow());
      return;
    }
    add(input.name(), made.resident());
  }

  private void upload(Buffers.Input input, HostArray host) {
    String name = input.name();
    Resident resident =
        new Resident(
            run.env(),
            run.step().name() + "." + name,
            Resident.bytes(input.where(), host.type(), host.shape()),
            0,
            Resident.copyOf(host.bytes(), run.clock()));
    add(name, resident);
    own.add(resident);
  }

  private void add(String name, Resident resident) {
    residents.add(resident);
    places.add(run.step().buffers().names().indexOf(name));
  }
}
