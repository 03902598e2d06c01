package io.isle.apps.jobs;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Records in the history's file: a row of texts and whole numbers each, in the order of their
 * components. Lists in them are left out: they are the last. Pure functions.
 */
final class RecordRows {
  /**
   * Kept by type: each new look at a type makes its accessors anew, which costs more than a row.
   */
  private static final ClassValue<RecordComponent[]> COMPONENTS =
      new ClassValue<>() {
        @Override
        protected RecordComponent[] computeValue(Class<?> type) {
          return type.getRecordComponents();
        }
      };

  private RecordRows() {}

  static List<Object> rows(List<? extends Record> records) {
    return records.stream().<Object>map(RecordRows::row).toList();
  }

  private static List<Object> row(Record of) {
    List<Object> row = new ArrayList<>();
    try {
      for (RecordComponent component : COMPONENTS.get(of.getClass())) {
        Object value = component.getAccessor().invoke(of);
        if (component.getType() != List.class) {
          row.add(component.getType() == long.class ? value : value.toString());
        }
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(e);
    }
    return row;
  }

  /**
   * The records of a list of rows; none of a history that was written before these were kept.
   *
   * @param job a job of the history
   * @throws RuntimeException if a row is none of such a record
   */
  static <R extends Record> List<R> records(Class<R> type, Map<?, ?> job, String key) {
    List<R> records = new ArrayList<>();
    for (Object row : job.get(key) instanceof List<?> rows ? rows : List.of()) {
      records.add(record(type, (List<?>) row));
    }
    return records;
  }

  private static <R extends Record> R record(Class<R> type, List<?> row) {
    RecordComponent[] components = COMPONENTS.get(type);
    Class<?>[] types = new Class<?>[components.length];
    Object[] values = new Object[components.length];
    for (int i = 0; i < components.length; i++) {
      types[i] = components[i].getType();
      // A number that earlier versions did not keep is 0.
      Object kept = i == row.size() && types[i] == long.class ? "0" : null;
      values[i] =
          types[i] == List.class
              ? List.of()
              : value(types[i], (kept != null ? kept : row.get(i)).toString());
    }
    try {
      return type.getDeclaredConstructor(types).newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static Object value(Class<?> type, String text) {
    if (type == long.class) {
      return Long.valueOf(text);
    }
    if (type == double.class) {
      return Double.valueOf(text);
    }
    return type == boolean.class ? (Object) Boolean.valueOf(text) : text;
  }
}
