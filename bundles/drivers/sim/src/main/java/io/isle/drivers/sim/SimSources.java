package io.isle.drivers.sim;

import io.isle.api.driver.DriverException;
import io.isle.api.driver.ProgramEntry;
import io.isle.api.driver.ProgramSources;
import io.isle.api.driver.Programs;
import java.util.List;

/** Programs of several files of a simulated device. Control lane. */
final class SimSources implements ProgramSources {
  private final Programs programs;

  SimSources(Programs programs) {
    this.programs = programs;
  }

  @Override
  public List<ProgramEntry> load(
      long context, long program, List<File> files, List<File> headers, String options) {
    JoinedFiles joined = new JoinedFiles(files, headers);
    try {
      return programs.load(context, program, Programs.Kind.OPENCL_C, joined.text(), options);
    } catch (DriverException e) {
      throw joined.placed(e);
    }
  }
}
