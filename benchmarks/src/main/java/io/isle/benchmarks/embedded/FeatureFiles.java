package io.isle.benchmarks.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/** The features of a distribution: which bundles each consists of. */
final class FeatureFiles {
  private static final String USUAL_LEVEL = "80";

  private final Path system;
  private final Map<String, Element> features = new HashMap<>();

  /**
   * Reads all feature files of a distribution.
   *
   * @param system its repository of bundles
   */
  FeatureFiles(Path system) throws IOException {
    this.system = system;
    try (Stream<Path> files = Files.walk(system)) {
      for (Path file : files.filter(f -> f.toString().endsWith("-features.xml")).toList()) {
        for (Element feature : children(parse(file), "feature")) {
          features.put(feature.getAttribute("name"), feature);
        }
      }
    }
  }

  /**
   * A bundle of a feature.
   *
   * @param level at which the bundle starts: a bundle of a lower level starts earlier
   */
  record FeatureBundle(String artifact, Path jar, int level) {}

  /** The bundles of a feature and of all features that the feature needs, in their start order. */
  List<FeatureBundle> bundles(String feature) throws IOException {
    Map<String, FeatureBundle> found = new LinkedHashMap<>();
    collect(feature, found);
    return inStartOrder(found.values());
  }

  /** One bundle that the feature itself has. */
  FeatureBundle bundle(String feature, String artifact) throws IOException {
    for (Element bundle : children(feature(feature), "bundle")) {
      FeatureBundle read = read(bundle);
      if (read.artifact.equals(artifact)) {
        return read;
      }
    }
    throw new IOException("the feature " + feature + " has no bundle " + artifact);
  }

  /** Sorted by level; within a level as they come. */
  static List<FeatureBundle> inStartOrder(Collection<FeatureBundle> bundles) {
    return bundles.stream().sorted(Comparator.comparingInt(FeatureBundle::level)).toList();
  }

  private void collect(String name, Map<String, FeatureBundle> found) throws IOException {
    for (Element needed : children(feature(name), "feature")) {
      collect(needed.getTextContent().strip(), found);
    }
    for (Element bundle : children(feature(name), "bundle")) {
      FeatureBundle read = read(bundle);
      found.putIfAbsent(read.artifact, read);
    }
  }

  private Element feature(String name) throws IOException {
    Element feature = features.get(name);
    if (feature == null) {
      throw new IOException("the distribution has no feature " + name);
    }
    return feature;
  }

  /** Of {@code mvn:GROUP/ARTIFACT/VERSION}. */
  private FeatureBundle read(Element bundle) throws IOException {
    String location = bundle.getTextContent().strip();
    String[] parts = location.split("[:/]", -1);
    if (parts.length != 4 || !parts[0].equals("mvn")) {
      throw new IOException("the location '" + location + "' of a bundle is not supported");
    }
    String level = bundle.getAttribute("start-level");
    return new FeatureBundle(
        parts[2],
        system
            .resolve(parts[1].replace('.', '/'))
            .resolve(parts[2])
            .resolve(parts[3])
            .resolve(parts[2] + "-" + parts[3] + ".jar"),
        Integer.parseInt(level.isEmpty() ? USUAL_LEVEL : level));
  }

  private static Element parse(Path file) throws IOException {
    try {
      return DocumentBuilderFactory.newDefaultInstance()
          .newDocumentBuilder()
          .parse(file.toFile())
          .getDocumentElement();
    } catch (ParserConfigurationException | SAXException e) {
      throw new IOException(file + " cannot be read", e);
    }
  }

  private static List<Element> children(Element parent, String name) {
    List<Element> children = new ArrayList<>();
    for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element element && element.getTagName().equals(name)) {
        children.add(element);
      }
    }
    return children;
  }
}
