package io.isle.net.tile;

/** Tiles that lack one call, named by class, method and callee. All of them must be found out. */
enum Mutant {
  NONE("", "", ""),
  NO_LEDGER_AT_RX("RxPath", "receive", "state"),
  NO_LEDGER_AT_PASS("RxPath", "pass", "state"),
  NO_LEDGER_AT_SEND("TxPath", "copy", "state"),
  NO_LEDGER_AT_COMPLETION("TxPath", "complete", "state"),
  NO_UNSTAGE("Repair", "inHand", "unstage"),
  NO_UNSTAGE_OF_A_DROP("Repair", "received", "unstage"),
  NO_LINE_BACK("Repair", "inHand", "assign"),
  NO_COUNT("Repair", "received", "count"),
  NO_RECEIVED("Repair", "run", "received"),
  NO_SENT("Repair", "run", "sent"),
  NO_COMPLETED("Repair", "run", "completed"),
  NO_LEDGER_AT_FILL("Repair", "handOver", "state"),
  NO_LEDGER_AT_GIFT("Furnish", "give", "state");

  private final String type;
  private final String method;
  private final String callee;

  Mutant(String type, String method, String callee) {
    this.type = type;
    this.method = method;
    this.callee = callee;
  }

  boolean is(String inType, String inMethod, String called) {
    return type.equals(inType) && method.equals(inMethod) && callee.equals(called);
  }
}
