package io.isle.lib.svg.testing;

import io.isle.lib.svg.SvgText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** Checks that the texts of a picture lie within its page and on nothing else. */
public final class PictureLayout {
  private record Box(String what, double left, double right, double top, double bottom) {
    boolean meets(Box other) {
      return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
    }
  }

  private PictureLayout() {}

  /**
   * The faults of a picture: texts outside of the page, on another text or on a box; no legend; no
   * colours for a dark page. A picture without texts is a fault, too.
   */
  public static List<String> faults(Path file) throws Exception {
    Document svg = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
    double width = number(svg.getDocumentElement(), "width", 0);
    double height = number(svg.getDocumentElement(), "height", 0);
    List<Box> texts = new ArrayList<>();
    NodeList found = svg.getElementsByTagName("text");
    for (int i = 0; i < found.getLength(); i++) {
      texts.add(text((Element) found.item(i)));
    }
    List<Box> bars = bars(svg);
    List<String> faults = new ArrayList<>();
    if (ofClass(svg, "key").isEmpty()) {
      faults.add("no legend");
    }
    if (!svg.getDocumentElement().getTextContent().contains("prefers-color-scheme: dark")) {
      faults.add("no colours for a dark page");
    }
    if (texts.size() <= 3) {
      faults.add("there are only " + texts.size() + " texts");
    }
    for (Box text : texts) {
      if (text.left < 0 || text.right > width || text.top < 0 || text.bottom > height) {
        faults.add(text + " is not within " + width + " x " + height);
      }
      Stream.concat(texts.stream(), bars.stream())
          .filter(other -> other != text && other.meets(text))
          .forEach(other -> faults.add(text + " is on " + other));
    }
    return faults;
  }

  private static List<Element> ofClass(Document svg, String name) {
    List<Element> named = new ArrayList<>();
    NodeList found = svg.getElementsByTagName("rect");
    for (int i = 0; i < found.getLength(); i++) {
      Element rect = (Element) found.item(i);
      if (List.of(rect.getAttribute("class").split(" ")).contains(name)) {
        named.add(rect);
      }
    }
    return named;
  }

  /** All but the page itself. */
  private static List<Box> bars(Document svg) {
    List<Box> bars = new ArrayList<>();
    NodeList found = svg.getElementsByTagName("rect");
    for (int i = 0; i < found.getLength(); i++) {
      Element bar = (Element) found.item(i);
      if (!bar.getAttribute("class").equals("page")) {
        bars.add(box(bar));
      }
    }
    return bars;
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
