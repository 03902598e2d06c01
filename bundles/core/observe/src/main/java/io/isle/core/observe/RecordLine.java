package io.isle.core.observe;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import io.isle.api.base.Ids;
import io.isle.api.observe.AuditEvent;
import io.isle.api.observe.AuditRecord;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A record as one line: a JSON object in ASCII without line breaks, whatever the texts contain.
 * Pure functions.
 */
final class RecordLine {
  private static final JsonFactory FACTORY =
      JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  private RecordLine() {}

  /** The line, its end included. */
  static String write(AuditRecord entry) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = FACTORY.createGenerator(text)) {
      AuditEvent event = entry.event();
      json.writeStartObject();
      json.writeNumberField("number", entry.number());
      json.writeStringField("time", Instant.ofEpochMilli(entry.epochMs()).toString());
      json.writeStringField("actor", event.actor());
      if (event.capability() != 0) {
        json.writeStringField("capability", Ids.text(event.capability()));
      }
      json.writeStringField("action", event.action());
      json.writeStringField("device", event.device());
      json.writeStringField("object", event.object());
      json.writeNumberField("code", event.code());
      json.writeStringField("detail", event.detail());
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.append('\n').toString();
  }

  /** The record of a line; empty for one that is torn or was spoiled. */
  static Optional<AuditRecord> read(String line) {
    try (JsonParser json = FACTORY.createParser(line)) {
      Map<String, String> fields = new HashMap<>();
      if (json.nextToken() != JsonToken.START_OBJECT) {
        return Optional.empty();
      }
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        json.nextToken();
        if (json.currentToken().isStructStart()) {
          return Optional.empty();
        }
        fields.put(name, json.getText());
      }
      return json.currentToken() == JsonToken.END_OBJECT
          ? Optional.of(entry(fields))
          : Optional.empty();
    } catch (IOException | IllegalArgumentException | DateTimeException e) {
      return Optional.empty();
    }
  }

  private static AuditRecord entry(Map<String, String> fields) {
    return new AuditRecord(
        Long.parseLong(needed(fields, "number")),
        Instant.parse(needed(fields, "time")).toEpochMilli(),
        new AuditEvent(
            needed(fields, "actor"),
            Long.parseUnsignedLong(fields.getOrDefault("capability", "0"), 16),
            needed(fields, "action"),
            fields.getOrDefault("device", ""),
            fields.getOrDefault("object", ""),
            Integer.parseInt(fields.getOrDefault("code", "0")),
            fields.getOrDefault("detail", "")));
  }

  private static String needed(Map<String, String> fields, String name) {
    String value = fields.get(name);
    if (value == null) {
      throw new IllegalArgumentException(name + " is missing");
    }
    return value;
  }
}
