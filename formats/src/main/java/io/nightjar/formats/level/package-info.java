/** Isolation levels, verdicts, anomalies and axioms as data. Decides nothing. */
package io.nightjar.formats.level;
