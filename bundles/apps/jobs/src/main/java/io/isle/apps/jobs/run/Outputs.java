package io.isle.apps.jobs.run;

import io.isle.api.jobs.JobResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The outputs of a job: written by its streams, and given their names when all has gone well.
 * Thread-safe.
 */
final class Outputs implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Outputs.class);

  private final List<Sink> sinks = new ArrayList<>();

  synchronized <S extends Sink> S add(S sink) {
    sinks.add(sink);
    return sink;
  }

  /** Puts one that goes through another in its place. */
  synchronized void replace(Sink inner, Sink outer) {
    sinks.remove(inner);
    sinks.add(outer);
  }

  /** Where the contents of a file are, which a step of the job may have written just now. */
  synchronized Path present(Path path) throws IOException {
    for (Sink sink : sinks) {
      if (sink.file().isPresent() && sink.file().get().isAt(path)) {
        return sink.file().get().present();
      }
    }
    return path;
  }

  /** Bytes of results in files. */
  synchronized long written() {
    return sinks.stream().mapToLong(Sink::written).sum();
  }

  /**
   * Names the outputs when all of them are on disk and none is seen that cannot be named. A name
   * that fails nevertheless leaves those that were given before it.
   */
  synchronized List<JobResult.Output> commit() throws InterruptedException {
    for (Sink sink : sinks) {
      if (sink.file().isPresent()) {
        sink.file().get().finish();
      }
    }
    sinks.forEach(sink -> sink.file().ifPresent(OutputFile::check));
    List<JobResult.Output> outputs = new ArrayList<>();
    for (Sink sink : sinks) {
      Optional<OutputFile> file = sink.file();
      if (file.isPresent()) {
        file.get().commit();
        outputs.add(
            new JobResult.Output(sink.step(), file.get().path().toString(), file.get().bytes()));
      }
    }
    return outputs;
  }

  /** Drops what has no name so far; one that cannot be closed keeps no other one open. */
  @Override
  public synchronized void close() {
    for (Sink sink : sinks) {
      try {
        sink.close();
      } catch (RuntimeException | Error e) {
        LOG.error("closing an output of {} failed unexpectedly", sink.step(), e);
      }
    }
  }
}
