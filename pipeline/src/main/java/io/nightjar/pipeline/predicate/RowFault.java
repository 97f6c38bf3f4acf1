package io.nightjar.pipeline.predicate;

import io.nightjar.formats.finding.EdgeReason.OfRows;
import io.nightjar.formats.level.Anomaly;
import org.jspecify.annotations.Nullable;

/**
 * A row that a transaction read, or did not return, against a version.
 *
 * @param row the operation that returned it; NONE if none did
 * @param expectedSlot the version that the finding compares it with
 * @param predicateRead the predicate read that it concerns; NONE for a row read
 * @param why null if it should have returned the expected version
 */
record RowFault(
        Anomaly anomaly, int txn, int key, int row, int expectedSlot, int predicateRead, @Nullable OfRows why) {}
