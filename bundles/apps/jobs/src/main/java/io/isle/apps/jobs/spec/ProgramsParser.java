package io.isle.apps.jobs.spec;

import io.isle.api.accel.ProgramSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads {@code programs}: programs of several files that steps use by name. */
final class ProgramsParser {
  static final int MAX_PROGRAMS = 64;

  private static final String NAME = "[A-Za-z][A-Za-z0-9_-]{0,63}";

  private final Parameters parameters;
  private final ProgramFiles folder;

  ProgramsParser(Parameters parameters) {
    this.parameters = parameters;
    folder = new ProgramFiles(parameters.base());
  }

  /**
   * The programs by name.
   *
   * @param section null when the file has none
   */
  Map<String, StepProgram.Code> programs(Located section) {
    Map<String, StepProgram.Code> programs = new LinkedHashMap<>();
    if (section != null) {
      section.entries(MAX_PROGRAMS).forEach((name, at) -> programs.put(name, program(name, at)));
    }
    return programs;
  }

  private StepProgram.Code program(String name, Located at) {
    if (!name.matches(NAME)) {
      throw at.error(
          "a program's name has 1 to 64 characters of A-Z, a-z, 0-9, '_' and '-', the first a"
              + " letter");
    }
    Map<String, Located> keys = at.mapping("files", "include", "options");
    if (!keys.containsKey("files")) {
      throw at.error("needs 'files', a list of sources in OpenCL C");
    }
    List<StepProgram.Code.Source> files = sources(keys.get("files"), List.of());
    if (files.isEmpty()) {
      throw keys.get("files").error("needs at least one file");
    }
    List<StepProgram.Code.Source> headers =
        keys.containsKey("include") ? sources(keys.get("include"), files) : List.of();
    int all = files.size() + headers.size();
    if (all > ProgramSource.MAX_FILES) {
      throw at.error("has " + all + " files; the limit is " + ProgramSource.MAX_FILES);
    }
    Located options = keys.get("options");
    return new StepProgram.Code.Declared(
        name, files, headers, options == null ? "" : parameters.text(options).strip());
  }

  /**
   * The files of a list; one that a pattern matches is taken once.
   *
   * @param taken files that are there already
   */
  private List<StepProgram.Code.Source> sources(Located at, List<StepProgram.Code.Source> taken) {
    List<StepProgram.Code.Source> sources = new ArrayList<>();
    List<Located> texts = at.isScalar() ? List.of(at) : at.sequence(ProgramSource.MAX_FILES);
    for (Located each : texts) {
      for (StepProgram.Code.Source source : folder.matching(parameters.text(each), each)) {
        if (!sources.contains(source) && !taken.contains(source)) {
          sources.add(source);
        }
      }
    }
    return sources;
  }
}
