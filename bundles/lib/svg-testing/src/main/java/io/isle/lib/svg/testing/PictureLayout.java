package io.isle.apps.jobs;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.lib.svg.SvgText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** Whether the texts of a picture lie within it, and on nothing else. */
final class PictureLayout {
  private record Box(String what, double left, double right, double top, double bottom) {
    boolean meets(Box other) {
      return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
    }
  }

  private PictureLayout() {}

  static void check(Path file) throws Exception {
    Document svg = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
    double width = number(svg.getDocumentElement(), "width", 0);
    double height = number(svg.getDocumentElement(), "height", 0);
    List<Box> texts = new ArrayList<>();
    NodeList found = svg.getElementsByTagName("text");
    for (int i = 0; i < found.getLength(); i++) {
      texts.add(text((Element) found.item(i)));
    }
    assertTrue(texts.size() > 3);
    for (Box text : texts) {
      assertTrue(text.left >= 0 && text.right <= width, () -> text + " of " + width);
      assertTrue(text.top >= 0 && text.bottom <= height, () -> text + " of " + height);
      for (Box other : texts) {
        assertTrue(other == text || !other.meets(text), () -> text + " on " + other);
      }
      NodeList bars = svg.getElementsByTagName("rect");
      for (int i = 0; i < bars.getLength(); i++) {
        Element bar = (Element) bars.item(i);
        Box box = box(bar);
        boolean page = bar.getAttribute("fill").equals("#ffffff");
        assertTrue(page || !box.meets(text), () -> text + " on " + box);
      }
    }
  }

  private static Box text(Element text) {
    String shown = text.hasChildNodes() ? text.getFirstChild().getNodeValue() : "";
    int font = (int) number(text, "font-size", 12);
    double width = SvgText.width(shown, font);
    double x = number(text, "x", 0);
    double left = text.getAttribute("text-anchor").equals("middle") ? x - width / 2 : x;
    double y = number(text, "y", 0);
    return new Box(shown, left, left + width, y - font * 0.8, y + font * 0.2);
  }

  private static Box box(Element bar) {
    double x = number(bar, "x", 0);
    double y = number(bar, "y", 0);
    String fill = bar.getAttribute("fill");
    return new Box("a box " + fill, x, x + percent(bar, "width"), y, y + percent(bar, "height"));
  }

  private static double percent(Element bar, String name) {
    return bar.getAttribute(name).endsWith("%") ? 0 : number(bar, name, 0);
  }

  private static double number(Element element, String name, double otherwise) {
    String text = element.getAttribute(name);
    return text.isEmpty() ? otherwise : Double.parseDouble(text);
  }
}
