package io.isle.apps.jobs;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import io.isle.api.jobs.JobInfo;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A job as one line: a JSON object in ASCII without line breaks, whatever the texts contain. Pure
 * functions.
 */
final class JobLine {
  private static final JsonFactory FACTORY =
      JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  /** A job has lists of rows of values. */
  private static final int MAX_DEPTH = 8;

  private JobLine() {}

  /** The line, its end included. */
  static String write(JobInfo job) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = FACTORY.createGenerator(text)) {
      write(json, JobRecords.map(job));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.append('\n').toString();
  }

  private static void write(JsonGenerator json, Object value) throws IOException {
    switch (value) {
      case null -> json.writeNull();
      case Map<?, ?> map -> {
        json.writeStartObject();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          json.writeFieldName((String) entry.getKey());
          write(json, entry.getValue());
        }
        json.writeEndObject();
      }
      case List<?> list -> {
        json.writeStartArray();
        for (Object item : list) {
          write(json, item);
        }
        json.writeEndArray();
      }
      case Number number -> json.writeNumber(number.longValue());
      default -> json.writeString((String) value);
    }
  }

  /** The job of a line; empty for one that is cut off or was spoilt. */
  static Optional<JobInfo> read(String line) {
    try (JsonParser json = FACTORY.createParser(line)) {
      json.nextToken();
      Object job = read(json, 0);
      return json.nextToken() == null
          ? Optional.of(JobRecords.job((Map<?, ?>) job))
          : Optional.empty();
    } catch (IOException | RuntimeException e) {
      return Optional.empty();
    }
  }

  private static Object read(JsonParser json, int depth) throws IOException {
    JsonToken token = json.currentToken();
    if (token == null || depth > MAX_DEPTH) {
      throw new IOException("no value");
    }
    return switch (token) {
      case START_OBJECT -> {
        Map<String, Object> map = new LinkedHashMap<>();
        while (json.nextToken() == JsonToken.FIELD_NAME) {
          String name = json.currentName();
          json.nextToken();
          map.put(name, read(json, depth + 1));
        }
        yield map;
      }
      case START_ARRAY -> {
        List<Object> list = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
          list.add(read(json, depth + 1));
        }
        yield list;
      }
      case VALUE_NUMBER_INT -> json.getLongValue();
      case VALUE_STRING -> json.getText();
      case VALUE_NULL -> null;
      default -> throw new IOException("no value of a job: " + token);
    };
  }
}
