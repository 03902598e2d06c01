package io.isle.tck;

import java.util.List;
import java.util.stream.Stream;

/** All cases of the suite. */
final class Cases {
  private Cases() {}

  static List<Case> all() {
    return Stream.of(
            LifeCycleCases.all(),
            ContextCases.all(),
            MemoryCases.all(),
            CompletionCases.all(),
            EnvelopeCases.all(),
            ProgramCases.all(),
            SourceCases.all(),
            FileCases.all(),
            LaunchCases.all(),
            ReportCases.all(),
            FaultCases.all(),
            PreemptionCases.all(),
            ResumeCases.all(),
            FenceCases.all(),
            PowerCases.all(),
            PageCases.all(),
            DisplayCases.all(),
            ModeCases.all(),
            PictureCases.all(),
            HpuCases.all())
        .flatMap(List::stream)
        .toList();
  }
}
