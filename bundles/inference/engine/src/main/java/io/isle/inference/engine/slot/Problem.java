package io.isle.inference.engine.slot;

/** Why kept models of a slot are not in memory. Under the slot's lock. */
final class Problem {
  private static final System.Logger LOG = System.getLogger(Problem.class.getName());

  private final String name;
  private String text = "";
  private boolean ofSignature;

  Problem(String name) {
    this.name = name;
  }

  /** Empty without one. */
  String text() {
    return text;
  }

  /** Whether it is one of the signature of the model that should serve. */
  boolean ofSignature() {
    return ofSignature;
  }

  void clear() {
    text = "";
    ofSignature = false;
  }

  void add(String role, String why, boolean signature, System.Logger.Level level) {
    text = (text.isEmpty() ? "" : text + "; ") + role + ": " + why;
    ofSignature |= signature && role.equals("serving");
    LOG.log(level, "{0}: the {1} model is out: {2}", name, role, why);
  }
}
