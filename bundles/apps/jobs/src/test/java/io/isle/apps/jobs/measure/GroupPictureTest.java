package io.isle.apps.jobs.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.isle.api.jobs.Measured.GroupShare;
import io.isle.lib.svg.testing.PictureLayout;
import io.isle.lib.svg.testing.RenderedPicture;
import io.isle.lib.svg.testing.StoredPicture;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GroupPictureTest {
  private static final List<GroupShare> GROUPS =
      List.of(
          new GroupShare("team-a", 75, 74.8, 0, 0, 0, 0, 0),
          new GroupShare("team-b", Double.NaN, 25.2, 0, 0, 0, 0, 0),
          new GroupShare("nobody-measured", Double.NaN, Double.NaN, 0, 0, 0, 0, 0));

  @TempDir Path folder;

  @Test
  void groupsAreDrawnAsInTheStoredPicture() throws Exception {
    GroupPicture.Chart both =
        new GroupPicture.Chart(
            100_000_000L,
            Map.of(
                "team-a", new long[] {0, 30_000_000, 40_000_000, 85_000_000},
                "team-b", new long[] {30_000_000, 40_000_000, 85_000_000, 100_000_000}));
    GroupPicture.Chart alone =
        new GroupPicture.Chart(
            3_000_000_000L, Map.of("nobody-measured", new long[] {1_000_000_000, 1_000_001_000}));
    String svg = new GroupPicture("shares", List.of(both, alone), GROUPS).draw();
    StoredPicture.check("groups", svg);
    assertEquals(
        List.of(), PictureLayout.faults(Files.writeString(folder.resolve("groups.svg"), svg)));
    RenderedPicture.check(folder, svg);
  }
}
