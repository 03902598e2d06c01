package io.isle.mltool;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.isle.lib.signing.Algorithm;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A line of {@code verify --batch}: an object with {@code alg}, {@code key}, {@code msg}, {@code
 * sig} and, if wanted, {@code id} and {@code ctx}. What was read before a mistake stays, so that
 * the answer has the id.
 */
final class BatchRequest {
  private static final List<String> FIELDS = List.of("alg", "key", "msg", "sig", "ctx");
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .streamReadConstraints(
              StreamReadConstraints.builder().maxStringLength(BatchVerify.MAX_LINE).build())
          .build();

  private Object id;
  private final Map<String, String> texts = new HashMap<>();

  /** The line is no request. */
  static final class Refused extends Exception {
    private static final long serialVersionUID = 1L;

    Refused(String message) {
      super(message);
    }
  }

  /** Reads a line without its end. */
  void read(byte[] line) throws Refused {
    try (JsonParser in = FACTORY.createParser(text(line))) {
      if (in.nextToken() != JsonToken.START_OBJECT) {
        throw new Refused("the line is not a JSON object");
      }
      while (in.nextToken() != JsonToken.END_OBJECT) {
        String field = in.currentName();
        JsonToken value = in.nextToken();
        if (field.equals("id")) {
          id = scalar(in, value);
        } else {
          texts.put(field, text(in, field, value));
        }
      }
      if (in.nextToken() != null) {
        throw new Refused("the line has something behind its JSON object");
      }
    } catch (IOException e) {
      throw new Refused("the line is not a JSON object");
    }
  }

  private static String text(byte[] line) throws Refused {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(line)).toString();
    } catch (CharacterCodingException e) {
      throw new Refused("the line is not valid UTF-8");
    }
  }

  private static String text(JsonParser in, String field, JsonToken value)
      throws IOException, Refused {
    if (!FIELDS.contains(field)) {
      throw new Refused("the field is not id, " + String.join(", ", FIELDS) + ": " + field);
    }
    if (value != JsonToken.VALUE_STRING) {
      throw new Refused(field + ": the value is not a text");
    }
    return in.getText();
  }

  private static Object scalar(JsonParser in, JsonToken value) throws IOException, Refused {
    return switch (value) {
      case VALUE_STRING -> in.getText();
      case VALUE_NUMBER_INT -> new BigInteger(in.getText());
      case VALUE_NUMBER_FLOAT -> new BigDecimal(in.getText());
      case VALUE_TRUE, VALUE_FALSE -> in.getBooleanValue();
      case VALUE_NULL -> null;
      default -> throw new Refused("id: the value is not a text or a number");
    };
  }

  /** The id as it was given; null if it was not. */
  Object id() {
    return id;
  }

  Algorithm algorithm() throws Refused {
    Algorithm algorithm = BareVerify.ALGORITHMS.get(required("alg"));
    if (algorithm == null) {
      throw new Refused("alg: the value is not " + BareVerify.NAMES);
    }
    if (algorithm == Algorithm.ED25519 && texts.containsKey("ctx")) {
      throw new Refused("ctx: ed25519 has no context");
    }
    return algorithm;
  }

  /** The bytes of a field that must be there. */
  byte[] needed(String field) throws Refused {
    return bytes(field, required(field));
  }

  /** The bytes of the context; none if it is not there. */
  byte[] context() throws Refused {
    return bytes("ctx", texts.getOrDefault("ctx", ""));
  }

  private String required(String field) throws Refused {
    String text = texts.get(field);
    if (text == null) {
      throw new Refused(field + ": the field is missing");
    }
    return text;
  }

  private static byte[] bytes(String field, String text) throws Refused {
    return BareVerify.bytes(text)
        .orElseThrow(() -> new Refused(field + ": the value is not pairs of hexadecimal digits"));
  }
}
