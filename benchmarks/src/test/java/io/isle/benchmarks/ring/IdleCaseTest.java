package io.isle.benchmarks.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class IdleCaseTest {
  @Test
  void nodesInThePlatformHaveNoProcess() {
    String status =
        """
        [{"node":"idle-0","process":"shared","pid":null,"state":"running"},
         {"node":"idle-1","process":"own","pid":17,"process_starts":1},
         {"node":"idle-2","process":"own","pid": 4711}]
        """;
    assertEquals(List.of(17L, 4711L), IdleCase.pids(status));
  }
}
