package io.isle.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class RowTest {
  @Test
  void aRatioSaysHowManyTimesBetterOursIs() {
    double[] two = {2, 2, 2};
    double[] four = {4, 4, 4};
    assertEquals(2, Row.against("b", "c", "ns", "lower", two, four, "p", 1.0).ratio());
    assertEquals(0.5, Row.against("b", "c", "/s", "higher", two, four, "p", 1.0).ratio());
  }

  @Test
  void goalsAreOnTheRatioWithAPeerElseInTheUnit() {
    double[] two = {2, 2, 2};
    double[] four = {4, 4, 4};
    assertTrue(Row.against("b", "c", "ns", "lower", two, four, "p", 1.9).holds());
    assertFalse(Row.against("b", "c", "ns", "lower", two, four, "p", 2.1).holds());
    assertTrue(Row.absolute("b", "c", "ns", "lower", two, 2.0).holds());
    assertFalse(Row.absolute("b", "c", "ns", "lower", two, 1.9).holds());
    assertTrue(Row.absolute("b", "c", "ns", "lower", two, null).holds());
    assertNull(Row.absolute("b", "c", "ns", "lower", two, null).ratio());
  }

  @Test
  void medianAndSpreadAreThoseOfTheQuartiles() {
    Row row = Row.absolute("b", "c", "ns", "lower", new double[] {5, 1, 3, 2, 4}, null);
    assertEquals(3, row.ours());
    assertEquals(2.0 / 3, row.spread(), 1e-9);
  }

  @Test
  void theTailIsThereOnlyWhereItIsReported() {
    double[] values = new double[101];
    for (int i = 0; i < values.length; i++) {
      values[i] = i;
    }
    Row row = Row.absolute("b", "c", "ns", "lower", values, null).withP99(values);
    assertEquals(99, row.p99());
    assertTrue(row.json().endsWith("\"p99\":99.0000}"), row.json());
  }

  @Test
  void absentPartsAreNullInJson() {
    assertEquals(
        "{\"bench\":\"b\",\"case\":\"c\",\"unit\":\"ns\",\"better\":\"lower\",\"ours\":2.00000,"
            + "\"peer\":null,\"peer_name\":null,\"ratio\":null,\"goal\":null,\"holds\":true,"
            + "\"n\":3,\"spread\":0.00000}",
        Row.absolute("b", "c", "ns", "lower", new double[] {2, 2, 2}, null).json());
  }
}
