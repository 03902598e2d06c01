package io.isle.itests;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which classes depend on each other, over whatever others: the strongly connected parts of their
 * graph, as Tarjan finds them. A nested class counts for the one that it is in.
 */
final class ClassCircles {
  private final Map<String, Set<String>> uses = new TreeMap<>();
  private final Map<String, Integer> order = new HashMap<>();
  private final Map<String, Integer> lowest = new HashMap<>();
  private final Deque<String> open = new ArrayDeque<>();
  private final List<Set<String>> circles = new ArrayList<>();

  ClassCircles(JavaClasses classes) {
    for (JavaClass type : classes) {
      Set<String> targets = uses.computeIfAbsent(outer(type), name -> new TreeSet<>());
      for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
        JavaClass target = dependency.getTargetClass().getBaseComponentType();
        if (classes.contain(target.getName())) {
          targets.add(outer(target));
        }
      }
    }
  }

  private static String outer(JavaClass type) {
    return type.getEnclosingClass().map(ClassCircles::outer).orElseGet(type::getName);
  }

  /** Those of two classes or more. */
  List<Set<String>> all() {
    for (String name : uses.keySet()) {
      if (!order.containsKey(name)) {
        visit(name);
      }
    }
    return circles;
  }

  private void visit(String name) {
    int number = order.size();
    order.put(name, number);
    lowest.put(name, number);
    open.push(name);
    for (String target : uses.get(name)) {
      if (!order.containsKey(target)) {
        visit(target);
        lowest.merge(name, lowest.get(target), Math::min);
      } else if (open.contains(target)) {
        lowest.merge(name, order.get(target), Math::min);
      }
    }
    if (lowest.get(name) == number) {
      close(name);
    }
  }

  private void close(String first) {
    Set<String> circle = new TreeSet<>();
    String name;
    do {
      name = open.pop();
      circle.add(name);
    } while (!name.equals(first));
    if (circle.size() > 1) {
      circles.add(circle);
    }
  }
}
