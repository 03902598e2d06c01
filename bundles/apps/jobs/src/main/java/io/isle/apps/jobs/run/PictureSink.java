package io.isle.apps.jobs.run;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/** Where the picture of a job goes: an output that is no step's results. */
final class PictureSink implements Sink {
  private final OutputFile file;

  /**
   * Opens it, so that what cannot be written is seen before the job has run.
   *
   * @param jobId part of the temporary name
   */
  PictureSink(Path path, String jobId) throws InterruptedException {
    file = OutputFile.create(path, jobId);
  }

  void draw(String svg) throws InterruptedException {
    file.write(ByteBuffer.wrap(svg.getBytes(StandardCharsets.UTF_8)));
  }

  @Override
  public void accept(MemorySegment results) {
    throw new IllegalStateException("a picture has no results");
  }

  @Override
  public void flush() {}

  @Override
  public void finish() {}

  @Override
  public Optional<OutputFile> file() {
    return Optional.of(file);
  }

  @Override
  public long written() {
    return 0;
  }

  @Override
  public String step() {
    return "timeline";
  }

  @Override
  public void close() {
    file.close();
  }
}
