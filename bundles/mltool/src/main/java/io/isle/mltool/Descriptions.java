package io.isle.mltool;

import io.isle.lib.model.ProvenModel;
import io.isle.lib.signing.TrustedKey;
import java.util.LinkedHashMap;
import java.util.Map;

/** What the tool says of a model. */
final class Descriptions {
  private Descriptions() {}

  /** Type, decision and serial, as text. */
  static String line(ProvenModel model) {
    return model.header().type().text() + " for " + model.decision() + ", serial " + model.serial();
  }

  /** The same and the identities, for JSON. */
  static Map<String, Object> fields(ProvenModel model) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("type", model.header().type().text());
    fields.put("decision", model.decision());
    fields.put("serial", model.serial());
    fields.put("sha256", model.header().sha256());
    fields.put("key", model.signer().map(TrustedKey::id).orElse(null));
    return fields;
  }
}
