package io.isle.lib.svg.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.lib.svg.Ink;
import io.isle.lib.svg.SvgPicture;
import io.isle.lib.svg.SvgPicture.Font;
import io.isle.lib.svg.SvgPicture.Key;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SvgPictureTest {
  private static final List<Key> KEYS =
      List.of(new Key(Ink.BLUE, "compute"), new Key(Ink.ORANGE, "transfer"));

  private static SvgPicture small() {
    SvgPicture picture = new SvgPicture("a <small> picture");
    picture.label(SvgPicture.MARGIN, 20, Font.TITLE, Ink.TEXT, 200, "title & more");
    int top = picture.legend(80, 40, 300, KEYS);
    picture.text(SvgPicture.MARGIN, top + 14, Font.NAME, Ink.TEXT, "row");
    picture.box(80, top, 120.5, 18, Ink.GROUND, "", "");
    picture.box(90.25, top + 2, 30, 14, Ink.BLUE, "compute", "30 \"ms\"");
    try (SvgPicture.Boxes boxes = picture.boxes("group", Ink.series(7))) {
      boxes.box(130, top + 2, 0.5, 14);
    }
    picture.scaleLine(80, top, top + 24);
    picture.centred(80, top + 36, Font.NOTE, Ink.NOTE, "0 ms");
    return picture;
  }

  @Test
  void aPictureIsTheStoredOne() throws IOException {
    StoredPicture.check("small", small().svg());
  }

  private static SvgPicture curve() {
    SvgPicture picture = small();
    picture.scaleLevel(200, 80, 300);
    picture.curveLine(80, 180, 190, 120.5, Ink.RED);
    picture.curveLine(190, 120.5, 300, 150, Ink.RED);
    return picture;
  }

  @Test
  void aCurveHasItsColourOnBothPages(@TempDir Path folder) throws Exception {
    String svg = curve().svg();
    StoredPicture.check("curve", svg);
    assertTrue(svg.contains(".line-scale{stroke:#3a3f46}.line-red{stroke:#f08a78}"), svg);
    RenderedPicture.check(folder, svg);
  }

  @Test
  void aPictureIsRenderedWithinItsPage(@TempDir Path folder) throws Exception {
    RenderedPicture.check(folder, small().svg());
  }

  @Test
  void aLabelThatIsCutIsShownWholeOnPointing() {
    SvgPicture picture = new SvgPicture("p");
    picture.label(0, 20, Font.NOTE, Ink.TEXT, 60, "m".repeat(40));
    String svg = picture.svg();
    assertTrue(svg.contains("mm...<title>" + "m".repeat(40) + "</title></text>"), svg);
  }

  @Test
  void aPictureWithoutLegendOrWithALabelOutsideHasFaults(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("faulty.svg");
    String svg = small().svg();
    Files.writeString(file, svg);
    assertEquals(List.of(), PictureLayout.faults(file));
    Files.writeString(file, svg.replace("class=\"key ", "class=\""));
    assertEquals(List.of("no legend"), PictureLayout.faults(file));
    Files.writeString(file, svg.replaceFirst("width=\"[0-9]+\"", "width=\"150\""));
    assertTrue(PictureLayout.faults(file).getFirst().contains("is not within 150"));
  }

  /** Whatever the names are, the page has room for them and for the legend. */
  @Property(tries = 200)
  void noLabelIsOutsideThePage(
      @ForAll @Size(min = 1, max = 30) List<@StringLength(max = 60) String> names,
      @ForAll @IntRange(min = 1, max = 800) int most)
      throws Exception {
    SvgPicture picture = new SvgPicture(names.getFirst());
    List<Key> keys = names.stream().map(name -> new Key(Ink.series(name.length()), name)).toList();
    int y = picture.legend(SvgPicture.MARGIN, 20, most, keys);
    for (String name : names) {
      picture.text(SvgPicture.MARGIN, y, Font.NAME, Ink.NOTE, name);
      y += 20;
    }
    Path file = Files.createTempFile(Path.of("target"), "picture", ".svg");
    Files.writeString(file, picture.svg());
    List<String> faults = PictureLayout.faults(file);
    Files.delete(file);
    assertTrue(
        faults.stream().noneMatch(fault -> fault.contains("is not within")), faults::toString);
  }
}
